"""Gradio components and event settings that several parts of the page share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import gradio as gr
from gradio.utils import get_upload_folder

from alignment.evaluation import PERSISTENCE
from session.offer import Offer
from session.storage import ContentStore
from ui.render.summary import ORDERS
from ui.render.words import IMAGES, METHODS, safe

ASSETS = Path(__file__).resolve().parent.parent / "assets"

EXAMPLES = "examples"
"""The folder of the images of worked examples."""

SIZES = ("1 x 1", "2 x 2", "2 x 3", "3 x 3", "2 x 4", "4 x 4", "5 x 5", "6 x 6")

T = TypeVar("T")

Changes = dict[Any, Any]
"""Component of the page -> its new value."""

QUIET = {"show_progress": "hidden", "show_progress_on": (), "api_visibility": "private"}
"""Events whose progress Gradio tells no component: it would redraw them all at each step."""
AT_ONCE = {**QUIET, "queue": False, "trigger_mode": "always_last"}
"""Events that ask no model: answered without the queue."""
RUN = {
    **QUIET,
    "concurrency_id": "models",
    "concurrency_limit": None,
    "trigger_mode": "once",
}
"""Events that ask models: runs of all visitors share them by turns, see `session.limits`."""


def page_store() -> ContentStore:
    """The store of images that the server hands out to the page."""
    return ContentStore(Path(get_upload_folder()) / IMAGES)


def example_store() -> ContentStore:
    """The store of the images of worked examples, which are never swept."""
    return ContentStore(Path(get_upload_folder()) / EXAMPLES)


def html(name: str, value: str = "", *scripts: str, **kwargs: Any) -> gr.HTML:
    """A place for rendered HTML, styled by assets/*.css alone; scripts are named as there."""
    script = "\n".join((ASSETS / each).read_text(encoding="utf-8") for each in scripts) or None
    settings = {"js_on_load": script, "apply_default_css": False, **kwargs}
    return gr.HTML(value, elem_classes=f"part-{name}", **settings)


def more_button(said: str) -> str:
    """The button that says what the fields below it hold, and opens them, as HTML."""
    return f'<button type="button" aria-expanded="false">{safe(said)}</button>'


def keep_current(
    line: gr.HTML, said: Callable[..., str], fields: Sequence[Any], changing: Sequence[Any]
) -> None:
    """Keep a line of the page true to the fields that it speaks of.

    Where a link sets several at once, Gradio sends one request for each, some with the values of
    before, and an outdated answer may be the last to arrive. So each answer is followed by one more
    request.

    Args:
        said: the line, from the values of all fields.
        changing: the fields whose changes change it.
    """
    answered = gr.on([each.change for each in changing], said, fields, [line], **AT_ONCE)
    answered.then(said, fields, [line], **AT_ONCE)


def prompt_row(
    label: str, placeholder: str, verb: str, elem_id: str
) -> tuple[gr.Textbox, gr.Button, gr.Button]:
    """A field for a prompt, the button that starts the work and the one that stops it."""
    with gr.Row(elem_classes="ask"):
        prompt = gr.Textbox(
            label=label,
            show_label=False,
            placeholder=placeholder,
            lines=1,
            max_lines=4,
            scale=8,
            elem_id=elem_id,
            container=False,
        )
        start = gr.Button(verb, variant="primary", scale=1, min_width=110)
        stop = gr.Button("Stop", variant="stop", scale=1, min_width=80, interactive=False)
    return prompt, start, stop


def start_and_stop(verb: str, width: int, look: str = "") -> tuple[gr.Button, gr.Button]:
    start = gr.Button(verb, variant="primary", scale=0, min_width=width, elem_classes=look or None)
    stop = gr.Button("Stop", variant="stop", scale=0, min_width=80, interactive=False)
    return start, stop


def model_choice(
    offer: Offer, label: str = "text-to-image model", first: str | None = None
) -> gr.Dropdown:
    return _choice(offer, label, offer.models, first)


def bundle_choice(offer: Offer, label: str = "evaluators") -> gr.Dropdown:
    return _choice(offer, label, offer.bundles)


def _choice(
    offer: Offer, label: str, names: Sequence[str], first: str | None = None
) -> gr.Dropdown:
    """One of several names, with which of them take long, or are off, and why."""
    noted = {name: f"about {lasts} an image here" for name, lasts in offer.slow.items()}
    noted |= {name: f"off: {why}" for name, why in offer.off.items()}
    choices = [(f"{name} ({noted[name]})" if name in noted else name, name) for name in names]
    return gr.Dropdown(choices, value=first or names[0], label=label, min_width=130)


def as_offered(values: Changes, offered: Mapping[Any, Sequence[str]]) -> Changes:
    """What fields are to hold, but for those whose value is not offered."""
    return {field: to for field, to in values.items() if to in offered.get(field, (to,))}


def ranking_choice(methods: Sequence[str]) -> gr.Radio:
    return segments(
        [(METHODS[name], name) for name in methods],
        methods[0],
        label="rank by",
        scale=3,
    )


def size_choice(value: str, label: str = "grid") -> gr.Dropdown:
    """Rows and columns of a grid, which may be written freely."""
    return gr.Dropdown(SIZES, value=value, label=label, allow_custom_value=True, min_width=90)


def segments(choices: Sequence[tuple[str, str]], value: str, **settings: Any) -> gr.Radio:
    """One of a few choices, as a row of joined segments."""
    return gr.Radio(
        list(choices), value=value, **{"elem_classes": "segments", "min_width": 280, **settings}
    )


def enabled(on: bool) -> Any:
    return gr.update(interactive=on)


def set_initial(changes: Changes) -> None:
    """Set what components show when the page opens.

    A state begins with what a function returns: Gradio would write out a whole record, field by
    field, whenever a visitor's state changes.
    """
    for component, value in changes.items():
        settings = value if isinstance(value, dict) and "__type__" in value else None
        for name, setting in (settings or {"value": value}).items():
            state = name == "value" and isinstance(component, gr.State)
            setattr(component, name, partial(_same, setting) if state else setting)


def _same(value: T) -> T:
    return value


def viewer_fields() -> tuple[gr.Radio, gr.Slider, gr.Checkbox]:
    """The assumed viewer: viewing order, persistence, novelty."""
    with gr.Row(elem_classes="viewer"):
        orders = [(said, name) for name, said in ORDERS.items()]
        order = segments(orders, orders[0][1], label="viewing order", scale=3)
        persistence = gr.Slider(
            0.05,
            0.95,
            PERSISTENCE,
            step=0.05,
            label="persistence",
            info="the probability of looking at one more image",
            min_width=220,
            elem_classes="persistence",
        )
        novelty = gr.Checkbox(False, label="novelty: repeats count less", min_width=120)
    return order, persistence, novelty

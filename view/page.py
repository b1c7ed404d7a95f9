"""The choices a visitor has come in; the page goes out, laid out but not yet wired."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import gradio as gr

from view.summary import ORDERS
from view.words import METHODS

ASSETS = Path(__file__).resolve().parent.parent / "assets"
SIZES = ("1 x 1", "2 x 2", "2 x 3", "3 x 3", "2 x 4", "4 x 4", "5 x 5", "6 x 6")
ARRANGEMENTS = {"as generated": "generated", "reranked": "reranked"}
TITLE = "Which picture is right?"
LEAD = "One prompt, many pictures: each is questioned, ranked, and says why."


Changes = dict[Any, Any]
"""Component of the page -> its new value."""

QUIET = {"show_progress": "hidden", "api_visibility": "private"}
AT_ONCE = {**QUIET, "queue": False, "trigger_mode": "always_last"}
MODELS = {**QUIET, "concurrency_id": "models", "concurrency_limit": 1}


class Desk(Protocol):
    """What the events of the page do; each handler returns the components that change.

    `view` is how the visitor looks at a board: arrangement, viewing order, depth and novelty.
    """

    def generate(self, *request_and_view: Any) -> Iterator[Changes]:
        """Do what the fields ask for."""

    def stopped(self) -> Changes:
        """The work was cancelled."""

    def open(self, board: Any, cell: int) -> Changes:
        """A picture was chosen."""

    def rank(self, method: str, board: Any, selected: int | None, *view: Any) -> Changes:
        """Another ranking was chosen."""

    def draw(self, board: Any, selected: int | None, *view: Any) -> Changes:
        """The visitor looks in another way."""

    def warn(self, prompt: str, model: str, bundle: str) -> Changes:
        """The request changed."""

    def show(self, number: int, *view: Any) -> Changes:
        """A worked example was chosen."""


@dataclass(frozen=True)
class Choices:
    """What can be chosen, by name."""

    models: Sequence[str]
    bundles: Sequence[str]
    methods: Sequence[str]
    examples: Sequence[str]
    """The prompts that are already worked out."""


@dataclass(frozen=True)
class Page:
    """Every component that takes part in an event."""

    blocks: gr.Blocks
    prompt: gr.Textbox
    generate: gr.Button
    stop: gr.Button
    size: gr.Dropdown
    seed: gr.Number
    ranked_by: gr.Radio
    model: gr.Dropdown
    bundle: gr.Dropdown
    chips: tuple[gr.Button, ...]
    warning: gr.HTML
    arrangement: gr.Radio
    status: gr.HTML
    grid: gr.HTML
    panel: gr.HTML
    order: gr.Radio
    depth: gr.Slider
    novelty: gr.Checkbox
    summary: gr.HTML
    maps: gr.HTML
    board: gr.State
    """What the visitor looks at, a `Board`."""
    selected: gr.State
    """The cell whose reasons are shown."""

    @property
    def viewing(self) -> list[Any]:
        """The controls that say how a visitor looks at a board."""
        return [self.arrangement, self.order, self.depth, self.novelty]

    def wire(self, desk: Desk) -> None:
        """What happens on each event; only the models queue, all else answers at once."""
        asked = [self.prompt, self.size, self.seed, self.ranked_by, self.model, self.bundle]
        view = self.viewing
        held = [self.board, self.selected]
        drawn = [*held, self.grid, self.panel, self.summary, self.maps]
        told = [self.status, self.warning, self.stop]

        work = [
            start(desk.generate, [*asked, *view], [*told, *drawn], **MODELS)
            for start in (self.generate.click, self.prompt.submit)
        ]
        cancelled = self.stop.click(None, cancels=work, **AT_ONCE)
        cancelled.then(desk.stopped, None, told, **QUIET)  # queued: after all the work has said
        self.on_choice(desk.open, held[:1], [self.selected, self.panel], **AT_ONCE)
        self.ranked_by.input(desk.rank, [self.ranked_by, *held, *view], drawn, **AT_ONCE)
        for control in view:
            control.input(desk.draw, [*held, *view], drawn, **AT_ONCE)
        for words in (self.prompt.change, self.model.input, self.bundle.input):
            words(desk.warn, [self.prompt, self.model, self.bundle], [self.warning], **AT_ONCE)
        for number, chip in enumerate(self.chips):
            chip.click(partial(desk.show, number), view, [*asked, self.status, *drawn], **AT_ONCE)

    def on_choice(self, answer: Callable[[Any, int], Any], *wiring: Any, **settings: Any) -> None:
        """Call `answer` with the inputs and the number of the cell that a visitor chose."""

        def chosen(board: Any, event: gr.SelectData) -> Any:
            return answer(board, int(event.index))

        self.grid.select(chosen, *wiring, **settings)


def lay_out(choices: Choices) -> Page:
    """Build the page; nothing happens on it until its events are wired."""
    with gr.Blocks(title=TITLE, fill_width=True, delete_cache=(3600, 86400)) as blocks:
        with gr.Row(elem_id="head"):
            html("title", f"<h1>{TITLE}</h1><p>{LEAD}</p>")
            gr.Checkbox(False, label="large type", elem_id="large", container=False, min_width=0)
        with gr.Tab("Playground"):
            parts = {**_request(choices), **_table(), **_gains()}
        with gr.Tab("About"):
            gr.Markdown((ASSETS / "about.md").read_text(encoding="utf-8"), elem_id="about")
        states = {"board": gr.State(None), "selected": gr.State(None)}
    return Page(blocks=blocks, **parts, **states)


def look() -> dict[str, Any]:
    """Theme and style, as `launch` takes them; system fonts only."""
    fonts = ["system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "sans-serif"]
    mono = ["ui-monospace", "SFMono-Regular", "Menlo", "DejaVu Sans Mono", "monospace"]
    theme = gr.themes.Base(
        primary_hue=gr.themes.colors.blue,
        neutral_hue=gr.themes.colors.stone,
        radius_size=gr.themes.sizes.radius_sm,
        font=fonts,
        font_mono=mono,
    )
    return {"theme": theme, "css_paths": ASSETS / "style.css", "footer_links": []}


def html(name: str, value: str = "", **kwargs: Any) -> gr.HTML:
    """A place for what `view` renders, styled by assets/style.css alone."""
    return gr.HTML(value, elem_id=name, apply_default_css=False, **{"js_on_load": None, **kwargs})


def _request(choices: Choices) -> dict[str, Any]:
    """What is asked for."""
    with gr.Row(elem_id="ask"):
        prompt = gr.Textbox(
            label="Prompt",
            show_label=False,
            placeholder="a black apple and a green backpack",
            lines=1,
            max_lines=4,
            scale=8,
            elem_id="prompt",
            container=False,
        )
        generate = gr.Button("Generate", variant="primary", scale=1, min_width=110)
        stop = gr.Button("Stop", variant="stop", scale=1, min_width=80, interactive=False)
    chips = _chips(choices.examples)
    warning = html("warning")
    with gr.Row(elem_id="settings"):
        ranked_by = gr.Radio(
            [(METHODS[name], name) for name in choices.methods],
            value="vq2",
            label="rank by",
            elem_classes="segments",
            scale=3,
            min_width=280,
        )
        size = gr.Dropdown(
            SIZES, value="3 x 3", label="grid", allow_custom_value=True, min_width=90
        )
        seed = gr.Number(7, label="seed", precision=0, min_width=90)
        model = _named(choices.models, "painter")
        bundle = _named(choices.bundles, "judges")
    status = html("status")
    return {
        "prompt": prompt,
        "generate": generate,
        "stop": stop,
        "chips": chips,
        "warning": warning,
        "ranked_by": ranked_by,
        "size": size,
        "seed": seed,
        "model": model,
        "bundle": bundle,
        "status": status,
    }


def _chips(examples: Sequence[str]) -> tuple[gr.Button, ...]:
    with gr.Row(elem_id="chips", visible=bool(examples)):
        html("try", "worked out already:", min_width=0)
        return tuple(gr.Button(prompt, size="sm", elem_classes="chip") for prompt in examples)


def _named(names: Sequence[str], label: str) -> gr.Dropdown:
    return gr.Dropdown(list(names), value=names[0], label=label, min_width=130)


def _table() -> dict[str, Any]:
    """The light table: the grid, and why."""
    with gr.Row(elem_id="work"):
        with gr.Column(scale=1, min_width=320, elem_id="pictures"):
            arrangement = gr.Radio(
                list(ARRANGEMENTS.items()),
                value="reranked",
                label="arrangement",
                show_label=False,
                container=False,
                elem_classes="segments",
                elem_id="arrangement",
            )
            script = (ASSETS / "gallery.js").read_text(encoding="utf-8")
            grid = html("grid", js_on_load=script)
        with gr.Column(scale=1, min_width=320, elem_id="reasons"):
            panel = html("panel")
    return {"arrangement": arrangement, "grid": grid, "panel": panel}


def _gains() -> dict[str, Any]:
    """What a viewer gets from the grid."""
    with gr.Row(elem_id="gains"):
        with gr.Column(scale=1, min_width=320):
            html("gains-title", "<h2>What a viewer gets from this grid</h2>")
            summary = html("summary")
            with gr.Row(elem_id="viewer"):
                order = gr.Radio(
                    [(said, name) for name, said in ORDERS.items()],
                    value="positional",
                    label="the viewer looks",
                    elem_classes="segments",
                    scale=3,
                    min_width=280,
                )
                depth = gr.Slider(
                    0.05,
                    0.95,
                    0.8,
                    step=0.05,
                    label="chance to look at one more picture",
                    scale=2,
                    min_width=220,
                )
                novelty = gr.Checkbox(False, label="repeats count less", min_width=120)
        with gr.Column(scale=1, min_width=320):
            maps = html("maps")
    return {"summary": summary, "order": order, "depth": depth, "novelty": novelty, "maps": maps}

"""How pictures are compared: the grid, the reasons and what a viewer gets, laid out and wired.

A tab that has pictures has a light table; what fills it is the tab's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import gradio as gr

from ui.render.summary import ORDERS
from ui.render.words import ARRANGEMENTS, METHODS

ASSETS = Path(__file__).resolve().parent.parent / "assets"

Changes = dict[Any, Any]
"""Component of the page -> its new value."""

QUIET = {"show_progress": "hidden", "api_visibility": "private"}
AT_ONCE = {**QUIET, "queue": False, "trigger_mode": "always_last"}
ONE_AT_A_TIME = {
    **QUIET,
    "concurrency_id": "models",
    "concurrency_limit": 1,
    "trigger_mode": "always_last",  # who asks again meanwhile is answered next
}


class GridPanelEvents(Protocol):
    """What the events of a light table do; each handler returns the components that change.

    `view` is how the visitor looks at a board: arrangement, viewing order, depth and novelty.
    """

    def open(self, state: Any, cell: int) -> Changes:
        """A picture was chosen."""

    def rank(self, method: str, state: Any, selected: int | None, *view: Any) -> Changes:
        """Another ranking was chosen, or the work is over and the choice is looked at again."""

    def draw(self, state: Any, selected: int | None, *view: Any) -> Changes:
        """The visitor looks in another way."""

    def contradict(self, state: Any, selected: int | None, *view: Any) -> Iterator[Changes]:
        """Hold the best picture against what contradicts its prompt."""

    def stopped(self, state: Any, selected: int | None, *view: Any) -> Changes:
        """The work was cancelled."""


class Work(NamedTuple):
    """Something that takes models and time."""

    event: Callable[..., Any]
    """What starts it, e.g. `button.click`."""
    does: Callable[..., Iterator[Changes]]
    inputs: Sequence[Any]


@dataclass(frozen=True)
class GridPanel:
    """Every component that takes part in an event."""

    ranked_by: gr.Radio
    stop: gr.Button
    warning: gr.HTML
    status: gr.HTML
    arrangement: gr.Radio
    grid: gr.HTML
    panel: gr.HTML
    again: gr.Button
    contradict: gr.Button
    contradictions: gr.HTML
    order: gr.Radio
    depth: gr.Slider
    novelty: gr.Checkbox
    summary: gr.HTML
    maps: gr.HTML
    export: gr.DownloadButton
    state: gr.State
    """What the visitor looks at, a `GridState`."""
    selected: gr.State
    """The cell whose reasons are shown."""

    @property
    def view(self) -> list[Any]:
        """The controls that say how a visitor looks at a board."""
        return [self.arrangement, self.order, self.depth, self.novelty]

    @property
    def shown(self) -> list[Any]:
        """What is on the table, and how it is looked at."""
        return [self.state, self.selected, *self.view]

    @property
    def drawn(self) -> list[Any]:
        """All that changes with what is shown."""
        parts = [self.grid, self.panel, self.again, self.contradict, self.contradictions]
        parts += [self.summary, self.maps, self.export]
        return [self.state, self.selected, self.status, *parts]

    def start_with(self, changes: Changes) -> None:
        """What is there when the page opens."""
        for component, value in changes.items():
            settings = value if isinstance(value, dict) and "__type__" in value else None
            for name, setting in (settings or {"value": value}).items():
                setattr(component, name, setting)

    def wire(self, handlers: GridPanelEvents, works: Sequence[Work]) -> list[Any]:
        """What happens on each event; only the models queue, all else answers at once.

        Returns:
            The works, for other events to cancel.
        """
        changed = [self.stop, self.warning]
        started = [
            work.event(work.does, work.inputs, [*changed, *self.drawn], **ONE_AT_A_TIME)
            for work in (*works, Work(self.contradict.click, handlers.contradict, self.shown))
        ]
        for each in started:  # the visitor may have chosen otherwise while it ran
            each.then(handlers.rank, [self.ranked_by, *self.shown], self.drawn, **QUIET)
        instead(self.stop.click, started, handlers.stopped, self.shown, [*changed, *self.drawn])
        self._on_choice(handlers.open)
        self.ranked_by.input(handlers.rank, [self.ranked_by, *self.shown], self.drawn, **AT_ONCE)
        # One event for all of them, so that the last answer is that to the last change.
        looks = [control.input for control in self.view]
        gr.on(looks, handlers.draw, self.shown, self.drawn, **AT_ONCE)
        return started

    def _on_choice(self, opened: Callable[[Any, int], Any]) -> None:
        """Call it with the board and the number of the cell that a visitor chose."""

        def chosen(state: Any, event: gr.SelectData) -> Any:
            return opened(state, int(event.index))

        opens = [self.selected, self.panel, self.again]
        self.grid.select(chosen, [self.state], opens, **AT_ONCE)


def instead(
    event: Callable[..., Any],
    works: Sequence[Any],
    does: Callable[..., Any],
    inputs: Sequence[Any] | None,
    outputs: Sequence[Any],
) -> None:
    """Cancel the works on an event, and answer it once all that they have said is there."""
    cancelled = event(None, cancels=works, **AT_ONCE)
    cancelled.then(does, inputs, outputs, **QUIET)  # queued, behind the works


def lay_out(**given: Any) -> GridPanel:
    """The table under what the tab asks with.

    Args:
        given: the components that a tab has already laid out: `ranked_by`, `stop`, `warning`.
    """
    status = html("status")
    with gr.Column(elem_classes="light-table"):
        parts = {**_pictures_and_reasons(), **_gains()}
    states = {"state": gr.State(None), "selected": gr.State(None)}
    return GridPanel(status=status, **given, **parts, **states)


def html(name: str, value: str = "", **kwargs: Any) -> gr.HTML:
    """A place for what `view` renders, styled by assets/style.css alone."""
    settings = {"js_on_load": None, "apply_default_css": False, **kwargs}
    return gr.HTML(value, elem_classes=f"part-{name}", **settings)


def ranking_choice(methods: Sequence[str]) -> gr.Radio:
    """What the pictures are ranked by."""
    return gr.Radio(
        [(METHODS[name], name) for name in methods],
        value=methods[0],
        label="rank by",
        elem_classes="segments",
        scale=3,
        min_width=280,
    )


def _pictures_and_reasons() -> dict[str, Any]:
    with gr.Row(elem_classes="work"):
        with gr.Column(scale=1, min_width=320, elem_classes="pictures"):
            arrangement = gr.Radio(
                [(said, name) for name, said in ARRANGEMENTS.items()],
                value="reranked",
                label="arrangement",
                show_label=False,
                container=False,
                elem_classes=["segments", "arrangement"],
            )
            script = (ASSETS / "gallery.js").read_text(encoding="utf-8")
            grid = html("grid", js_on_load=script)
        with gr.Column(scale=1, min_width=320, elem_classes="reasons"):
            panel = html("panel")
            with gr.Row(elem_classes="next"):
                again = gr.Button("Make again", size="sm", elem_classes="again", visible=False)
                contradict = gr.Button(
                    "Would the score notice?", size="sm", elem_classes="again", visible=False
                )
            contradictions = html("contradictions")
    parts = {"arrangement": arrangement, "grid": grid, "panel": panel, "again": again}
    return {**parts, "contradict": contradict, "contradictions": contradictions}


def _gains() -> dict[str, Any]:
    """What a viewer gets from the grid."""
    with gr.Row(elem_classes="viewing"):
        with gr.Column(scale=1, min_width=320):
            html("gains-title", "<h2>What a viewer gets from this grid</h2>")
            summary = html("summary")
            controls = _viewer()
        with gr.Column(scale=1, min_width=320):
            maps = html("maps")
            export = gr.DownloadButton(
                "Download report.json", size="sm", elem_classes="export", interactive=False
            )
    return {"summary": summary, **controls, "maps": maps, "export": export}


def _viewer() -> dict[str, Any]:
    """Who looks: in which order, how deep, how tired of repeats."""
    with gr.Row(elem_classes="viewer"):
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
            label="depth of look",
            info="the chance to look at one more picture",
            min_width=220,
            elem_classes="depth",
        )
        novelty = gr.Checkbox(False, label="repeats count less", min_width=120)
        gr.Checkbox(False, label="show this order on the grid", min_width=150, elem_classes="way")
    return {"order": order, "depth": depth, "novelty": novelty}

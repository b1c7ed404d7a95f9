"""A search on the page: from the grid on show to an image that shows everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import gradio as gr

from alignment.judgements import METHOD, judgements
from session.jobs import regenerate
from session.search_jobs import find
from session.state import GridState
from ui.components import ASSETS, Changes, html
from ui.render import status
from ui.render.gallery import gallery
from ui.render.search import attempts
from ui.render.words import counted

if TYPE_CHECKING:
    from ui.grid_panel import GridPanel

Event = tuple[Callable[..., Any], Callable[..., Iterator[Changes]], Sequence[Any]]
"""What starts a job, its handler and its inputs."""


def lay_out() -> tuple[gr.Button, gr.HTML]:
    """The button that begins a search, not yet placed, and where its attempts are shown."""
    begin = gr.Button(
        "Find one that is right", size="sm", elem_classes="again", visible=False, render=False
    )
    return begin, html("search", js_on_load=(ASSETS / "search.js").read_text("utf-8"))


def findable(state: GridState) -> bool:
    """Whether no image of a grid that was generated here shows everything."""
    possible = state.report and state.request.model and state.request.bundle and not state.opened
    return bool(possible) and True not in judgements(state.report)  # type: ignore[arg-type]


def repairable(state: GridState, cell: int | None) -> bool:
    """Whether something fails in an image that was generated here."""
    possible = state.report and state.request.model and state.request.bundle and not state.opened
    score = None if cell is None or not possible else state.score(cell, METHOD)
    return bool(score and score.failing)


def events(panel: GridPanel) -> tuple[Event, ...]:
    """What begins a search, and what puts one of its images in the grid."""
    steps = panel.next

    def join(event: gr.EventData, state: GridState, *_: Any) -> Iterator[Changes]:
        yield from _join(panel, state, event._data.get("index"))

    return (
        (steps.find.click, partial(_search, panel, repair=False), panel.shown),
        (steps.repair.click, partial(_search, panel, repair=True), panel.shown),
        (steps.attempts.join, join, panel.shown),
    )


def _search(
    panel: GridPanel, state: GridState | None, selected: int | None, *view: Any, repair: bool
) -> Iterator[Changes]:
    """Look for an image that shows everything; or repair the one that is open."""
    if state is None or not (repairable(state, selected) if repair else findable(state)):
        return

    def grow(growing: GridState) -> Changes:
        hidden = gr.update(visible=False)
        drawn = attempts(growing, running=True)
        return {panel.state: growing, panel.next.attempts: drawn} | dict.fromkeys(
            (panel.next.find, panel.next.repair), hidden
        )

    yield from panel.run(
        lambda store, turn: find(state, selected if repair else None, store, turn),
        grow,
        lambda done: counted(len(done.search.tried) if done.search else 0, "attempt"),
    )


def _join(panel: GridPanel, state: GridState | None, number: object) -> Iterator[Changes]:
    """Put an attempt in the place of the image that it repairs, or of the last one."""
    search = state.search if state else None
    if state is None or state.report is None or search is None:
        return
    if not isinstance(number, int) or number not in range(len(search.tried)):
        return
    attempt, weakest = search.tried[number], state.worst or 0
    cell = weakest if search.cell is None else search.cell
    if not attempt.of_a_seed:
        return

    def grow(growing: GridState) -> Changes:
        done = {} if growing.images.previews else {panel.state: growing, panel.selected: cell}
        return {panel.grid: gallery(growing), **done}

    job = partial(regenerate, state, state.report, cell, seed=attempt.plan.seed)
    yield from panel.run(
        lambda store, turn: job(store=store, turn=turn),
        grow,
        lambda done: status.regenerated(done, cell),
    )

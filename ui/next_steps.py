"""The buttons for what can be done next with the grid on show, each where it can be done."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import gradio as gr

from alignment.answers import AnswerTable
from alignment.judgements import METHOD, satisfied
from alignment.region import shown_instead
from session.jobs import adopt, find_faults
from session.search_jobs import find
from session.state import GridState
from ui.components import Changes, html
from ui.render.evidence import evidence, replaced
from ui.render.gallery import gallery
from ui.render.search import attempts
from ui.render.vocabulary import unknown_words
from ui.render.words import counted, image_name
from ui.run_controls import Job

if TYPE_CHECKING:
    from ui.grid_panel import GridPanel


SMALL = {"size": "sm", "elem_classes": ["again", "begins"], "visible": False}
"""The style sheet hides them while a run is under way: two at once would lose one's result."""


def made_here(state: GridState) -> bool:
    """Whether more images like those of a finished grid can be made and scored here."""
    request = state.request
    return bool(state.report and request.model and request.bundle and not state.opened)


def findable(state: GridState) -> bool:
    """Whether no image of a grid that was generated here shows all that can be judged, and none
    lacks a thing for want of its word.
    """
    if not made_here(state) or True in satisfied(state.report):  # type: ignore[arg-type]
        return False
    table = state.answers()
    return any(table.rows) and not lacks_word(state, table)


def repairable(state: GridState, cell: int | None) -> bool:
    """Whether something fails in an image that is made here."""
    if cell is None or not made_here(state):
        return False
    score = state.score(cell, METHOD)
    return bool(score and score.failing) and not lacks_word(state, state.answers([cell]))


def lacks_word(state: GridState, table: AnswerTable) -> bool:
    """Whether no image of a table shows something that its model has no word for."""
    asked = (index for index, row in enumerate(table.rows) if row)
    lost = set.intersection(*({*table.failing(index)} for index in asked))
    words = " ".join(table.claims[each].span.text for each in sorted(lost))
    return bool(unknown_words(words, "", state.request.model))


def locatable(state: GridState, cell: int | None) -> bool:
    """Whether an image shows something in which it fails, and not all of it was looked for yet."""
    if cell is None or not state.report or not state.request.bundle or state.opened:
        return False
    table, file = state.answers([cell]), state.file(cell)
    failing = table.failing(0)
    shown = any(shown_instead(table, 0, claim) for claim in failing)
    return shown and file is not None and len(state.regions.get(file, ())) < len(failing)


def events(panel: GridPanel) -> tuple[Job, ...]:
    """What looks for faults, what begins a search, and what puts one of its images in the grid."""
    steps = panel.next

    def join(event: gr.EventData, state: GridState, *_: Any) -> Iterator[Changes]:
        yield from _join(panel, state, event._data.get("index"))

    return (
        Job(steps.where.click, partial(_find_faults, panel), panel.shown),
        Job(steps.find.click, partial(_search, panel, repair=False), panel.shown),
        Job(steps.repair.click, partial(_search, panel, repair=True), panel.shown),
        Job(steps.attempts.join, join, panel.shown),
    )


def _find_faults(
    panel: GridPanel, state: GridState | None, selected: int | None, *view: Any
) -> Iterator[Changes]:
    if state is None or selected is None or not locatable(state, selected):
        return
    yield from panel.run(
        lambda _, turn: find_faults(state, selected, turn),
        lambda growing: {panel.state: growing, panel.reasons: evidence(growing, selected)},
        lambda _: "searched for faults",
    )


def _search(
    panel: GridPanel, state: GridState | None, selected: int | None, *view: Any, repair: bool
) -> Iterator[Changes]:
    """Look for an image that shows everything; or repair the one that is open."""
    if state is None or not (repairable(state, selected) if repair else findable(state)):
        return

    def grow(growing: GridState) -> Changes:
        return {panel.state: growing, panel.next.attempts: attempts(growing, running=True)}

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
    if not search.tried[number].usable:
        return

    def grow(growing: GridState) -> Changes:
        new = growing.replaced
        done = {panel.state: growing, panel.selected: new.cell} if new else {}
        return {panel.grid: gallery(growing), **done}

    job = partial(adopt, state, state.report, search, number)
    yield from panel.run(
        lambda _, turn: job(turn=turn),
        grow,
        lambda done: image_name(done, done.replaced.cell) if done.replaced else "",
    )


class NextSteps:
    """The buttons, each out of sight until it can be used, and what belongs to them."""

    def __init__(self) -> None:
        """Build what stands first: the button that starts a search.

        The attempts and the button `contradict` are still to be placed.
        """
        self.find = gr.Button("Find one that is right", **SMALL)
        self.attempts = html("search", "", "search.js", render=False)
        self.contradict = gr.Button("Contrast check", **SMALL, render=False)

    def lay_out(self) -> None:
        """Build the buttons below the reasons, and the image beside the one that it replaced."""
        with gr.Row(elem_classes="next"):
            self.where = gr.Button("Where?", **SMALL)
            self.again = gr.Button("Make again", **SMALL)
            self.repair = gr.Button("Repair", **SMALL)
            self.resume = gr.Button("Continue", **SMALL)
            self.score = gr.Button("Score the finished images", **SMALL)
            self.undo = gr.Button("Take it back", **SMALL)
        self.replaced = html("replaced")

    @property
    def _buttons(self) -> tuple[gr.Button, ...]:
        """Those that begin something."""
        image = (self.where, self.again, self.repair)
        return (*image, self.contradict, self.resume, self.score, self.find)

    @property
    def drawn(self) -> list[Any]:
        return [*self._buttons, self.undo, self.replaced, self.attempts]

    def offered(self, state: GridState, opened: int | None, shown: int | None) -> Changes:
        """What can be done with a grid that no job works on, and with the image on show.

        That is made again only where a visitor opened it: the first screen is short.
        """
        best = state.file(state.ranked[0]) if state.ranked else None
        return {
            **self.of_image(state, shown),
            **({} if opened == shown else {self.again: gr.update(visible=False)}),
            self.contradict: gr.update(visible=bool(best and state.request.bundle)),
            self.find: gr.update(visible=findable(state)),
            self.attempts: attempts(state),
            **self._of_stopped(state),
            **self._of_replaced(state),
        }

    def none(self, state: GridState) -> Changes:
        """What can be done with a grid that has no image yet: nothing of it."""
        hidden = gr.update(visible=False)
        return {
            **dict.fromkeys(self._buttons, hidden),
            self.attempts: "",
            **self._of_replaced(state),
        }

    def of_image(self, state: GridState, selected: int | None) -> Changes:
        """What can be done with the selected image; nothing without."""
        made = selected is not None and bool(state.report) and bool(state.file(selected))
        possible = made and bool(state.request.model and state.request.bundle)
        return {
            self.again: gr.update(visible=possible),
            self.repair: gr.update(visible=possible and repairable(state, selected)),
            self.where: gr.update(visible=locatable(state, selected)),
        }

    def _of_stopped(self, state: GridState) -> Changes:
        """What can be done with a job that was stopped, and with one whose images were scored."""
        made = bool(state.request.model) and not state.opened
        cells = [each for each in state.missing if not (state.report and state.file(each))]
        missing = len(cells) if made else 0
        rest = f"Continue: generate {counted(missing, 'more image')}, then score"
        return {
            self.resume: gr.update(value=rest, visible=missing > 0),
            self.score: gr.update(visible=made and not state.report and missing < state.size),
        }

    def _of_replaced(self, state: GridState) -> Changes:
        """An image that was generated again, beside the old one, and the way back."""
        last = state.replaced
        said = f"Take {image_name(last.before, last.cell)} back" if last else ""
        return {
            self.undo: gr.update(value=said, visible=last is not None),
            self.replaced: replaced(state),
        }

"""What happens on a light table comes in; what changes on it goes out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import alignment
from session.attention import attention, spotlit
from session.errors import user_message
from session.jobs import check_contrast
from session.state import GridState, address
from session.storage import export, pictures, store
from session.viewer_utility import Arrangement, View, ViewerUtility, as_released, gains, reported
from session.wording import counted
from ui.render import status
from ui.render.contrast_check import notice
from ui.render.evidence import evidence, questions
from ui.render.figures import Place, maps
from ui.render.gallery import gallery
from ui.render.summary import compatible, summary

if TYPE_CHECKING:
    from ui.grid_panel import Changes, GridPanel

NO_TARGETS = "these pictures were judged without targets; add target pictures, and judge again"


@dataclass(frozen=True)
class GridPanelHandlers:
    """What the events of a light table do, as `ui.grid_panel.GridPanelEvents` says."""

    table: GridPanel

    def work(
        self,
        states: Callable[[], Iterator[GridState]],
        grow: Callable[[GridState], Changes],
        what: Callable[[GridState], str],
    ) -> Iterator[Changes]:
        """Do what takes time; a mistake or a failure leaves what is shown alone.

        Args:
            boards: starts the work; each board knows more.
            grow: what changes as a board grows.
            what: was done, in words.
        """
        table, start = self.table, time.perf_counter()
        end = status.note("done")
        try:
            for state in states():
                seconds = time.perf_counter() - start
                running = {table.stop: usable(True), table.status: status.progress(state, seconds)}
                yield running | grow(state)
            end = status.note(f"{what(state)} in {seconds:.1f} s")
        except Exception as error:
            end = status.mistake(user_message(error))
        yield {table.stop: usable(False), table.status: end}

    def grow(self, state: GridState) -> Changes:
        """What changes as a new board grows; `rank` draws the rest once the work is over."""
        table = self.table
        if not state.pictures:
            return {}
        changes = {table.state: state, table.grid: gallery(state)}
        if state.report:
            changes |= {table.selected: state.worst}
        elif not any(state.pictures) or (state.names and not state.scores):
            blank = {table.summary: "", table.maps: "", table.again: self.offer(state, None)}
            blank |= {table.contradict: self.question(state), table.contradictions: ""}
            changes |= {table.selected: None, table.panel: questions(state), **blank}
        if state.unread:
            changes[table.warning] = status.warning(status.about_unread(state.unread))
        return changes

    def draw(self, state: GridState | None, selected: int | None, *view: Any) -> Changes:
        """The whole board anew, as the visitor looks at it now."""
        table = self.table
        if state is None:
            return {table.state: None}
        return {
            table.state: state,
            table.selected: selected,
            table.panel: questions(state) if selected is None else evidence(state, selected),
            table.again: self.offer(state, selected),
            table.contradict: self.question(state),
            table.contradictions: notice(state),
            **self.look(state, selected, View(*view)),
        }

    def look(self, state: GridState, selected: int | None, view: View) -> Changes:
        """The grid and what a viewer gets from it."""
        table = self.table
        report = state.report
        if not report or not report.saliency:
            grid = gallery(state, state.arranged("generated"), selected)
            return {table.grid: grid, table.summary: "", table.maps: "", table.export: nothing()}
        found = gains(report, view, partial(attention, state))
        shown = found.arrangements[view.arrangement]
        lit = address(store(spotlit(state, shown.cells), "jpeg"))
        drawn = maps(state, places(shown, found), lit)
        if found.scores:
            released = as_released(report, shown)
            drawn += compatible(released.mean, released.standard_error, released.samples)
        return {
            table.grid: gallery(state, shown.cells, selected, found.steps),
            table.summary: summary(found.scores, view.order, found.seen, found.diversity),
            table.maps: drawn,
            table.export: downloadable(export(state, reported(report, view, found))),
        }

    def rank(
        self, method: str, state: GridState | None, selected: int | None, *view: Any
    ) -> Changes:
        """The same pictures, ranked as the visitor wants it now; no model is asked."""
        if state is None or state.report is None:
            return {self.table.state: state}
        if method not in state.report.rankings:
            return {self.table.status: status.mistake(NO_TARGETS)}
        if method != state.ranked_by:
            report = alignment.rerank(state.report, method, pictures(state))
            state = replace(state, ranked_by=method, report=report)
        return self.draw(state, selected, *view)

    def open(self, state: GridState | None, cell: int) -> Changes:
        """The reasons of the picture that was chosen."""
        table = self.table
        if state is None or cell not in range(state.size):
            return {table.selected: None}
        again = {table.again: self.offer(state, cell)}
        return {table.selected: cell, table.panel: evidence(state, cell), **again}

    def contradict(self, state: GridState, selected: int | None, *view: Any) -> Iterator[Changes]:
        """Hold the best picture against what contradicts its prompt, one text after the other."""
        if not state.report:
            return
        table, work = self.table, partial(check_contrast, state, state.report)
        yield from self.work(
            work,
            lambda growing: {table.state: growing, table.contradictions: notice(growing)},
            lambda done: counted(done.total, "contradiction"),
        )

    def stopped(self, state: GridState | None, selected: int | None, *view: Any) -> Changes:
        """The work is cancelled; what is there stays."""
        note = status.note("stopped; what was done stays")
        over = {self.table.stop: usable(False), self.table.status: note}
        return {**self.draw(state, selected, *view), **over}

    def offer(self, state: GridState, selected: int | None) -> Any:
        """The button that makes the selected picture again, where that can be done."""
        import gradio as gr

        possible = selected is not None and state.report is not None and bool(state.model)
        said = f"Make this picture again, with seed {state.next_seed}" if possible else ""
        return gr.update(value=said, visible=possible)

    def question(self, state: GridState) -> Any:
        """The button that asks whether the score would notice, where there is a best picture."""
        import gradio as gr

        return gr.update(visible=bool(state.ranked))


def places(shown: Arrangement, found: ViewerUtility) -> tuple[Place, ...]:
    """Each place of the arrangement shown; places without a picture come last and are left out."""
    known = zip(shown.cells, shown.attention, found.shares, found.losses, strict=False)
    return tuple(Place(*each) for each in known)


def all_pictures(state: GridState) -> str:
    """What was done when all of it is new."""
    return counted(state.size, "picture")


def usable(on: bool) -> Any:
    """A button that can be pressed, or cannot."""
    import gradio as gr

    return gr.update(interactive=on)


def downloadable(file: str) -> Any:
    """A download button with its file."""
    import gradio as gr

    return gr.update(value=file, interactive=True)


def nothing() -> Any:
    """A download button without one."""
    import gradio as gr

    return gr.update(value=None, interactive=False)

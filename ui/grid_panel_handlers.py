"""What happens on a light table comes in; what changes on it goes out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import alignment
from session.attention import attention, spotlit
from session.errors import told
from session.jobs import hold_against_contradictions
from session.state import Board, address
from session.storage import export, pictures, store
from session.viewer_utility import Arrangement, Gains, View, as_released, gains, reported
from session.wording import counted
from ui.render import status
from ui.render.contrast_check import notice
from ui.render.evidence import evidence, questions
from ui.render.figures import Place, maps
from ui.render.gallery import gallery
from ui.render.summary import compatible, summary

if TYPE_CHECKING:
    from ui.grid_panel import Changes, LightTable

NO_TARGETS = "these pictures were judged without targets; add target pictures, and judge again"


@dataclass(frozen=True)
class LightTableDesk:
    """What the events of a light table do, as `ui.grid_panel.TableDesk` says."""

    table: LightTable

    def work(
        self,
        boards: Callable[[], Iterator[Board]],
        grow: Callable[[Board], Changes],
        what: Callable[[Board], str],
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
            for board in boards():
                seconds = time.perf_counter() - start
                running = {table.stop: usable(True), table.status: status.progress(board, seconds)}
                yield running | grow(board)
            end = status.note(f"{what(board)} in {seconds:.1f} s")
        except Exception as error:
            end = status.mistake(told(error))
        yield {table.stop: usable(False), table.status: end}

    def grow(self, board: Board) -> Changes:
        """What changes as a new board grows; `rank` draws the rest once the work is over."""
        table = self.table
        if not board.pictures:
            return {}
        changes = {table.board: board, table.grid: gallery(board)}
        if board.report:
            changes |= {table.selected: board.worst}
        elif not any(board.pictures) or (board.names and not board.scores):
            blank = {table.summary: "", table.maps: "", table.again: self.offer(board, None)}
            blank |= {table.contradict: self.question(board), table.contradictions: ""}
            changes |= {table.selected: None, table.panel: questions(board), **blank}
        if board.unread:
            changes[table.warning] = status.warning(status.about_unread(board.unread))
        return changes

    def draw(self, board: Board | None, selected: int | None, *view: Any) -> Changes:
        """The whole board anew, as the visitor looks at it now."""
        table = self.table
        if board is None:
            return {table.board: None}
        return {
            table.board: board,
            table.selected: selected,
            table.panel: questions(board) if selected is None else evidence(board, selected),
            table.again: self.offer(board, selected),
            table.contradict: self.question(board),
            table.contradictions: notice(board),
            **self.look(board, selected, View(*view)),
        }

    def look(self, board: Board, selected: int | None, view: View) -> Changes:
        """The grid and what a viewer gets from it."""
        table = self.table
        report = board.report
        if not report or not report.saliency:
            grid = gallery(board, board.arranged("generated"), selected)
            return {table.grid: grid, table.summary: "", table.maps: "", table.export: nothing()}
        found = gains(report, view, partial(attention, board))
        shown = found.arrangements[view.arrangement]
        lit = address(store(spotlit(board, shown.cells), "jpeg"))
        drawn = maps(board, places(shown, found), lit)
        if found.scores:
            released = as_released(report, shown)
            drawn += compatible(released.mean, released.standard_error, released.samples)
        return {
            table.grid: gallery(board, shown.cells, selected, found.steps),
            table.summary: summary(found.scores, view.order, found.seen, found.diversity),
            table.maps: drawn,
            table.export: downloadable(export(board, reported(report, view, found))),
        }

    def rank(self, method: str, board: Board | None, selected: int | None, *view: Any) -> Changes:
        """The same pictures, ranked as the visitor wants it now; no model is asked."""
        if board is None or board.report is None:
            return {self.table.board: board}
        if method not in board.report.rankings:
            return {self.table.status: status.mistake(NO_TARGETS)}
        if method != board.ranked_by:
            report = alignment.rerank(board.report, method, pictures(board))
            board = replace(board, ranked_by=method, report=report)
        return self.draw(board, selected, *view)

    def open(self, board: Board | None, cell: int) -> Changes:
        """The reasons of the picture that was chosen."""
        table = self.table
        if board is None or cell not in range(board.size):
            return {table.selected: None}
        again = {table.again: self.offer(board, cell)}
        return {table.selected: cell, table.panel: evidence(board, cell), **again}

    def contradict(self, board: Board, selected: int | None, *view: Any) -> Iterator[Changes]:
        """Hold the best picture against what contradicts its prompt, one text after the other."""
        if not board.report:
            return
        table, work = self.table, partial(hold_against_contradictions, board, board.report)
        yield from self.work(
            work,
            lambda growing: {table.board: growing, table.contradictions: notice(growing)},
            lambda done: counted(done.total, "contradiction"),
        )

    def stopped(self, board: Board | None, selected: int | None, *view: Any) -> Changes:
        """The work is cancelled; what is there stays."""
        told = status.note("stopped; what was done stays")
        over = {self.table.stop: usable(False), self.table.status: told}
        return {**self.draw(board, selected, *view), **over}

    def offer(self, board: Board, selected: int | None) -> Any:
        """The button that makes the selected picture again, where that can be done."""
        import gradio as gr

        possible = selected is not None and board.report is not None and bool(board.model)
        said = f"Make this picture again, with seed {board.next_seed}" if possible else ""
        return gr.update(value=said, visible=possible)

    def question(self, board: Board) -> Any:
        """The button that asks whether the score would notice, where there is a best picture."""
        import gradio as gr

        return gr.update(visible=bool(board.ranked))


def places(shown: Arrangement, found: Gains) -> tuple[Place, ...]:
    """Each place of the arrangement shown; places without a picture come last and are left out."""
    known = zip(shown.cells, shown.masses, found.shares, found.losses, strict=False)
    return tuple(Place(*each) for each in known)


def all_pictures(board: Board) -> str:
    """What was done when all of it is new."""
    return counted(board.size, "picture")


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

"""What a visitor does on the playground comes in; what changes there goes out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import generation
from generation import InvalidRequestError
from session.attention import attention
from session.jobs import paint_again, paint_and_judge
from session.state import Board
from session.storage import once_each, store
from session.viewer_utility import View, arrangements
from ui.grid_panel_handlers import LightTableDesk, all_pictures, usable
from ui.render import status
from ui.render.evidence import evidence
from ui.render.gallery import gallery
from ui.render.vocabulary import unknown_words

if TYPE_CHECKING:
    from ui.grid_panel import Changes
    from ui.tabs.playground import Playground

VOCABULARY = Path(__file__).resolve().parents[2] / "assets" / "vocabulary.json"


@dataclass(frozen=True)
class PlaygroundDesk(LightTableDesk):
    """What the events of the playground do, as `ui.tabs.playground.PlaygroundDesk` says."""

    page: Playground
    examples: tuple[Board, ...]

    def generate(self, *request: Any) -> Iterator[Changes]:
        """Paint and judge what the fields ask for."""
        keep = once_each(lambda cell: store(cell.image))
        yield from self.work(
            lambda: paint_and_judge(requested(*request), keep), self.grow, all_pictures
        )

    def again(self, board: Board, selected: int, *view: Any) -> Iterator[Changes]:
        """Make the selected picture again; the board is the old one until the new is judged."""
        report, view_now = board.report, View(*view)
        if not report:
            return
        found = arrangements(report, view_now, partial(attention, board))
        cells = found[view_now.arrangement].cells
        keep = once_each(lambda cell: store(cell.image))

        def grow(growing: Board) -> Changes:
            table = self.table
            done = {} if growing.rough else {table.board: growing}
            grid = gallery(growing, cells, selected)
            return {table.grid: grid, table.panel: evidence(growing, selected), **done}

        boards = partial(paint_again, board, report, selected, keep)
        yield from self.work(boards, grow, lambda done: done.known_as(selected))

    def show(self, number: int, *view: Any) -> Changes:
        """An example that is already worked out, and the request that made it."""
        page, board = self.page, self.examples[number]
        return {
            page.prompt: board.prompt,
            page.size: f"{board.rows} x {board.columns}",
            page.seed: board.seed,
            page.table.ranked_by: board.ranked_by,
            page.model: board.model,
            page.bundle: board.bundle,
            page.table.stop: usable(False),
            page.table.status: "",
            **self.draw(board, board.worst, *view),
        }

    def warn(self, prompt: str, model: str, bundle: str) -> Changes:
        """Words the embedded models have never seen."""
        painted = generation.find_model(model).embedded
        return {self.table.warning: unknown_to(prompt, bundle, painted)}


def requested(
    prompt: str, size: str, seed: int | None, ranked_by: str, model: str, bundle: str
) -> Board:
    """What the fields of the page ask for.

    Raises:
        InvalidRequestError: the grid is not two numbers, or there is no seed.
    """
    sides = re.fullmatch(r"\s*(\d{1,4})\s*[x×*]\s*(\d{1,4})\s*", size)
    if not sides:
        raise InvalidRequestError(f"the grid is {size!r}; write rows x columns, such as 3 x 3")
    if seed is None:
        raise InvalidRequestError("there is no seed; any whole number from 0 will do")
    rows, columns = map(int, sides.groups())
    return Board(prompt, rows, columns, int(seed), model, bundle, ranked_by)


def unknown_to(prompt: str, bundle: str, painted: bool) -> str:
    """The warning of words that no sticker has, where painter or judges know only stickers."""
    embedded = painted or bundle == "embedded"
    words = unknown_words(prompt, known_words(painted)) if embedded else ()
    return status.warning(status.about_unknown(words, painted))


@cache
def known_words(painted: bool) -> frozenset[str]:
    """Every word the embedded models know; the painter has learned a few more than the judges."""
    vocabulary = json.loads(VOCABULARY.read_text("utf-8"))
    return frozenset((*vocabulary["words"], *(vocabulary["painter_words"] if painted else ())))

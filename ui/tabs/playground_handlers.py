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
from session.jobs import generate_and_score, regenerate
from session.state import GridState
from session.storage import memoised_save, store
from session.viewer_utility import View, arrangements
from ui.grid_panel_handlers import GridPanelHandlers, all_pictures, usable
from ui.render import status
from ui.render.evidence import evidence
from ui.render.gallery import gallery
from ui.render.vocabulary import unknown_words

if TYPE_CHECKING:
    from ui.grid_panel import Changes
    from ui.tabs.playground import Playground

VOCABULARY = Path(__file__).resolve().parents[2] / "assets" / "vocabulary.json"


@dataclass(frozen=True)
class PlaygroundHandlers(GridPanelHandlers):
    """What the events of the playground do, as `ui.tabs.playground.PlaygroundHandlers` says."""

    page: Playground
    examples: tuple[GridState, ...]

    def generate(self, *request: Any) -> Iterator[Changes]:
        """Generate and judge what the fields ask for."""
        keep = memoised_save(lambda cell: store(cell.image))
        yield from self.work(
            lambda: generate_and_score(requested(*request), keep), self.grow, all_pictures
        )

    def again(self, state: GridState, selected: int, *view: Any) -> Iterator[Changes]:
        """Make the selected picture again; the board is the old one until the new is judged."""
        report, view_now = state.report, View(*view)
        if not report:
            return
        found = arrangements(report, view_now, partial(attention, state))
        cells = found[view_now.arrangement].cells
        keep = memoised_save(lambda cell: store(cell.image))

        def grow(growing: GridState) -> Changes:
            table = self.table
            done = {} if growing.previews else {table.state: growing}
            grid = gallery(growing, cells, selected)
            return {table.grid: grid, table.panel: evidence(growing, selected), **done}

        states = partial(regenerate, state, report, selected, keep)
        yield from self.work(states, grow, lambda done: done.known_as(selected))

    def show(self, number: int, *view: Any) -> Changes:
        """An example that is already worked out, and the request that made it."""
        page, state = self.page, self.examples[number]
        return {
            page.prompt: state.prompt,
            page.size: f"{state.rows} x {state.columns}",
            page.seed: state.seed,
            page.table.ranked_by: state.ranked_by,
            page.model: state.model,
            page.bundle: state.bundle,
            page.table.stop: usable(False),
            page.table.status: "",
            **self.draw(state, state.worst, *view),
        }

    def warn(self, prompt: str, model: str, bundle: str) -> Changes:
        """Words the embedded models have never seen."""
        generated = generation.find_model(model).embedded
        return {self.table.warning: unknown_to(prompt, bundle, generated)}


def requested(
    prompt: str, size: str, seed: int | None, ranked_by: str, model: str, bundle: str
) -> GridState:
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
    return GridState(prompt, rows, columns, int(seed), model, bundle, ranked_by)


def unknown_to(prompt: str, bundle: str, generated: bool) -> str:
    """The warning of words that no sticker has, where text-to-image model or judges know only
    stickers.
    """
    embedded = generated or bundle == "embedded"
    words = unknown_words(prompt, known_words(generated)) if embedded else ()
    return status.warning(status.about_unknown(words, generated))


@cache
def known_words(generated: bool) -> frozenset[str]:
    """Every word the embedded models know; the text-to-image model has learned a few more than the
    judges.
    """
    vocabulary = json.loads(VOCABULARY.read_text("utf-8"))
    return frozenset(
        (*vocabulary["words"], *(vocabulary["text_to_image_words"] if generated else ()))
    )

"""The scores of a grid as a table for spreadsheets (CSV)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from alignment.records import ImageScore
from session.state import GridState
from session.storage import file_name
from session.tables import harmless
from ui.render.evidence import expected


def scores_csv(state: GridState) -> str:
    """One row per image, best first: rank, cell, seed, file, scores with coverage, failing pairs.

    Empty fields are scores that could not be given, ranks without a score, and seeds of uploaded
    images; a text that a spreadsheet would run as a formula begins with an apostrophe.
    """
    return csv_text([header(state), *rows(state)])


def csv_text(table: Iterable[Sequence[object]]) -> str:
    """Rows as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(table)
    return out.getvalue()


def header(state: GridState) -> list[str]:
    """What the columns of `rows` are called."""
    methods = [name for method in state.scores for name in (method, f"{method}_coverage")]
    return ["rank", "cell", "seed", "image", *map(harmless, methods), "failing"]


def rows(state: GridState) -> Iterator[list[object]]:
    """One for each image, best first."""
    return (_row(state, cell) for cell in state.arranged("reranked")[: state.size])


def _row(state: GridState, cell: int) -> list[object]:
    scores = [score for method in state.scores if (score := state.score(cell, method))]
    seed = "" if state.images.names else state.seed_of(cell)
    numbers = [number for score in scores for number in _numbers(score)]
    name = harmless(file_name(state, cell))
    return [state.rank(cell), cell, seed, name, *numbers, harmless(_failing(scores))]


def _numbers(score: ImageScore) -> tuple[str, str]:
    value = "" if score.value is None else f"{score.value:.6f}"
    return value, "" if score.coverage is None else f"{score.coverage.share:.3f}"


def _failing(scores: list[ImageScore]) -> str:
    entries = {entry.pair: entry for score in scores for entry in score.evidence}
    return "; ".join(
        f"{pair.question} expected {expected(pair)}"
        for pair, entry in entries.items()
        if not entry.holds
    )

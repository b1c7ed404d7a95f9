"""The scores of a grid, or of a comparison, as a table for spreadsheets (CSV), and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from alignment.records import ImageScore
from alignment.report import report_json
from session.comparison import LETTERS, ComparisonState
from session.comparison_summary import FIGURES, means
from session.state import GridState
from session.storage import cell_name, stored
from session.tables import csv_text
from ui.render.words import asked_for


def scores_csv(state: GridState) -> str:
    """One row per image, best first: rank, cell, seed, file, scores with coverage, failing pairs.

    Empty fields are scores that could not be given, ranks without a score, and seeds of uploaded
    images; a text that a spreadsheet would run as a formula begins with an apostrophe.
    """
    return csv_text([header(state), *rows(state)])


def header(state: GridState) -> list[str]:
    """What the columns of `rows` are called."""
    methods = [name for method in state.scores for name in (method, f"{method}_coverage")]
    return ["rank", "cell", "seed", "image", *methods, "failing"]


def rows(state: GridState) -> Iterator[list[object]]:
    """One for each image, best first."""
    return (_row(state, cell) for cell in state.arranged("reranked"))


def _row(state: GridState, cell: int) -> list[object]:
    scores = [score for method in state.scores if (score := state.score(cell, method))]
    found = state.images.found.get(cell)
    seed = "" if state.images.names else f"{state.seed_of(cell)}{f'.{found}' if found else ''}"
    numbers = [number for score in scores for number in _numbers(score)]
    name = state.images.names[cell] if state.images.names else cell_name(cell)
    return [state.rank(cell), cell, seed, name, *numbers, _failing(scores)]


def _numbers(score: ImageScore) -> tuple[str, str]:
    value = "" if score.value is None else f"{score.value:.6f}"
    return value, "" if score.coverage is None else f"{score.coverage.share:.3f}"


def _failing(scores: list[ImageScore]) -> str:
    entries = {entry.pair: entry for score in scores for entry in score.evidence}
    return "; ".join(
        f"{pair.readable} expected {asked_for(pair)}"
        for pair, entry in entries.items()
        if not entry.holds
    )


def comparison_csv(state: ComparisonState) -> str:
    """One row for each image of the finished grids: prompt, column, and what scores.csv has."""
    found = [*state.finished.items()]
    names = header(found[0][1]) if found else []
    table = [
        [state.prompts[prompt], LETTERS[system], state.called(system), *row]
        for (prompt, system), grid in found
        for row in rows(grid)
    ]
    return csv_text([["prompt", "column", "system", *names], *table])


def comparison_json(state: ComparisonState) -> str:
    """What was asked for, the figures of each column, and the report of each finished grid."""
    figures = {name: means(state, name) for name in FIGURES}
    systems = [
        {
            "column": LETTERS[place],
            "name": state.called(place),
            **asdict(system),
            "figures": {name: values[place] for name, values in figures.items()},
        }
        for place, system in enumerate(state.systems)
    ]
    grids = [
        {
            "prompt": state.prompts[prompt],
            "column": LETTERS[system],
            "report": report_json(stored(grid, grid.report)),
        }
        for (prompt, system), grid in state.finished.items()
        if grid.report
    ]
    whole = {"prompts": state.prompts, "systems": systems, "grids": grids}
    return json.dumps(whole, indent=1, ensure_ascii=False)

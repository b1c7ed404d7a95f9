"""The grids of several systems on the same prompts, from a table, batch runs or images."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pandas as pd

from alignment.records import GridReport
from alignment.report import StoredReport, stored_report
from benchmarks.data.errors import DataError
from benchmarks.data.tables import objects
from benchmarks.statistics.comparison import ScoredGrid

Systems: TypeAlias = Mapping[str, Mapping[str, tuple[ScoredGrid, ...]]]
"""System -> prompt -> its grids, one for each seed; every system has the same prompts."""

UNSAID: Mapping[str, float] = {"attention": 1.0, "seed": 0}
"""What columns hold that a table does not have."""


def read_grids(table: pd.DataFrame) -> Systems:
    """The grids of a table with one row for each image, over the prompts that all systems have.

    Args:
        table: prompt, system, place (from 0, row by row), relevance (in [0, 1]) and, if known,
            seed (several grids of one prompt), attention (of the place; equal where there is no
            such column) and similarity (to each place of the grid in turn, numbers in [0, 1] with
            spaces between them).

    Raises:
        DataError: a column is missing, a value is out of range, or no prompt is shared.
    """
    check_columns(table, "grids", "prompt", "system", "place", "relevance")
    if not table["relevance"].between(0, 1).all():
        raise DataError("grids: every relevance must be a number in [0, 1]")
    missing = {name: value for name, value in UNSAID.items() if name not in table}
    table = table.assign(**missing)
    systems: dict[str, dict[str, tuple[ScoredGrid, ...]]] = {}
    for (system, prompt, _), rows in table.sort_values("place").groupby(
        ["system", "prompt", "seed"]
    ):
        grids = systems.setdefault(str(system), {})
        grids[str(prompt)] = (*grids.get(str(prompt), ()), _grid(rows))
    return shared(systems)


def _grid(rows: pd.DataFrame) -> ScoredGrid:
    similarity = None
    if "similarity" in rows:
        similarity = tuple(tuple(map(float, str(line).split())) for line in rows["similarity"])
        if any(len(line) != len(rows) for line in similarity):
            prompt = rows["prompt"].iloc[0]
            raise DataError(f"grids: {len(rows)} places of {prompt!r} need as many similarities")
    return ScoredGrid(tuple(rows["relevance"]), tuple(rows["attention"]), similarity)


def read_results(files: Sequence[Path], method: str) -> Systems:
    """The grids, as generated, that `python app.py batch` has generated and scored.

    Args:
        files: with a report on each line. A system is a text-to-image model; with several files, a
            text-to-image model of one of them.
        method: whose score is the relevance, e.g. "vq2".

    Raises:
        DataError: a file is missing, the method did not score, or no prompt is shared.
    """
    systems: dict[str, dict[str, tuple[ScoredGrid, ...]]] = {}
    for name, stored in _reports(files):
        if method not in stored.report.scores:
            known = ", ".join(stored.report.scores)
            raise DataError(f"the images have no score by {method!r}; known: {known}")
        grid, prompt = _grid_of(stored.report, method), stored.report.prompt
        if grid.relevance:
            grids = systems.setdefault(name, {})
            grids[prompt] = (*grids.get(prompt, ()), grid)
    return shared(systems)


def _grid_of(report: GridReport, method: str) -> ScoredGrid:
    """A grid as generated; images that could not be scored are left out."""
    values = {cell: score.value for cell, score in enumerate(report.scores[method])}
    relevance = {cell: value for cell, value in values.items() if value is not None}
    cells = [*relevance]
    attention = tuple(report.saliency["generated"][cell] for cell in cells) if cells else ()
    similarity = None
    if report.similarity:
        similarity = tuple(
            tuple(row) for row in np.array(report.similarity)[np.ix_(cells, cells)].tolist()
        )
    return ScoredGrid(tuple(relevance.values()), attention, similarity)


def shared(systems: Systems) -> Systems:
    """The same, over the prompts that every system has a grid of.

    Raises:
        DataError: there is no such prompt.
    """
    prompts = set.intersection(*(set(grids) for grids in systems.values())) if systems else set()
    if not prompts:
        raise DataError("no prompt has a grid of every system; the differences are paired")
    return {
        name: {prompt: grids[prompt] for prompt in sorted(prompts)}
        for name, grids in systems.items()
    }


def read_table(file: Path) -> pd.DataFrame:
    """A CSV file.

    Raises:
        DataError: there is no such file.
    """
    if not file.is_file():
        raise DataError(f"there is no file {file}")
    return pd.read_csv(file)


def check_columns(table: pd.DataFrame, name: str, *columns: str) -> None:
    """Refuse a table that lacks a column.

    Raises:
        DataError: it does.
    """
    missing = [column for column in columns if column not in table]
    if missing:
        raise DataError(f"{name}: no column {', '.join(missing)}; found {', '.join(table)}")


def _reports(files: Collection[Path]) -> Iterator[tuple[str, StoredReport]]:
    """Each report and what its system is called."""
    for file in files:
        for plain in objects(file, "prompt", "model", "cells"):
            where = f" of {file.parent.name}" if len(files) > 1 else ""
            yield f"{plain['model']}{where}", stored_report(plain)

"""The grids of several systems on the same prompts, from a table, batch runs or images."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import TypeAlias

import pandas as pd

from alignment.evaluation import NO_PICTURE, metric_inputs
from alignment.records import GridReport
from alignment.report import StoredReport, stored_report
from alignment.set_metrics.grid import MetricInputs
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


@dataclass(frozen=True)
class JudgedImages:
    """How much of what a system has generated could be judged."""

    images: int
    """Of the grids that are compared."""
    judged: int
    """Those with a relevance; the others count as 0."""
    left_out: int
    """Grids that are not compared, as nothing in them could be judged."""


def read_results(
    files: Sequence[Path], method: str
) -> tuple[Systems, dict[str, JudgedImages], MetricInputs]:
    """The grids, as generated, that `python app.py batch` has generated and scored.

    Args:
        files: with a report on each line. A system is a text-to-image model; with several files, a
            text-to-image model of one of them.
        method: whose calibrated chance is the relevance, e.g. "vq2". An image that was filtered or
            could not be judged has relevance 0; a grid is left out where the method could judge
            none of its images.

    Returns:
        The grids over the prompts that all systems have, how much of each could be judged, and
        where the numbers come from.

    Raises:
        DataError: a file is missing, the method did not score or is not calibrated, or no prompt is
            shared.
    """
    systems: dict[str, dict[str, tuple[ScoredGrid, ...]]] = {}
    left_out, inputs = Counter[str](), list[MetricInputs]()
    for name, stored in _reports(files):
        _check_relevance(stored.report, method)
        grids, prompt = systems.setdefault(name, {}), stored.report.prompt
        if _nothing_judged(stored.report, method):
            left_out[name] += 1
        else:
            grids[prompt] = (*grids.get(prompt, ()), _grid_of(stored.report, method))
            inputs.append(metric_inputs(replace(stored.report, ranked_by=method)))
    compared = shared(systems)
    judged = {
        name: _judged([g for grids in prompts.values() for g in grids], left_out[name])
        for name, prompts in compared.items()
    }
    return compared, judged, _together(inputs)


def _together(inputs: Sequence[MetricInputs]) -> MetricInputs:
    """Where all numbers come from; what reports do not share is named with "+".

    >>> _together([MetricInputs("vq2", saliency="a"), MetricInputs("vq2", saliency="b")]).saliency
    'a+b'
    """
    values = zip(*map(astuple, inputs), strict=True)
    return MetricInputs(*("+".join(filter(None, dict.fromkeys(each))) for each in values))


def _check_relevance(report: GridReport, method: str) -> None:
    if method not in report.scores:
        known = ", ".join(report.scores)
        raise DataError(f"the images have no score by {method!r}; known: {known}")
    if method not in report.relevance:
        known = ", ".join(report.relevance) or "none"
        raise DataError(
            f"the scores by {method!r} are not calibrated, and a score is no chance; calibrated: "
            f"{known}; fit one with `python app.py calibrate` and score again"
        )


def _nothing_judged(report: GridReport, method: str) -> bool:
    """Whether the method could judge no image, filtered ones aside."""
    there = [score for score in report.scores[method] if score.reason != NO_PICTURE]
    return bool(there) and all(score.value is None for score in there)


def _grid_of(report: GridReport, method: str) -> ScoredGrid:
    """A grid as generated; images that could not be judged are there and satisfy nobody."""
    chances = report.relevance[method]
    return ScoredGrid(
        tuple(chance or 0.0 for chance in chances),
        report.saliency.get("generated", (1.0,) * len(chances))[: len(chances)],
        report.similarity or None,
        unjudged=tuple(cell for cell, chance in enumerate(chances) if chance is None),
    )


def _judged(grids: Sequence[ScoredGrid], left_out: int) -> JudgedImages:
    images = sum(len(grid.relevance) for grid in grids)
    return JudgedImages(images, images - sum(len(grid.unjudged) for grid in grids), left_out)


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

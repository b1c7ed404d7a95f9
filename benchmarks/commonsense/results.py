"""The pictures of a painter and the evaluators come in; what each makes of them goes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from rich.console import Console
from rich.progress import track

from alignment.commonsense import drawn_score, expected_score
from alignment.fit import Evaluator, fit_matrices
from alignment.pair_analysis import (
    Accuracy,
    Relation,
    accuracy,
    by_category,
    relation,
    weighted_accuracy,
)
from alignment.records import FitMatrix, PromptPair
from benchmarks.commonsense.pictures import Generations

REVISED = " revised"
"""Ends the name of a painter that was given enriched prompts."""


@dataclass(frozen=True)
class Painter:
    """Whose pictures are judged, of which pairs."""

    name: str
    pairs: tuple[PromptPair, ...]
    pictures: Iterable[Generations]
    similarities: tuple[float, ...]
    """Of each pair's prompts: cosines in a text encoder."""


@dataclass(frozen=True)
class Result:
    """What one evaluator makes of one painter."""

    painter: str
    evaluator: str
    accuracy: Accuracy
    """In exact expectation over the coins."""
    drawn: float
    """Accuracy as published, with one throw of the coins."""
    weighted: float
    """Accuracy, each pair counting as much as it is likely."""
    pictures: int
    unread: int
    """Replies, two for each picture, that could not be read."""
    coins: int
    """Pictures that fit both descriptions."""
    categories: Mapping[str, Accuracy]
    relation: Relation
    scores: tuple[float, ...]


def judge(painter: Painter, evaluators: Mapping[str, Evaluator]) -> dict[str, list[FitMatrix]]:
    """Evaluator -> one full matrix for each pair."""
    matrices: dict[str, list[FitMatrix]] = {name: [] for name in evaluators}
    console = Console(stderr=True)
    pictures = track(painter.pictures, painter.name, len(painter.pairs), console=console)
    for pair, images in zip(painter.pairs, pictures, strict=True):
        for name, evaluator in evaluators.items():
            *_, full = fit_matrices(pair, images, evaluator)
            matrices[name].append(full)
    return matrices


def measure(
    painter: Painter, evaluator: str, matrices: Sequence[FitMatrix], generator: np.random.Generator
) -> Result:
    """Everything that is said of one painter by one evaluator."""
    scores = [expected_score(matrix) for matrix in matrices]
    fits = [fit for matrix in matrices for row in matrix.fits for fit in row]
    return Result(
        painter=painter.name,
        evaluator=evaluator,
        accuracy=accuracy(scores, generator),
        drawn=float(np.mean([drawn_score(matrix, generator) for matrix in matrices])),
        weighted=weighted_accuracy(scores, [pair.likelihood for pair in painter.pairs]),
        pictures=len(fits),
        unread=sum(matrix.unread for matrix in matrices),
        coins=sum(fit.fits == (True, True) for fit in fits),
        categories=by_category(scores, [pair.category for pair in painter.pairs], generator),
        relation=relation(painter.similarities, scores),
        scores=tuple(scores),
    )


def revisions(results: Iterable[Result]) -> Iterator[tuple[Result, Result]]:
    """A painter's plain result and its revised one, by the same evaluator."""
    by_name = {(each.painter, each.evaluator): each for each in results}
    for (painter, evaluator), plain in by_name.items():
        revised = by_name.get((painter + REVISED, evaluator))
        if revised:
            yield plain, revised


def accuracies(results: Iterable[Result], evaluator: str) -> dict[str, float]:
    """Painter -> accuracy by one evaluator."""
    return {each.painter: each.accuracy.value for each in results if each.evaluator == evaluator}


def read_labels(table: pd.DataFrame) -> dict[str, float]:
    """Painter -> the part of its generations that people call right.

    Raises:
        ValueError: a column is missing.
    """
    missing = [name for name in ("model", "pair", "generation", "right") if name not in table]
    if missing:
        raise ValueError(f"labels: no column {', '.join(missing)}; found {', '.join(table)}")
    return {str(name): float(rows["right"].mean()) for name, rows in table.groupby("model")}

"""The pictures of a text-to-image model and the evaluators come in; what each makes of them goes
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from rich.console import Console
from rich.progress import track

from alignment.prompt_pairs.description_match import Evaluator, fit_matrices
from alignment.prompt_pairs.score import drawn_score, expected_score
from alignment.records import MatchMatrix, PromptPair
from benchmarks.commonsense.analysis import (
    Accuracy,
    HumanComparison,
    Relation,
    accuracy,
    by_category,
    compare_with_people,
    relation,
    weighted_accuracy,
)
from benchmarks.commonsense.pictures import Generations
from benchmarks.data.errors import DataError
from benchmarks.data.tables import rows

Labels = Mapping[str, Mapping[int, float]]
"""Text-to-image model -> pair, from 1 -> the part of its generations that people call right."""

REVISED = " revised"
"""Ends the name of a text-to-image model that was given enriched prompts."""


@dataclass(frozen=True)
class Generator:
    """Whose pictures are judged, of which pairs."""

    name: str
    pairs: tuple[PromptPair, ...]
    pictures: Iterable[Generations]
    similarities: tuple[float, ...]
    """Of each pair's prompts: cosines in a text encoder."""


@dataclass(frozen=True)
class Result:
    """What one evaluator makes of one text-to-image model."""

    model: str
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


def judge(pipeline: Generator, evaluators: Mapping[str, Evaluator]) -> dict[str, list[MatchMatrix]]:
    """Evaluator -> one full matrix for each pair."""
    matrices: dict[str, list[MatchMatrix]] = {name: [] for name in evaluators}
    console = Console(stderr=True)
    pictures = track(pipeline.pictures, pipeline.name, len(pipeline.pairs), console=console)
    for pair, images in zip(pipeline.pairs, pictures, strict=True):
        for name, evaluator in evaluators.items():
            *_, full = fit_matrices(pair, images, evaluator)
            matrices[name].append(full)
    return matrices


def measure(
    pipeline: Generator,
    evaluator: str,
    matrices: Sequence[MatchMatrix],
    generator: np.random.Generator,
) -> Result:
    """Everything that is said of one text-to-image model by one evaluator."""
    scores = [expected_score(matrix) for matrix in matrices]
    fits = [fit for matrix in matrices for row in matrix.fits for fit in row]
    return Result(
        model=pipeline.name,
        evaluator=evaluator,
        accuracy=accuracy(scores, generator),
        drawn=float(np.mean([drawn_score(matrix, generator) for matrix in matrices])),
        weighted=weighted_accuracy(scores, [pair.likelihood for pair in pipeline.pairs]),
        pictures=len(fits),
        unread=sum(matrix.unread for matrix in matrices),
        coins=sum(fit.fits == (True, True) for fit in fits),
        categories=by_category(scores, [pair.category for pair in pipeline.pairs], generator),
        relation=relation(pipeline.similarities, scores),
        scores=tuple(scores),
    )


def revisions(results: Iterable[Result]) -> Iterator[tuple[Result, Result]]:
    """A text-to-image model's plain result and its revised one, by the same evaluator."""
    by_name = {(each.model, each.evaluator): each for each in results}
    for (pipeline, evaluator), plain in by_name.items():
        revised = by_name.get((pipeline + REVISED, evaluator))
        if revised:
            yield plain, revised


def read_labels(file: Path) -> Labels:
    """What people say of generations, from a CSV file.

    Raises:
        DataError: there is no such file, a column is missing, or a judgement is neither 0 nor 1.
    """
    labels: dict[str, dict[int, list[int]]] = {}
    for row in rows(file, "model", "pair", "generation", "right"):
        if row["right"] not in ("0", "1"):
            raise DataError(f"right is {row['right']!r} for pair {row['pair']}; give 0 or 1")
        pairs = labels.setdefault(row["model"], {})
        pairs.setdefault(int(row["pair"]), []).append(int(row["right"]))
    return {
        name: {pair: fmean(right) for pair, right in pairs.items()}
        for name, pairs in labels.items()
    }


def against_people(results: Iterable[Result], evaluator: str, labels: Labels) -> HumanComparison:
    """One evaluator's accuracies beside those of people, over the pairs that people judged.

    Raises:
        DataError: people judged none of these pairs by these text-to-image models.
    """
    by_evaluator: dict[str, float] = {}
    by_people: dict[str, float] = {}
    for each in (result for result in results if result.evaluator == evaluator):
        judged = [p for p in labels.get(each.model, {}) if 1 <= p <= len(each.scores)]
        if judged:
            by_evaluator[each.model] = fmean(each.scores[pair - 1] for pair in judged)
            by_people[each.model] = fmean(labels[each.model][pair] for pair in judged)
    if not by_people:
        raise DataError(
            f"people judged {', '.join(labels)}, none of these pairs and text-to-image models"
        )
    return compare_with_people(by_evaluator, by_people)

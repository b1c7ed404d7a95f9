"""What each evaluator makes of the images of each text-to-image model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import numpy as np

from alignment.prompt_pairs.description_match import Evaluator, fit_matrices
from alignment.prompt_pairs.score import drawn_score, expected_score
from alignment.records import MatchMatrix, PromptPair
from benchmarks.commonsense.analysis import (
    FAILED,
    Accuracy,
    HumanComparison,
    SimilarityRelation,
    accuracy,
    by_category,
    compare_with_people,
    relation,
    weighted_accuracy,
)
from benchmarks.commonsense.images import Generations
from benchmarks.data.errors import DataError
from benchmarks.data.tables import rows
from benchmarks.progress import watched

Labels = Mapping[str, Mapping[int, float]]
"""Text-to-image model -> pair, from 1 -> the part of its generations that people call right."""

REVISED = " revised"
"""Ends the name of a text-to-image model that was given enriched prompts."""


@dataclass(frozen=True)
class GeneratedPairs:
    """The images that one text-to-image model generated of some pairs."""

    model: str
    pairs: tuple[PromptPair, ...]
    images: Iterable[Generations]
    similarities: tuple[float, ...]
    """Of each pair's prompts: cosines in a text encoder."""

    @property
    def expected(self) -> tuple[frozenset[str], ...]:
        """What the images of each pair must show: the unit of the intervals."""
        return tuple(frozenset(pair.descriptions) for pair in self.pairs)


@dataclass(frozen=True)
class PairResult:
    """What one evaluator makes of one text-to-image model."""

    model: str
    evaluator: str
    accuracy: Accuracy
    """In exact expectation over the coins."""
    drawn: float
    """Accuracy as published, with one throw of the coins."""
    weighted: float
    """Accuracy, each pair counting as much as it is likely."""
    images: int
    unreadable: int
    """Replies, two for each image, that could not be read."""
    coins: int
    """Images that fit both descriptions."""
    categories: Mapping[str, Accuracy]
    relation: SimilarityRelation
    scores: tuple[float, ...]
    expected: tuple[frozenset[str], ...]
    """What the images of each pair must show."""


def match(
    generated: GeneratedPairs, evaluators: Mapping[str, Evaluator]
) -> dict[str, list[MatchMatrix]]:
    """Evaluator -> one full matrix for each pair."""
    matrices: dict[str, list[MatchMatrix]] = {name: [] for name in evaluators}
    passing = watched(generated.images, f"pairs, {generated.model}", len(generated.pairs))
    for pair, images in zip(generated.pairs, passing, strict=True):
        for name, evaluator in evaluators.items():
            *_, full = fit_matrices(pair, images, evaluator)
            matrices[name].append(full)
    return matrices


def measure(
    generated: GeneratedPairs,
    evaluator: str,
    matrices: Sequence[MatchMatrix],
    generator: np.random.Generator,
) -> PairResult:
    """Everything that is said of one text-to-image model by one evaluator."""
    scores = [expected_score(matrix) for matrix in matrices]
    fits = [fit for matrix in matrices for row in matrix.fits for fit in row]
    return PairResult(
        model=generated.model,
        evaluator=evaluator,
        accuracy=accuracy(scores, generated.expected, generator),
        drawn=float(np.mean([drawn_score(matrix, generator) for matrix in matrices])),
        weighted=weighted_accuracy(scores, [pair.likelihood for pair in generated.pairs]),
        images=len(fits),
        unreadable=sum(matrix.unreadable for matrix in matrices),
        coins=sum(fit.fits == (True, True) for fit in fits),
        categories=by_category(
            scores, [pair.category for pair in generated.pairs], generated.expected, generator
        ),
        relation=relation(generated.similarities, scores),
        scores=tuple(scores),
        expected=generated.expected,
    )


def revisions(results: Iterable[PairResult]) -> Iterator[tuple[PairResult, PairResult]]:
    """A text-to-image model's plain result and its revised one, by the same evaluator."""
    by_name = {(each.model, each.evaluator): each for each in results}
    for (model, evaluator), plain in by_name.items():
        revised = by_name.get((model + REVISED, evaluator))
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


def against_people(
    results: Iterable[PairResult], evaluator: str, labels: Labels
) -> HumanComparison:
    """One evaluator's accuracies beside those of people, over the pairs that people judged.

    Raises:
        DataError: people judged none of these pairs by these text-to-image models.
    """
    by_evaluator: dict[str, list[float]] = {}
    by_people: dict[str, list[float]] = {}
    for each in (result for result in results if result.evaluator == evaluator):
        labelled = [p for p in labels.get(each.model, {}) if 1 <= p <= len(each.scores)]
        if labelled:
            by_evaluator[each.model] = [each.scores[pair - 1] for pair in labelled]
            by_people[each.model] = [labels[each.model][pair] for pair in labelled]
    if not by_people:
        raise DataError(
            f"people judged {', '.join(labels)}, none of these pairs and text-to-image models"
        )
    same = [
        (ours >= FAILED) == (theirs >= FAILED)
        for model in by_people
        for ours, theirs in zip(by_evaluator[model], by_people[model], strict=True)
    ]
    ours, theirs = (
        {model: fmean(each) for model, each in by.items()} for by in (by_evaluator, by_people)
    )
    return replace(compare_with_people(ours, theirs), agreement=fmean(same))

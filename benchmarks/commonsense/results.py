"""What each evaluator makes of the images of each text-to-image model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

import numpy as np

from alignment.prompt_pairs.description_match import Evaluator, fit_matrices
from alignment.prompt_pairs.score import drawn_score, expected_score, generation_scores
from alignment.records import MatchMatrix, PromptPair
from benchmarks.commonsense.analysis import (
    FAILED,
    Accuracy,
    Agreement,
    HumanComparison,
    accuracy,
    agreement,
    by_category,
    similarity_correlations,
    weighted_accuracy,
)
from benchmarks.commonsense.images import Generations
from benchmarks.data.printed import COMMONSENSE_PAIRS, commonsense_people
from benchmarks.progress import watched
from session.errors import DataError
from session.tables import rows

Labels = Mapping[str, Mapping[int, Mapping[int, float]]]
"""Text-to-image model -> pair, from 1 -> generation, from 1 -> the part of people who call it
right."""
Scores = tuple[float | None, ...]
"""One for each pair or generation; None where an evaluator's reply could not be read."""

REVISED, OUTRIGHT = " revised", " outright"
"""End the name of a text-to-image model that was given enriched prompts, or the descriptions."""


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
    accuracy: Accuracy | None
    """In exact expectation over the coins; None when no generation could be judged, as are the next
    two."""
    drawn: float | None
    """Accuracy as published, with one throw of the coins."""
    weighted: float | None
    """Accuracy, each pair counting as much as it is likely."""
    judged: int
    """Generations that could be judged: what all accuracies are of."""
    images: int
    unreadable: int
    """Replies, two for each image, that could not be read."""
    coins: int
    """Images that fit both descriptions."""
    categories: Mapping[str, Accuracy]
    spearman: float | None
    kendall: float | None
    """Of the similarity of the prompts with the scores, of the pairs that could be judged."""
    generations: tuple[Scores, ...]
    """Of each pair."""
    scores: Scores
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
    scores = tuple(expected_score(matrix) for matrix in matrices)
    known = [pair for pair, score in enumerate(scores) if score is not None]
    values = [score for score in scores if score is not None]
    expected = [generated.expected[pair] for pair in known]
    pairs = [generated.pairs[pair] for pair in known]
    drawn = [drawn_score(matrices[pair], generator) or 0.0 for pair in known]
    fits = [fit for matrix in matrices for row in matrix.fits for fit in row]
    generations = tuple(generation_scores(matrix) for matrix in matrices)
    similarities = [generated.similarities[pair] for pair in known]
    spearman, kendall = similarity_correlations(similarities, values)
    return PairResult(
        model=generated.model,
        evaluator=evaluator,
        accuracy=accuracy(values, expected, generator) if known else None,
        drawn=fmean(drawn) if known else None,
        weighted=weighted_accuracy(values, [p.likelihood for p in pairs]) if known else None,
        judged=sum(score is not None for row in generations for score in row),
        images=len(fits),
        unreadable=sum(matrix.unreadable for matrix in matrices),
        coins=sum(fit.fits == (True, True) for fit in fits),
        categories=by_category(values, [pair.category for pair in pairs], expected, generator),
        spearman=spearman,
        kendall=kendall,
        generations=generations,
        scores=scores,
        expected=generated.expected,
    )


def revisions(results: Iterable[PairResult]) -> Iterator[tuple[PairResult, PairResult]]:
    """A text-to-image model's plain result and that of other prompts, by the same evaluator."""
    by_name = {(each.model, each.evaluator): each for each in results}
    for (model, evaluator), plain in by_name.items():
        for ending in (REVISED, OUTRIGHT):
            if other := by_name.get((model + ending, evaluator)):
                yield plain, other


def read_labels(file: Path) -> Labels:
    """What people say of generations, from a CSV file.

    Raises:
        DataError: there is no such file, a column is missing, or a judgement is neither 0 nor 1.
    """
    labels: dict[str, dict[int, dict[int, list[int]]]] = {}
    for row in rows(file, "model", "pair", "generation", "right"):
        if row["right"] not in ("0", "1"):
            raise DataError(f"right is {row['right']!r} for pair {row['pair']}; give 0 or 1")
        generations = labels.setdefault(row["model"], {}).setdefault(int(row["pair"]), {})
        generations.setdefault(int(row["generation"]), []).append(int(row["right"]))
    return {
        name: {
            pair: {generation: fmean(right) for generation, right in said.items()}
            for pair, said in pairs.items()
        }
        for name, pairs in labels.items()
    }


def against_people(
    results: Iterable[PairResult], evaluator: str, labels: Labels
) -> HumanComparison | None:
    """One evaluator's accuracies beside those of people.

    Without labels, the accuracies that are printed for the published pairs; None where none is.

    Args:
        results: of any evaluators.
        evaluator: whose accuracies are compared.
        labels: people's own; the comparison is over the pairs that both judged.

    Raises:
        DataError: there are labels, but no pair of these text-to-image models that both judged.
    """
    own = [result for result in results if result.evaluator == evaluator]
    judge = partial(_on_the_same_pairs, labels=labels) if labels else _beside_printed
    both = {each.model: found for each in own if (found := judge(each))}
    if labels and not both:
        raise DataError(
            f"people judged {', '.join(labels)}, none of these pairs and text-to-image models"
        )
    people = {model: theirs for model, (_, theirs) in both.items()}
    differences = {model: ours - theirs for model, (ours, theirs) in both.items()}
    generations = _by_generation(own, labels) if labels else None
    return HumanComparison(people, differences, generations) if both else None


def _on_the_same_pairs(result: PairResult, labels: Labels) -> tuple[float, float] | None:
    """The accuracies by an evaluator and by people over the pairs that both judged."""
    if not (judged := _judged(result, labels.get(result.model, {}))):
        return None
    return fmean(ours for ours, _ in judged), fmean(theirs for _, theirs in judged)


def _beside_printed(result: PairResult) -> tuple[float, float] | None:
    """The accuracy of all published pairs, and what is printed of people."""
    people = commonsense_people(result.model)
    if result.accuracy is None or people is None or len(result.scores) != COMMONSENSE_PAIRS:
        return None
    return result.accuracy.value, people


def _judged(result: PairResult, labels: Mapping[int, Mapping[int, float]]) -> list[list[float]]:
    """The scores of each pair that both judged: the evaluator's, and people's."""
    return [
        [score, fmean(said.values())]
        for pair, said in labels.items()
        if 1 <= pair <= len(result.scores) and (score := result.scores[pair - 1]) is not None
    ]


def _by_generation(results: Sequence[PairResult], labels: Labels) -> Agreement:
    """Agreement on single generations; those that people are divided on are left out."""
    both = [
        (result.generations[pair - 1][generation - 1], right)
        for result in results
        for pair, said in labels.get(result.model, {}).items()
        for generation, right in said.items()
        if 1 <= pair <= len(result.generations)
        and 1 <= generation <= len(result.generations[pair - 1])
        and right != FAILED
    ]
    return agreement([ours for ours, _ in both], [theirs for _, theirs in both])

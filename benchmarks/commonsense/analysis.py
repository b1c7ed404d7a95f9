"""How good a text-to-image model is at prompt pairs, where it fails and why."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from alignment.statistics.intervals import Measured, measured_mean
from benchmarks.statistics.correlation import rank_correlation

FAILED = 0.5
"""A pair whose score is lower counts as an error of the text-to-image model."""


@dataclass(frozen=True)
class Accuracy(Measured):
    """The mean score of some pairs, in [0, 1]; n distinct pairs of descriptions are drawn."""

    pairs: int
    """Of prompts."""


@dataclass(frozen=True)
class Overlap:
    """Pairs that two text-to-image models fail."""

    first: str
    second: str
    both: int
    either: int
    by_chance: float
    """How many both would fail if their errors had nothing to do with each other."""

    @property
    def share(self) -> float:
        """Both over either, in [0, 1]; 0 when neither fails any."""
        return self.both / self.either if self.either else 0.0


@dataclass(frozen=True)
class Agreement:
    """How often an evaluator says of a generation what people say."""

    share: float
    """Of `n`, in [0, 1]."""
    kappa: float | None
    """Cohen's kappa: agreement beyond chance, up to 1; None where both say the same of all."""
    n: int
    """Generations that both judged."""
    unjudged: int
    """Generations that people judged and the evaluator could not."""


@dataclass(frozen=True)
class HumanComparison:
    """Accuracies by an evaluator against accuracies by people."""

    people: Mapping[str, float]
    """Text-to-image model -> accuracy by people, in [0, 1], over the pairs that both judged."""
    differences: Mapping[str, float]
    """Text-to-image model -> evaluator minus people, in [-1, 1]."""
    generations: Agreement | None
    """How often both say the same of one generation; None where only an accuracy is printed."""


def accuracy(
    scores: npt.ArrayLike, expected: Sequence[Hashable], generator: np.random.Generator
) -> Accuracy:
    """The mean of some scores with its interval.

    Args:
        scores: shape (pairs,), each in [0, 1].
        expected: what each pair's images must show, in whichever order; pairs that expect the same
            are one unit.
        generator: draws the units.

    >>> accuracy([1.0, 0.5], ["lit and unlit"] * 2, np.random.default_rng(7)).n
    1
    """
    values = np.asarray(scores, dtype=float)
    mean = measured_mean(values, generator, _numbered(expected))
    return Accuracy(**asdict(mean), pairs=values.size)


def _numbered(items: Sequence[Hashable]) -> list[int]:
    """Equal items have equal numbers."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(item, len(numbers)) for item in items]


def weighted_accuracy(scores: npt.ArrayLike, likelihoods: npt.ArrayLike) -> float:
    """The mean score, a pair counting as much as its expected pictures are likely.

    sum of likelihood * score / sum of likelihood

    >>> weighted_accuracy([1.0, 0.0], [3, 1])
    0.75
    """
    return float(np.average(np.asarray(scores), weights=np.asarray(likelihoods)))


def by_category(
    scores: Sequence[float],
    categories: Sequence[str],
    expected: Sequence[Hashable],
    generator: np.random.Generator,
) -> dict[str, Accuracy]:
    """The accuracy of each category that has a judged pair, in alphabetical order."""
    rows = [*zip(categories, scores, expected, strict=True)]
    return {
        name: accuracy(
            [score for own, score, _ in rows if own == name],
            [unit for own, _, unit in rows if own == name],
            generator,
        )
        for name in sorted(set(categories))
    }


def similarity_correlations(
    similarities: Sequence[float], scores: Sequence[float]
) -> tuple[float | None, float | None]:
    """Rank correlations of the similarity of a pair's two prompts with the score of the pair.

    Below 0 when alike prompts fail; None when one of the two does not vary.

    >>> similarity_correlations([0.9, 0.8, 0.95], [0.5, 1.0, 0.0])
    (-1.0, -1.0)
    """
    if len({*similarities}) < 2 or len({*scores}) < 2:
        return None, None
    return rank_correlation(similarities, scores)


def error_overlaps(scores: Mapping[str, Sequence[float | None]]) -> tuple[Overlap, ...]:
    """For every two text-to-image models, how many pairs both fail.

    Args:
        scores: text-to-image model -> score of each pair, the same pairs in the same order; pairs
            with None, which could not be judged, are left out for these two.

    >>> error_overlaps({"a": [0.0, 0.25, 1.0, 1.0], "b": [0.0, 1.0, 0.0, 1.0]})
    (Overlap(first='a', second='b', both=1, either=3, by_chance=1.0),)
    """
    known = {name: np.asarray(values, dtype=float) for name, values in scores.items()}
    return tuple(_overlap(*names, known) for names in combinations(known, 2))


def _overlap(first: str, second: str, scores: Mapping[str, npt.NDArray[np.float64]]) -> Overlap:
    both_known = ~np.isnan(scores[first]) & ~np.isnan(scores[second])
    one, other = (scores[name][both_known] < FAILED for name in (first, second))
    if not one.size:
        return Overlap(first, second, 0, 0, 0.0)
    by_chance = float(one.mean() * other.mean() * one.size)
    return Overlap(first, second, int((one & other).sum()), int((one | other).sum()), by_chance)


def agreement(ours: Sequence[float | None], theirs: Sequence[float]) -> Agreement:
    """How often an evaluator says of a generation what people say.

    Args:
        ours: the chance that each is right; None where it could not be judged.
        theirs: the part of people who call it right.

    >>> agreement([1.0, 0.0, None, 0.0], [1.0, 0.0, 1.0, 1.0])
    Agreement(share=0.6666666666666666, kappa=0.4, n=3, unjudged=1)
    """
    from sklearn.metrics import cohen_kappa_score

    known = [
        (one >= FAILED, other >= FAILED)
        for one, other in zip(ours, theirs, strict=True)
        if one is not None
    ]
    share = float(np.mean([one == other for one, other in known])) if known else float("nan")
    varies = len({answer for both in known for answer in both}) > 1
    kappa = round(float(cohen_kappa_score(*zip(*known, strict=True))), 6) if varies else None
    return Agreement(share, kappa, len(known), len(theirs) - len(known))

"""Numbers of metrics and of people come in; how well they agree, and how surely, goes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import stats

Floats: TypeAlias = npt.NDArray[np.float64]
Level: TypeAlias = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True)
class Agreement:
    """How often a metric prefers what people prefer."""

    rate: float
    """Share of people's preferences, ties left out, in which the metric's difference has the same
    sign; a metric without a preference does not agree."""
    low: float
    high: float
    """The 95 % bootstrap interval of the rate."""
    n: int
    """Preferences that are not ties."""
    ties: int
    """Preferences of people that are ties."""
    metric_ties: int
    """Of the n, those where the metric has no preference."""

    @property
    def rate_where_decided(self) -> float:
        """The rate over the preferences in which the metric has one too; 0 when it never has."""
        decided = self.n - self.metric_ties
        return self.rate * self.n / decided if decided else 0.0


def agreement_rate(
    preferences: npt.ArrayLike, differences: npt.ArrayLike, generator: np.random.Generator
) -> Agreement:
    """Agreement of the sign of metric differences with the sign of people's preferences.

    Args:
        preferences: shape (n,); above 0 when people prefer the first grid, e.g. -2 .. 2 on a
            5-point scale; 0 is a tie.
        differences: shape (n,); metric of the first grid minus metric of the second.
        generator: for the bootstrap.

    Raises:
        ValueError: the lengths differ, or every preference is a tie.

    >>> agreement_rate([2, -1, 1, 0], [0.3, -0.1, -0.2, 0.5], np.random.default_rng(7)).n
    3
    """
    people, metric = np.asarray(preferences, dtype=float), np.asarray(differences, dtype=float)
    if people.shape != metric.shape:
        raise ValueError(f"{people.size} preferences for {metric.size} differences")
    decided = people != 0
    if not decided.any():
        raise ValueError(f"all {people.size} preferences are ties; nothing to agree with")
    agrees = np.sign(people[decided]) == np.sign(metric[decided])
    low, high = bootstrap_interval(agrees.astype(float), generator)
    without = int((metric[decided] == 0).sum())
    n = int(decided.sum())
    return Agreement(float(agrees.mean()), low, high, n, people.size - n, without)


def bootstrap_interval(
    values: Floats, generator: np.random.Generator, resamples: int = 2_000
) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean of `values`, shape (n,)."""
    drawn = generator.integers(len(values), size=(resamples, len(values)))
    low, high = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def rank_correlation(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[float, float]:
    """Spearman's rho and Kendall's tau-b, each in [-1, 1].

    >>> [round(value, 6) for value in rank_correlation([1, 2, 3, 4], [1, 2, 4, 3])]
    [0.8, 0.666667]
    """
    rho = stats.spearmanr(first, second).statistic
    return float(rho), float(stats.kendalltau(first, second).statistic)


def fleiss_kappa(counts: npt.ArrayLike) -> float:
    """Agreement of a fixed number of raters beyond chance, on unordered categories.

    kappa = (P - Pe) / (1 - Pe), P the mean share of agreeing pairs of raters per subject, Pe the
    share expected from the frequencies of the categories.

    Args:
        counts: shape (subjects, categories): how many raters chose each; equal row sums >= 2.

    Returns:
        At most 1; 0 is chance; not a number when every rating is the same.

    Source: J. L. Fleiss, "Measuring nominal scale agreement among many raters", 1971.
    """
    table = np.asarray(counts, dtype=float)
    raters = table.sum(axis=1)
    if raters.min() < 2 or np.ptp(raters) != 0:
        raise ValueError("each subject needs the same number of raters, at least 2")
    agreeing = (table * (table - 1)).sum(axis=1) / (raters * (raters - 1))
    by_chance = float(((table.sum(axis=0) / table.sum()) ** 2).sum())
    return float((agreeing.mean() - by_chance) / (1 - by_chance)) if by_chance < 1 else np.nan


def krippendorff_alpha(ratings: npt.ArrayLike, level: Level = "ordinal") -> float:
    """Agreement of any number of raters, some of whom may not have rated a unit.

    alpha = 1 - observed / expected disagreement, over pairs of ratings of the same unit.

    Args:
        ratings: shape (raters, units), not-a-number where there is no rating.
        level: what a difference means: "nominal", "ordinal" or "interval".

    Returns:
        At most 1; 0 is chance; not a number when every rating is the same.

    Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.
    """
    table = np.asarray(ratings, dtype=float)
    values = np.unique(table[~np.isnan(table)])
    counts = (table[:, :, None] == values).sum(axis=0).astype(float)
    counts = counts[counts.sum(axis=1) >= 2]
    itself = counts[:, :, None] * np.eye(len(values))
    pairs = counts[:, :, None] * counts[:, None, :] - itself
    coincidences = (pairs / (counts.sum(axis=1) - 1)[:, None, None]).sum(axis=0)
    margins = coincidences.sum(axis=0)
    distance = _distances(values, margins, level)
    expected = (np.outer(margins, margins) * distance).sum() / (margins.sum() - 1)
    return float(1 - (coincidences * distance).sum() / expected) if expected > 0 else np.nan


def _distances(values: Floats, margins: Floats, level: Level) -> Floats:
    """Squared difference between any two values, shape (values, values)."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    if level == "interval":
        return (values[:, None] - values[None, :]) ** 2
    middles = np.cumsum(margins) - margins / 2
    return (middles[:, None] - middles[None, :]) ** 2

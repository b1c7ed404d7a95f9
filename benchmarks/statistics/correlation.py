"""Rank and linear correlation of scores with people's ratings."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import stats

from alignment.statistics.intervals import LEVEL, Measured
from alignment.statistics.ties import tied

RESAMPLES = 1_000


def rank_correlation(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[float, float]:
    """Spearman's rho and Kendall's tau-b, each in [-1, 1]; values within 1e-9 are tied.

    Not a number where one of the two does not vary.


    >>> [round(value, 6) for value in rank_correlation([1, 2, 3, 4], [1, 2, 4, 3])]
    [0.8, 0.666667]
    >>> rank_correlation([0.1 + 0.2, 0.3, 0.9], [1, 1, 2])
    (1.0, 1.0)
    """
    one, other = tied(first), tied(second)
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan"), float("nan")
    rho = float(stats.spearmanr(one, other).statistic)
    return round(rho, 12), round(float(stats.kendalltau(one, other).statistic), 12)


def measured_rank_correlation(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    units: npt.ArrayLike,
    generator: np.random.Generator,
) -> Measured:
    """Spearman's rho with its 95 % interval: percentiles of 1,000 draws of whole units.

    Args:
        units: shape (n,), e.g. the prompt of each image.
    """
    one, other = tied(first), tied(second)
    names, members = np.unique(np.asarray(units), return_inverse=True)
    rows = [np.flatnonzero(members == unit) for unit in range(len(names))]
    drawn = []
    for _ in range(RESAMPLES):
        chosen = np.concatenate(
            [rows[unit] for unit in generator.integers(len(rows), size=len(rows))]
        )
        if np.ptp(one[chosen]) and np.ptp(other[chosen]):
            drawn.append(float(stats.spearmanr(one[chosen], other[chosen]).statistic))
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    return Measured(rank_correlation(one, other)[0], low, high, len(names))


def r_squared(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """R2, the share of the variance of one that a straight line through the other explains.

    >>> r_squared([1, 2, 3], [3, 5, 7])
    1.0
    """
    correlation = stats.pearsonr(np.asarray(first, float), np.asarray(second, float)).statistic
    return round(float(correlation) ** 2, 12)

"""How far raters agree with one another: majority, Fleiss' kappa, Krippendorff's alpha."""

from __future__ import annotations

from typing import Literal, TypeAlias

import krippendorff
import numpy as np
import numpy.typing as npt

Level: TypeAlias = Literal["nominal", "ordinal", "interval"]


def fleiss_kappa(counts: npt.ArrayLike) -> float:
    """Agreement of a fixed number of raters beyond chance, on unordered categories.

    kappa = (P - Pe) / (1 - Pe), P the mean share of agreeing pairs of raters per subject, Pe the
    share expected from the frequencies of the categories. (Written out: the one library that has
    it, statsmodels, would be 40 MB for these lines.)

    Args:
        counts: shape (subjects, categories): how many raters chose each; equal row sums >= 2.

    Returns:
        At most 1; 0 is chance; not a number when every rating is the same.

    Raises:
        ValueError: the row sums differ, or are below 2.

    Source: J. L. Fleiss, "Measuring nominal scale agreement among many raters", 1971.

    >>> fleiss_kappa([[3, 0], [0, 3]])
    1.0
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

    Args:
        ratings: shape (raters, units), not-a-number where there is no rating.
        level: what a difference means: "nominal", "ordinal" or "interval".

    Returns:
        At most 1; 0 is chance; not a number when every rating is the same, or no unit has two.

    Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.

    >>> krippendorff_alpha([[1, 2, 3], [1, 2, 3]])
    1.0
    """
    table = np.asarray(ratings, dtype=float)
    rated = ~np.isnan(table)
    if np.unique(table[rated]).size < 2 or rated.sum(axis=0).max() < 2:
        return np.nan
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement=level))

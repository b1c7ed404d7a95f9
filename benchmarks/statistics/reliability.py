"""How far raters agree with one another: Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd


@dataclass(frozen=True)
class Raters:
    """How people agree with one another."""

    alpha: float | None
    """Krippendorff's, over all judgements; None where no unit has two that may differ."""
    units: int
    """What was judged."""
    raters: int
    """Who judged it, or some of it."""


def raters_agreement(judgements: pd.DataFrame, unit: Sequence[str], value: str) -> Raters:
    """How far people agree; a person need not judge every unit.

    Args:
        judgements: with a column "rater".
    """
    matrix = judgements.pivot_table(index="rater", columns=[*unit], values=value)
    alpha = krippendorff_alpha(matrix.to_numpy())
    raters, units = matrix.shape
    return Raters(None if np.isnan(alpha) else alpha, units, raters)


def raters_by_pair(preferences: pd.DataFrame) -> dict[str, Raters]:
    """Pair of systems -> how far people agree about it.

    Pairs are apart because a preference has a sign: all of a pair share its sides, and those of two
    pairs would share nothing but the order of their names.

    Args:
        preferences: as `read_preferences` gives them.
    """
    return {
        f"{first} - {second}": raters_agreement(rows, ["dataset", "prompt", "grid"], "preference")
        for (first, second), rows in preferences.groupby(["first", "second"])
    }


def krippendorff_alpha(ratings: npt.ArrayLike) -> float:
    """Agreement of any number of raters, some of whom may not have rated a unit; ordinal.

    alpha = 1 - Do / De: the mean squared difference of two ratings of one unit over that of any two
    ratings, where a difference is how many ratings lie between them (of two values: whether they
    differ). Units with fewer than two ratings are left out.

    Args:
        ratings: shape (raters, units), not-a-number where there is no rating.

    Returns:
        At most 1; 0 is chance; not a number when every rating is the same, or no unit has two.

    Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.

    >>> krippendorff_alpha([[1, 2, 3], [1, 2, 3]])
    1.0
    """
    table = np.asarray(ratings, dtype=float)
    values = np.unique(table[~np.isnan(table)])
    counts = (table.T[:, :, None] == values).sum(axis=1).astype(float)
    counts = counts[counts.sum(axis=1) >= 2]
    paired = counts / (counts.sum(axis=1, keepdims=True) - 1)
    coincidences = counts.T @ paired - np.diag(paired.sum(axis=0))
    known = counts.sum(axis=0)
    places = np.cumsum(known) - known / 2
    squared = np.subtract.outer(places, places) ** 2
    expected = known @ squared @ known
    observed = (known.sum() - 1) * (coincidences * squared).sum()
    return float(1 - observed / expected) if expected else np.nan

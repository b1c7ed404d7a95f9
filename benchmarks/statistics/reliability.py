"""How far raters agree with one another: majority, Fleiss' kappa, Krippendorff's alpha."""

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
    kappa: float | None
    """Fleiss's, over the units that as many people judged as most; None without two for each."""
    units: int
    """How many those are."""
    raters: int
    """How many people judged each of them."""


def raters_agreement(judgements: pd.DataFrame, unit: Sequence[str], value: str) -> Raters:
    """How far people agree; a person need not judge every unit.

    Args:
        judgements: with a column "rater".
        unit: the columns that say what was judged.
        value: the column with the judgement.
    """
    matrix = judgements.pivot_table(index="rater", columns=[*unit], values=value)
    chosen = matrix.melt()["value"].rename("value")
    units = np.repeat(np.arange(matrix.shape[1]), matrix.shape[0])
    counts = pd.crosstab(units, chosen)
    raters = int(counts.sum(axis=1).mode().max())
    alike = counts[counts.sum(axis=1) == raters]
    kappa = _known(fleiss_kappa(alike)) if raters > 1 else None
    return Raters(_known(krippendorff_alpha(matrix.to_numpy())), kappa, len(alike), raters)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


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

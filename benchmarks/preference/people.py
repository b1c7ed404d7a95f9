"""People's ratings as preferences, and how far people agree with one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.statistics.reliability import fleiss_kappa, krippendorff_alpha
from session.errors import DataError


@dataclass(frozen=True)
class Raters:
    """How people agree with one another."""

    alpha: float | None
    """Krippendorff's, ordinal, over all judgements; None where no unit has two that may differ."""
    kappa: float | None
    """Fleiss's, over the units that as many people judged as most; None without two for each."""
    units: int
    """How many those are."""
    raters: int
    """How many people judged each of them."""


def read_ratings(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """DSG's published answers and ratings as grids, preferences and single ratings.

    Raises:
        DataError: a file is not in the folder.

    Source: J. Cho et al., "Davidsonian Scene Graph", 2024, annotations under Apache-2.0.
    """
    files = [folder / name for name in ("pali17b_dsg.csv", "tifa160-likert-anns.csv")]
    for file in files:
        if not file.is_file():
            raise DataError(f"there is no file {file}; it is published at github.com/j-min/DSG")
    answers, ratings = map(pd.read_csv, files)
    relevance = (answers["answer"] == "yes").groupby([answers["item_id"], answers["t2i_model"]])
    liking = ratings.groupby(["item_id", "t2i_model"])["answer"].mean()
    both = pd.DataFrame({"relevance": relevance.mean(), "rating": liking}).dropna().reset_index()
    grids = both.rename(columns={"item_id": "prompt", "t2i_model": "system"}).assign(place=0)
    return grids, _preferences_of_ratings(grids), ratings


def _preferences_of_ratings(grids: pd.DataFrame) -> pd.DataFrame:
    """One row for each prompt and pair of systems: first mean rating minus second."""
    rating = grids.pivot_table(index="prompt", columns="system", values="rating").dropna()
    pairs = [
        pd.DataFrame({"first": a, "second": b, "preference": rating[a] - rating[b]})
        for a, b in combinations(rating.columns, 2)
    ]
    return pd.concat(pairs).reset_index().assign(rater="mean")


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
    alpha = _known(krippendorff_alpha(matrix.to_numpy(), "ordinal"))
    return Raters(alpha, kappa, len(alike), raters)


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


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value

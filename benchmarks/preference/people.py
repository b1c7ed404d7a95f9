"""People's preferences: their agreement with one another, and that of a measure with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from alignment.statistics.preferences import PreferenceAgreement, preference_agreement
from benchmarks.statistics.correlation import rank_correlation
from benchmarks.statistics.reliability import fleiss_kappa, krippendorff_alpha
from session.errors import DataError
from session.systems.grids import Systems
from session.systems.measures import Score
from session.systems.people import known_preferences


@dataclass(frozen=True)
class AgreesWith:
    """How a measure's differences go with people's preferences."""

    agreement: PreferenceAgreement
    spearman: float | None
    """Rank correlation of differences and preferences, sides in alphabetical order; None where one
    of the two does not vary."""


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


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


def agreement_with_people(
    score: Score, systems: Systems, preferences: pd.DataFrame, generator: np.random.Generator
) -> AgreesWith:
    """A measure's differences against every preference over grids that are known.

    Raises:
        DataError: a column is missing, or no preference, ties apart, is about known grids.
    """
    people, differences, prompts = known_preferences(score, systems, preferences)
    agreement = preference_agreement(people, differences, prompts, generator)
    rho = rank_correlation(people, differences)[0]
    return AgreesWith(agreement, None if np.isnan(rho) else rho)

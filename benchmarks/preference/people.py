"""What people said comes in; how they agree, with one another and with a measure, goes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pandas as pd

from alignment.set_metrics.relevance import Floats
from benchmarks.data.errors import DataError
from benchmarks.data.grids import Systems, check_columns
from benchmarks.statistics.agreement import (
    Agreement,
    agreement_rate,
    fleiss_kappa,
    krippendorff_alpha,
    rank_correlation,
)
from benchmarks.statistics.comparison import ScoredGrid

Score: TypeAlias = Callable[[Sequence[ScoredGrid]], Floats]
"""What is measured of grids, shape (n,)."""


@dataclass(frozen=True)
class AgreesWith:
    """How a measure's differences go with people's preferences."""

    agreement: Agreement
    spearman: float
    """Rank correlation of differences and preferences."""


@dataclass(frozen=True)
class Raters:
    """How people agree with one another."""

    alpha: float
    """Krippendorff's, ordinal, over all judgements."""
    kappa: float | None
    """Fleiss's, over the units that as many people judged as most; None without two for each."""
    units: int
    """How many those are."""
    raters: int
    """How many people judged each of them."""


def read_ratings(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """DSG's published answers and ratings as grids, preferences and single ratings.

    Source: J. Cho et al., "Davidsonian Scene Graph", 2024, annotations under Apache-2.0.
    """
    answers = pd.read_csv(folder / "pali17b_dsg.csv")
    relevance = (answers["answer"] == "yes").groupby([answers["item_id"], answers["t2i_model"]])
    ratings = pd.read_csv(folder / "tifa160-likert-anns.csv")
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
    kappa = fleiss_kappa(alike) if raters > 1 else None
    return Raters(krippendorff_alpha(matrix.to_numpy(), "ordinal"), kappa, len(alike), raters)


def agreement_with_people(
    score: Score, systems: Systems, preferences: pd.DataFrame, generator: np.random.Generator
) -> AgreesWith:
    """A measure's differences against every preference over grids that are known.

    Raises:
        DataError: a column is missing, or no preference, ties apart, is about known grids.
    """
    check_columns(preferences, "preferences", "prompt", "first", "second", "preference")
    scores = {
        (name, prompt): value
        for name, grids in systems.items()
        for prompt, value in zip(grids, score([*grids.values()]), strict=True)
    }
    rows = preferences[["prompt", "first", "second", "preference"]].itertuples(index=False)
    known = [
        (preference, scores[first, str(prompt)] - scores[second, str(prompt)])
        for prompt, first, second, preference in rows
        if (first, str(prompt)) in scores and (second, str(prompt)) in scores
    ]
    if not any(preference for preference, _ in known):
        raise DataError("no preference but ties is about two systems and a prompt that are known")
    people, differences = zip(*known, strict=True)
    agreement = agreement_rate(people, differences, generator)
    return AgreesWith(agreement, rank_correlation(people, differences)[0])

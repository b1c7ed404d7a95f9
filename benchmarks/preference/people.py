"""People's preferences: their agreement with one another, and that of a measure with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pandas as pd

from alignment.set_metrics.relevance import Floats
from alignment.statistics.preferences import PreferenceAgreement, preference_agreement
from benchmarks.data.errors import DataError
from benchmarks.data.grids import Systems, check_columns
from benchmarks.statistics.comparison import ScoredGrid
from benchmarks.statistics.correlation import rank_correlation
from benchmarks.statistics.reliability import fleiss_kappa, krippendorff_alpha

Score: TypeAlias = Callable[[Sequence[ScoredGrid]], Floats]
"""What is measured of grids, shape (n,)."""


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


def canonical(preferences: pd.DataFrame) -> pd.DataFrame:
    """The same preferences, the two systems of each in alphabetical order.

    A person who prefers the second of (a, b) says what one says who prefers the first of (b, a);
    agreement among people and rank correlations see that only when sides are in one order.

    >>> table = pd.DataFrame([("b", "a", 2)], columns=["first", "second", "preference"])
    >>> canonical(table).values.tolist()
    [['a', 'b', -2]]
    """
    turned = preferences["first"] > preferences["second"]
    sides = preferences[["first", "second"]].to_numpy()
    first, second = np.sort(sides.astype(str), axis=1).T
    preference = preferences["preference"].where(~turned, -preferences["preference"])
    return preferences.assign(first=first, second=second, preference=preference)


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


def prompt_scores(score: Score, systems: Systems) -> dict[str, Floats]:
    """System -> the measure of each prompt in turn: the mean over its seeds."""
    return {
        name: np.array([score(grids).mean() for grids in prompts.values()])
        for name, prompts in systems.items()
    }


def agreement_with_people(
    score: Score, systems: Systems, preferences: pd.DataFrame, generator: np.random.Generator
) -> AgreesWith:
    """A measure's differences against every preference over grids that are known.

    Raises:
        DataError: a column is missing, or no preference, ties apart, is about known grids.
    """
    check_columns(preferences, "preferences", "prompt", "first", "second", "preference")
    by_system = prompt_scores(score, systems)
    scores = {
        (name, prompt): value
        for name, prompts in systems.items()
        for prompt, value in zip(prompts, by_system[name], strict=True)
    }
    rows = canonical(preferences)[["prompt", "first", "second", "preference"]]
    known = [
        (preference, scores[first, str(prompt)] - scores[second, str(prompt)], str(prompt))
        for prompt, first, second, preference in rows.itertuples(index=False)
        if (first, str(prompt)) in scores and (second, str(prompt)) in scores
    ]
    if not any(preference for preference, *_ in known):
        raise DataError("no preference but ties is about two systems and a prompt that are known")
    people, differences, prompts = zip(*known, strict=True)
    agreement = preference_agreement(people, differences, prompts, generator)
    rho = rank_correlation(people, differences)[0]
    return AgreesWith(agreement, None if np.isnan(rho) else rho)

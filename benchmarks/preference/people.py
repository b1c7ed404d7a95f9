"""People's ratings as preferences, and how far people agree with one another."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pandas as pd

from benchmarks.data.dsg import image_scores, read_answers, read_ratings
from benchmarks.statistics.reliability import Raters, raters_agreement
from session.errors import DataError


def read_published(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """DSG's published answers and ratings as grids, preferences and single ratings.

    Raises:
        DataError: a file is not in the folder.

    Source: J. Cho et al., "Davidsonian Scene Graph", 2024, annotations under Apache-2.0.
    """
    files = [folder / name for name in ("pali17b_dsg.csv", "tifa160-likert-anns.csv")]
    for file in files:
        if not file.is_file():
            raise DataError(f"there is no file {file}; it is published at github.com/j-min/DSG")
    answers, ratings = files
    known = {
        "relevance": image_scores(read_answers(answers), dependencies=False),
        "rating": read_ratings(ratings),
    }
    both = pd.DataFrame(known).dropna().rename_axis(["system", "prompt"])
    grids = both.sort_index(level=["prompt", "system"]).reset_index().assign(place=0)
    return grids, _preferences_of_ratings(grids), pd.read_csv(ratings)


def _preferences_of_ratings(grids: pd.DataFrame) -> pd.DataFrame:
    """One row for each prompt and pair of systems: first mean rating minus second."""
    rating = grids.pivot_table(index="prompt", columns="system", values="rating").dropna()
    pairs = [
        pd.DataFrame({"first": a, "second": b, "preference": rating[a] - rating[b]})
        for a, b in combinations(rating.columns, 2)
    ]
    return pd.concat(pairs).reset_index().assign(rater="mean")


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

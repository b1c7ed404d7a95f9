"""People's preferences between systems, held against what a measure says of the same grids."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from alignment.statistics.preferences import PreferenceAgreement, preference_agreement
from session.errors import DataError
from session.systems.grids import Systems
from session.systems.measures import Score, prompt_scores
from session.tables import FIRST_ROW, check_columns, read_table

if TYPE_CHECKING:
    import pandas as pd


COLUMNS = ("prompt", "first", "second", "rater", "preference")
PREFERENCES = (2, 1, 0, -1, -2)
"""What a person may say, from "first much better" to "second much better"."""


def read_preferences(*files: Path) -> pd.DataFrame:
    """A table with one row for each judgement of a person, the sides of all in one order.

    Args:
        files: CSV files of prompt, first, second (two systems), rater, and preference: 2 first much
            better, 1 better, 0 alike, -1, -2 second. Those of several raters are joined.

    Raises:
        DataError: there is no such file, a column or a cell is missing, a preference is not in
            `PREFERENCES`, or two files have judgements of one rater on the same two grids.
    """
    import pandas as pd

    tables = [_read(file).assign(file=file.name) for file in files]
    joined = pd.concat(tables, ignore_index=True)
    judged = ["prompt", "first", "second", "rater"]
    once = joined.drop_duplicates([*judged, "file"])
    for _, each in once[once.duplicated(judged)].iterrows():
        raise DataError(
            f"{each['file']}: the rater {each['rater']} judges {each['first']} and "
            f"{each['second']} on {each['prompt']!r} in another file, too; give each file once, "
            "and each rater a name"
        )
    return joined.drop(columns="file")


def _read(file: Path) -> pd.DataFrame:
    import pandas as pd

    table = read_table(file)
    check_columns(table, file.name, *COLUMNS)
    if table.empty:
        raise DataError(f"{file.name} has a header alone; give one row for each judgement")
    number = pd.to_numeric(table["preference"], errors="coerce")
    for place, row in enumerate(table[[*COLUMNS]].to_dict("records")):
        where = f"{file.name}, row {place + FIRST_ROW}"
        if missing := [column for column in COLUMNS if pd.isna(row[column])]:
            given = f"{where} has no {', '.join(missing)}"
            raise DataError(f"{given}; give {', '.join(COLUMNS)} in every row")
        if number[place] not in PREFERENCES:
            given = f"{where} has the preference {row['preference']}"
            raise DataError(f"{given}; give {', '.join(map(str, PREFERENCES))}")
    return canonical(table.assign(preference=number))


def canonical(preferences: pd.DataFrame) -> pd.DataFrame:
    """The same preferences, the two systems of each in alphabetical order.

    A person who prefers the second of (a, b) says what one says who prefers the first of (b, a);
    agreement among people and rank correlations see that only when sides are in one order.

    >>> import pandas as pd
    >>> table = pd.DataFrame([("b", "a", 2)], columns=["first", "second", "preference"])
    >>> canonical(table).values.tolist()
    [['a', 'b', -2]]
    """
    turned = preferences["first"] > preferences["second"]
    sides = preferences[["first", "second"]].to_numpy()
    first, second = np.sort(sides.astype(str), axis=1).T
    preference = preferences["preference"].where(~turned, -preferences["preference"])
    return preferences.assign(first=first, second=second, preference=preference)


def known_preferences(
    score: Score, systems: Systems, preferences: pd.DataFrame
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[str, ...]]:
    """Preferences about grids that are known, what a measure says of each, and their prompts.

    Args:
        score: the measure.
        systems: with their grids.
        preferences: people's, above 0 for the first.

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
    return people, differences, prompts


def agreement(
    score: Score, systems: Systems, preferences: pd.DataFrame, generator: np.random.Generator
) -> PreferenceAgreement:
    """How often a measure prefers what people prefer; arguments as in `known_preferences`."""
    return preference_agreement(*known_preferences(score, systems, preferences), generator)

"""People's preferences between systems, held against what a measure says of the same grids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from session.errors import DataError
from session.systems.grids import ScoredGrid, Systems
from session.tables import FIRST_ROW, check_cells, check_columns, read_table

COLUMNS = ("prompt", "first", "second", "rater", "preference")
NAMING = ("grid", "dataset")
"""Columns that a file may have, too, and where a cell may be empty."""
PREFERENCES = (2, 1, 0, -1, -2)
"""What a person may say, from "first much better" to "second much better"."""


class Pair(NamedTuple):
    """What a judgement is about: two systems on the prompts of a data set."""

    dataset: str
    """Empty where that is not said."""
    first: str
    second: str


def read_preferences(*files: Path) -> pd.DataFrame:
    """A table with one row for each judgement of a person, the sides of all in one order.

    Args:
        files: CSV files of prompt, first, second (two systems), rater, and preference: 2 first much
            better, 1 better, 0 alike, -1, -2 second. Where they are known, too: grid, the seed of
            both grids, or their ids with a space between; and dataset, that of the prompt. Those of
            several raters are joined.

    Raises:
        DataError: there is no such file, a column or a cell is missing, there is a column more, a
            preference is not in `PREFERENCES`, or two files have judgements of one rater on the
            same two grids.
    """
    tables = [_read(file).assign(file=file.name) for file in files]
    joined = pd.concat(tables, ignore_index=True)
    judged = ["prompt", "first", "second", "rater", *NAMING]
    once = joined.drop_duplicates([*judged, "file"])
    for _, each in once[once.duplicated(judged)].iterrows():
        raise DataError(
            f"{each['file']}: the rater {each['rater']} judges {each['first']} and "
            f"{each['second']} on {each['prompt']!r} in another file, too; give each file once, "
            "and each rater a name"
        )
    return joined.drop(columns="file")


def _read(file: Path) -> pd.DataFrame:
    table = read_table(file, dtype=str)
    check_columns(file.name, COLUMNS, table.columns)
    if strange := [column for column in table if column not in COLUMNS + NAMING]:
        known = ", ".join(COLUMNS + NAMING)
        raise DataError(f"{file.name}: no column may be called {strange[0]}; known: {known}")
    if table.empty:
        raise DataError(f"{file.name} has a header alone; give one row for each judgement")
    number = pd.to_numeric(table["preference"], errors="coerce")
    for place, row in enumerate(table[[*COLUMNS]].to_dict("records")):
        where = f"{file.name}, row {place + FIRST_ROW}"
        check_cells(where, row, COLUMNS)
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
    >>> canonical(table)[["first", "second", "preference"]].values.tolist()
    [['a', 'b', -2]]
    """
    turned = preferences["first"] > preferences["second"]
    sides = preferences[["first", "second"]].to_numpy()
    first, second = np.sort(sides.astype(str), axis=1).T
    preference = preferences["preference"].where(~turned, -preferences["preference"])
    named = {name: preferences[name].fillna("") if name in preferences else "" for name in NAMING}
    return preferences.assign(first=first, second=second, preference=preference, **named)


def without_grids(preferences: pd.DataFrame, systems: Systems) -> dict[str, Any]:
    """What of some preferences has no grids: how many, which systems and prompts; or nothing."""
    prompts = {prompt for grids in systems.values() for prompt in grids}
    asked = preferences[["prompt", "first", "second"]].astype(str)
    known = asked["prompt"].isin(prompts)
    for side in ("first", "second"):
        known &= asked[side].isin(systems)
    if known.all():
        return {}
    named = {*asked["first"], *asked["second"]}
    return {
        "preferences": int((~known).sum()),
        "of": len(asked),
        "systems": sorted(named - {*systems}),
        "known": sorted(systems),
        "prompts": sorted({*asked["prompt"]} - prompts),
    }


@dataclass(frozen=True)
class Judgement:
    """A preference between grids that are known."""

    preference: float
    """Above 0 for the first."""
    about: Pair
    prompt: str
    first: tuple[ScoredGrid, ...]
    """Those that it names; all of the prompt where it names none."""
    second: tuple[ScoredGrid, ...]


def judgements(systems: Systems, preferences: pd.DataFrame) -> tuple[Judgement, ...]:
    """The preferences that are about known systems and prompts.

    Raises:
        DataError: a column is missing, a grid or a data set is not among those of a prompt, or no
            preference, ties apart, is about known grids.
    """
    check_columns("preferences", ("prompt", "first", "second", "preference"), preferences.columns)
    rows = canonical(preferences).astype({"prompt": str})
    found = tuple(
        _judgement(systems, row)
        for row in rows.to_dict("records")
        if all(row["prompt"] in systems.get(row[side], {}) for side in ("first", "second"))
    )
    if not any(each.preference for each in found):
        raise DataError(
            "no preference but ties is about two systems and a prompt that are known; the systems "
            f"are {'; '.join(systems)}"
        )
    return found


def _judgement(systems: Systems, row: Mapping[str, Any]) -> Judgement:
    first, second = (_named(systems, row[side], row) for side in ("first", "second"))
    about = Pair(row["dataset"] or first[0].dataset, row["first"], row["second"])
    return Judgement(row["preference"], about, row["prompt"], first, second)


def _named(systems: Systems, system: str, row: Mapping[str, Any]) -> tuple[ScoredGrid, ...]:
    """The grids of a system that a judgement names."""
    grids, wanted, dataset = systems[system][row["prompt"]], row["grid"].split(), row["dataset"]
    of_set = [each for each in grids if not dataset or each.dataset in ("", dataset)]
    found = tuple(each for each in of_set if not wanted or {*wanted} & {*each.names})
    if not found:
        known = "; ".join(" ".join(filter(None, (*each.names, each.dataset))) for each in grids)
        given = " of ".join(filter(None, (row["grid"], dataset)))
        raise DataError(
            f"preferences: {system} has no grid {given} of {row['prompt']!r}; known: {known}"
        )
    return found

"""Grids of several systems on the same prompts, from a table."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from session.errors import DataError
from session.systems.grids import ScoredGrid, Systems, shared
from session.tables import check_columns

UNSAID: Mapping[str, float] = {"attention": 1.0, "seed": 0}
"""What columns hold that a table does not have."""


def read_grids(table: pd.DataFrame) -> Systems:
    """The grids of a table with one row for each image, over the prompts that all systems have.

    Args:
        table: prompt, system, place (from 0, row by row), relevance (in [0, 1]) and, if known,
            seed (several grids of one prompt), attention (of the place; equal where there is no
            such column) and similarity (to each place of the grid in turn, numbers in [0, 1] with
            spaces between them).

    Raises:
        DataError: a column is missing, a value is out of range, or no prompt is shared.
    """
    check_columns(table, "grids", "prompt", "system", "place", "relevance")
    if not table["relevance"].between(0, 1).all():
        raise DataError("grids: every relevance must be a number in [0, 1]")
    missing = {name: value for name, value in UNSAID.items() if name not in table}
    table = table.assign(**missing)
    systems: dict[str, dict[str, tuple[ScoredGrid, ...]]] = {}
    for (system, prompt, _), rows in table.sort_values("place").groupby(
        ["system", "prompt", "seed"]
    ):
        grids = systems.setdefault(str(system), {})
        grids[str(prompt)] = (*grids.get(str(prompt), ()), _grid(rows))
    return shared(systems)


def _grid(rows: pd.DataFrame) -> ScoredGrid:
    similarity = None
    if "similarity" in rows:
        similarity = tuple(tuple(map(float, str(line).split())) for line in rows["similarity"])
        if any(len(line) != len(rows) for line in similarity):
            prompt = rows["prompt"].iloc[0]
            raise DataError(f"grids: {len(rows)} places of {prompt!r} need as many similarities")
    return ScoredGrid(tuple(rows["relevance"]), tuple(rows["attention"]), similarity)

"""Rows of a published table: the same pairs by several methods, models or settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.data.scored_pairs import LabelledScores, read_scored
from benchmarks.options import PairSource, evaluators
from session.errors import DataError


@dataclass(frozen=True)
class TableRow:
    """One row: a method, with which models and settings."""

    method: str
    roles: Sequence[str] = ()
    """Like "clip=clip-rn50x64": models that take the place of those of the bundle."""
    vq2: Sequence[str] = ()
    """Like "assessment=A": settings of VQ2."""
    note: str = field(default="")
    """What differs from the published row."""


def choose_rows(rows: Mapping[str, TableRow], names: Sequence[str] | None) -> dict[str, TableRow]:
    """The rows of these names, or all.

    Raises:
        DataError: there is no such row.
    """
    for name in names or ():
        if name not in rows:
            raise DataError(f"no row {name!r}; known: {', '.join(rows)}")
    return {name: row for name, row in rows.items() if not names or name in names}


def score_rows(
    rows: Mapping[str, TableRow],
    source: PairSource,
    bundle: str,
    roles: Sequence[str],
    scores: Path | None,
) -> list[LabelledScores]:
    """Every pair with its score in each row, by the name of the row.

    Args:
        rows: by name.
        source: of the pairs.
        bundle: its name.
        roles: models for all rows; those of a row itself come after them.
        scores: a folder that keeps scores.
    """
    columns = {
        name: read_scored(
            source, evaluators(bundle, [*roles, *row.roles], row.method, row.vq2, scores)
        )
        for name, row in rows.items()
    }
    pairs = next(iter(columns.values()))
    return [
        LabelledScores(
            each.pair,
            {name: column[at].scores[rows[name].method] for name, column in columns.items()},
        )
        for at, each in enumerate(pairs)
    ]

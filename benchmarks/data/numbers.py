"""Measured numbers with their signatures, and how they are printed: a table, then one JSON line."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table

from alignment.statistics.intervals import FEW


@dataclass(frozen=True)
class Number:
    """A measured value and everything needed to measure it again."""

    signature: str
    value: float
    low: float | None = None
    """Of the 95 % interval, where there is one."""
    high: float | None = None
    units: int | None = None
    """How many units, e.g. prompts, the interval rests on."""
    chance: float | None = None
    """What scores that know nothing reach, where that is known."""

    def __str__(self) -> str:
        return "" if math.isnan(self.value) else f"{self.value:.3f}"

    @property
    def interval(self) -> str:
        """The interval as a cell of a table."""
        return "" if self.low is None else f"{self.low:.3f} .. {self.high:.3f}"

    @property
    def cell(self) -> str:
        """Value and interval, one below the other, as a cell of a table."""
        return f"{self}\n{self.interval}".rstrip()


def signature(name: str, **settings: object) -> str:
    """The name of a number with what it was made from.

    >>> signature("AUC", data="drawbench", method="vq2", n=1312)
    'AUC|data:drawbench|method:vq2|n:1312'
    """
    return "|".join([name, *(f"{key}:{value}" for key, value in settings.items())])


def blank_table(title: str, first: str, *others: str) -> Table:
    """A table whose first column is words and whose others are numbers."""
    table = Table(first, title=title)
    for heading in others:
        table.add_column(heading, justify="right")
    return table


def publish(
    benchmark: str,
    tables: Sequence[Table | str],
    numbers: Sequence[Number],
    extra: Mapping[str, object] | None = None,
) -> None:
    """Print the tables, a caution where intervals rest on little, then the line.

    Args:
        benchmark: its name.
        tables: and sentences.
        numbers: what is not a number is null in the line.
        extra: what else the line holds.
    """
    Console().print(*tables, *caution(numbers), sep="\n", soft_wrap=False)
    found = {"benchmark": benchmark, "numbers": [_plain(each) for each in numbers]}
    print(json.dumps({**found, **(extra or {})}))


def caution(numbers: Sequence[Number]) -> list[str]:
    """A sentence about the intervals that rest on fewer than ten units, where there are any.

    >>> caution([Number("P@1", 0.5, 0.1, 0.9, 4), Number("P@1", 0.5, 0.4, 0.6, 40)])
    ['1 of 2 intervals rests on fewer than 10 units (4 at least): do not rely on it.']
    """
    units = [each.units for each in numbers if each.units is not None]
    few = [each for each in units if each < FEW]
    if not few:
        return []
    rest, them = ("rests", "it") if len(few) == 1 else ("rest", "them")
    return [
        f"{len(few)} of {len(units)} intervals {rest} on fewer than {FEW} units "
        f"({min(few)} at least): do not rely on {them}."
    ]


def _plain(number: Number) -> dict[str, str | float | None]:
    known = {name: value for name, value in asdict(number).items() if value is not None}
    return {**known, "value": None if math.isnan(number.value) else number.value}

"""Measured numbers with their signatures, and how they are printed: a table, then one JSON line."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from alignment.statistics.intervals import FEW, Measured
from benchmarks.statistics.classification import measured_auc


@dataclass(frozen=True)
class Number:
    """A measured value and everything needed to measure it again."""

    name: str
    about: Mapping[str, object]
    """What it was measured on and with, by the names of the settings."""
    value: float
    low: float | None = None
    """Of the 95 % interval, where there is one."""
    high: float | None = None
    units: int | None = None
    """How many units, e.g. prompts, the interval rests on."""
    chance: float | None = None
    """What scores that know nothing reach, where that is known."""

    @classmethod
    def of(
        cls, name: str, about: Mapping[str, object], found: Measured, chance: float | None = None
    ) -> Number:
        """What was measured with its interval."""
        return cls(name, about, found.value, found.low, found.high, found.n, chance)

    @property
    def signature(self) -> str:
        """The name with what the number was made from."""
        return signature(self.name, **self.about)

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


def beside_chance(number: Number) -> str:
    """Value, interval and, where it is known, chance as a cell of a table."""
    return number.cell + ("" if number.chance is None else f"\nby chance {number.chance:.3f}")


def signature(name: str, **settings: object) -> str:
    """The name of a number with what it was made from.

    >>> signature("AUC", data="drawbench", method="vq2", n=1312)
    'AUC|data:drawbench|method:vq2|n:1312'
    """
    return "|".join([name, *(f"{key}:{value}" for key, value in settings.items())])


def auc(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    units: npt.ArrayLike,
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> Number:
    """The ROC AUC of scores with its interval; not a number where all labels are the same.

    Args:
        labels: shape (n,), 1 or 0.
        units: shape (n,), what is drawn, e.g. the prompt of each pair.
    """
    found = measured_auc(labels, scores, units, generator)
    if found is None:
        return Number("AUC", about, math.nan, chance=0.5)
    return Number.of("AUC", about, found, chance=0.5)


def blank_table(title: str, words: Sequence[str], numbers: Iterable[str]) -> Table:
    """A table whose first columns are words and whose others are numbers."""
    table = Table(*words, title=title)
    for heading in numbers:
        table.add_column(heading, justify="right")
    return table


def pivot(
    title: str,
    numbers: Sequence[Number],
    rows: Sequence[str],
    column: str,
    cell: Callable[[Number], str] = attrgetter("cell"),
) -> Table:
    """A row for every combination of some settings, a column for each value of another.

    Args:
        rows: settings of `Number.about`.
        column: a setting, or "name" for the numbers' own.
    """
    cells: dict[tuple[str, ...], dict[str, str]] = {}
    for each in numbers:
        about = {"name": each.name, **each.about}
        row = cells.setdefault(tuple(str(about[name]) for name in rows), {})
        row[str(about[column])] = cell(each)
    columns = [*dict.fromkeys(name for row in cells.values() for name in row)]
    table = blank_table(title, rows, columns)
    for names, row in cells.items():
        table.add_row(*names, *(row.get(each, "") for each in columns))
    return table


def publish(
    benchmark: str,
    tables: Sequence[Table | str],
    numbers: Sequence[Number],
    extra: Mapping[str, object] | None = None,
) -> None:
    """Print the tables, a caution where intervals rest on little, then the line.

    Args:
        numbers: what is not a number is null in the line.
    """
    told = caution(each.units for each in numbers)
    Console().print(*tables, *told, sep="\n", soft_wrap=False)
    found = {"benchmark": benchmark, "numbers": [_plain(each) for each in numbers]}
    print(json.dumps({**found, **(extra or {})}))


def caution(units: Iterable[int | None]) -> list[str]:
    """A sentence about the intervals that rest on fewer than ten units, where there are any.

    >>> caution([4, 40])
    ['1 of 2 intervals rests on fewer than 10 units (4 at least): do not rely on it.']
    """
    known = [each for each in units if each is not None]
    few = [each for each in known if each < FEW]
    if not few:
        return []
    rest, them = ("rests", "it") if len(few) == 1 else ("rest", "them")
    return [
        f"{len(few)} of {len(known)} intervals {rest} on fewer than {FEW} units "
        f"({min(few)} at least): do not rely on {them}."
    ]


def _plain(number: Number) -> dict[str, str | float | None]:
    interval = {"low": number.low, "high": number.high, "units": number.units}
    known = {"value": number.value, **interval, "chance": number.chance}
    plain = {name: value for name, value in known.items() if value is not None}
    value = None if math.isnan(number.value) else number.value
    return {"signature": number.signature, **plain, "value": value}

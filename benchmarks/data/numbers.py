"""Numbers with their signatures come in; a table for people and one line of JSON go out."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Number:
    """A measured value and everything needed to measure it again."""

    signature: str
    value: float
    low: float | None = None
    """Of the 95 % interval, where there is one."""
    high: float | None = None

    def __str__(self) -> str:
        return "" if math.isnan(self.value) else f"{self.value:.3f}"

    @property
    def interval(self) -> str:
        """The interval as a cell of a table."""
        return "" if self.low is None else f"{self.low:.3f} .. {self.high:.3f}"


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


def publish(benchmark: str, tables: Sequence[Table | str], numbers: Sequence[Number]) -> None:
    """Print the tables, then the line; what is not a number is null there."""
    Console().print(*tables, sep="\n")
    print(json.dumps({"benchmark": benchmark, "numbers": [_plain(each) for each in numbers]}))


def _plain(number: Number) -> dict[str, str | float | None]:
    known = {name: value for name, value in asdict(number).items() if value is not None}
    return {**known, "value": None if math.isnan(number.value) else number.value}

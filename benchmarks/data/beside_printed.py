"""Figures as they are printed, each beside ours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

from benchmarks.data.numbers import Number, blank_table


@dataclass(frozen=True)
class Recomputed:
    """One number, ours and the printed one."""

    signature: str
    ours: float
    printed: float | None
    """None where there is none to compare with."""
    digits: int
    """After the point, as printed."""
    reason: str = ""
    """Why ours may differ."""

    @property
    def agrees(self) -> bool | None:
        """Whether ours rounds to the printed one; None where there is none."""
        if self.printed is None:
            return None
        return abs(self.ours - self.printed) <= 0.5 / 10.0**self.digits + 1e-9

    @property
    def told(self) -> str:
        """What stands beside ours."""
        if self.agrees is not False:
            return "agrees" if self.agrees else ""
        return f"DIFFERS: {self.reason}".removesuffix(": ")


def beside_printed(
    title: str,
    printed: Mapping[str, Mapping[str, float]],
    ours: Iterable[Number],
    column: str,
    rows: Mapping[str, str],
) -> tuple[Table, list[Recomputed]]:
    """The rows of a table as printed, in percent, ours of the same method below each.

    Args:
        printed: row -> column -> percent.
        ours: in [0, 1], each with its method; what is not a number is left out.
        column: a setting of the numbers, or "name" for their own.
        rows: method of ours -> the printed row; methods without one come last.
    """
    own: dict[str, dict[str, Number]] = {}
    for each in ours:
        about = {"name": each.name, **each.about}
        if not math.isnan(each.value):
            own.setdefault(str(about["method"]), {})[str(about[column])] = each
    places = {each: rows[each] if rows.get(each) in printed else "" for each in own}
    columns = [*dict.fromkeys(name for figures in printed.values() for name in figures)]
    table, compared = blank_table(title, ["row"], columns), list[Recomputed]()
    for row, figures in {**printed, "": {}}.items():
        if row:
            table.add_row(row, *(_as_printed(figures.get(name)) for name in columns))
        for method, numbers in own.items():
            if places[method] == row:
                found = {each: _compared(numbers[each], figures.get(each)) for each in numbers}
                table.add_row(f"ours: {method}", *(_cell(found.get(name)) for name in columns))
                compared += [each for each in found.values() if each.printed is not None]
    return table, compared


def table_of(found: Sequence[Recomputed]) -> Table:
    """A row for each number, ours beside what is printed."""
    table = blank_table("Recomputed from published data", ["number"], ["ours", "printed"])
    table.add_column("")
    for each in found:
        printed = "" if each.printed is None else f"{each.printed:.{each.digits}f}"
        table.add_row(each.signature, f"{each.ours:.{each.digits}f}", printed, each.told)
    return table


def _compared(number: Number, printed: float | None) -> Recomputed:
    return Recomputed(number.signature, 100 * number.value, printed, _digits(printed))


def _digits(printed: float | None) -> int:
    """After the point: one at least.

    >>> _digits(47.0), _digits(28.75)
    (1, 2)
    """
    return 1 if printed is None else max(1, len(f"{printed:g}".partition(".")[2]))


def _as_printed(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.{_digits(figure)}f}"


def _cell(found: Recomputed | None) -> str:
    return "" if found is None else f"{found.ours:.{found.digits}f} {found.told}".rstrip()

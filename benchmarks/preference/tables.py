"""Tables and sentences about a comparison of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rich.table import Table

from alignment.set_metrics.metrics import SetMetric
from benchmarks.data.numbers import blank_table
from benchmarks.statistics.comparison import OrderChange, SystemDifference

PERSISTENCES = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.99)


def difference_table(title: str, differences: Sequence[SystemDifference]) -> Table:
    """One row for each pair of systems."""
    table = Table(title=title)
    table.add_column("first - second")
    for heading in ("mean", "95 %", "n", "Wilcoxon p", "Holm p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in differences:
        numbers = (f"{each.value:+.3f}", f"{each.low:+.3f} .. {each.high:+.3f}", str(each.n))
        p_values = (f"{each.p_value:.2g}", f"{each.corrected:.2g}")
        table.add_row(f"{each.first} - {each.second}", *numbers, *p_values)
    return table


def report_sentence(measure: str, differences: Sequence[SystemDifference], tests: int) -> str:
    """What to write in a paper, of the two systems that differ most surely.

    Args:
        measure: the name of the metric.
        differences: between systems, by that metric.
        tests: how many comparisons Holm's correction is over, those of other metrics included.
    """
    surest = min(differences, key=lambda each: (each.corrected, each.p_value))
    first, second, low, high = surest.first, surest.second, surest.low, surest.high
    if surest.value < 0:
        first, second, low, high = second, first, -high, -low
    return (
        f"Over {surest.n} prompts, {first} earns {abs(surest.value):.3f} more {measure} than "
        f"{second} (95 % bootstrap interval {low:.3f} to {high:.3f}; Wilcoxon signed-rank test, "
        f"p = {surest.corrected:.2g} after Holm's correction over {tests} comparisons)."
    )


def curve_table(metric: SetMetric, curves: Mapping[str, Sequence[float]]) -> Table:
    """Systems from best to worst at the metric's own persistence."""
    title = f"{metric.label}, {metric.order}: mean by persistence"
    table = blank_table(title, ["system"], (f"{each:g}" for each in PERSISTENCES))
    own = int(np.argmin(np.abs(np.array(PERSISTENCES) - metric.persistence)))
    for name in sorted(curves, key=lambda name: -curves[name][own]):
        table.add_row(name, *(f"{value:.3f}" for value in curves[name]))
    return table


def change_sentence(change: OrderChange) -> str:
    """Where two systems change places."""
    return (
        f"{change.behind} overtakes {change.ahead} between persistence {change.low:g} and "
        f"{change.high:g}."
    )


def raters_sentence(about: str, raters: Mapping[str, Any]) -> str:
    """How far people agree with one another about a pair of systems."""
    alpha = "cannot be had" if raters["alpha"] is None else f"{raters['alpha']:.3f}"
    return (
        f"People among themselves, {about}: Krippendorff's ordinal alpha {alpha}, over "
        f"{raters['units']} units and {raters['raters']} people."
    )


def judged_sentence(name: str, judged: Mapping[str, int]) -> str:
    """How much of a system could be judged.

    >>> judged_sentence("stickers", {"images": 90, "judged": 87, "left_out": 2})
    'stickers: 87 of 90 images judged, the others count as 0; 2 grids left out, of which nothing
    could be judged.'
    """
    said = f"{name}: {judged['judged']} of {judged['images']} images judged"
    said += ", the others count as 0" if judged["judged"] < judged["images"] else ""
    left_out = judged["left_out"]
    grids = "1 grid" if left_out == 1 else f"{left_out} grids"
    return said + (f"; {grids} left out, of which nothing could be judged." if left_out else ".")

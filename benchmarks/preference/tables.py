"""Comparisons come in; tables and sentences that a person reads go out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rich.table import Table

from alignment.set_metrics.metrics import SetMetric
from benchmarks.preference.people import AgreesWith
from benchmarks.statistics.comparison import OrderChange, SystemDifference

PERSISTENCES = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.99)


def difference_table(title: str, differences: Sequence[SystemDifference]) -> Table:
    """One row for each pair of systems."""
    table = Table(title=title)
    table.add_column("first - second")
    for heading in ("mean", "95 %", "n", "Wilcoxon p", "Holm p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in differences:
        numbers = (f"{each.mean:+.3f}", f"{each.low:+.3f} .. {each.high:+.3f}", str(each.n))
        p_values = (f"{each.p_value:.2g}", f"{each.corrected:.2g}")
        table.add_row(f"{each.first} - {each.second}", *numbers, *p_values)
    return table


def report_sentence(measure: str, differences: Sequence[SystemDifference]) -> str:
    """What to write in a paper, of the two systems that differ most surely."""
    surest = min(differences, key=lambda each: (each.corrected, each.p_value))
    first, second, low, high = surest.first, surest.second, surest.low, surest.high
    if surest.mean < 0:
        first, second, low, high = second, first, -high, -low
    return (
        f"Over {surest.n} prompts, {first} earns {abs(surest.mean):.3f} more {measure} than "
        f"{second} (95 % bootstrap interval {low:.3f} to {high:.3f}; Wilcoxon signed-rank test, "
        f"p = {surest.corrected:.2g} after Holm's correction over {len(differences)} pairs)."
    )


def curve_table(metric: SetMetric, curves: Mapping[str, Sequence[float]]) -> Table:
    """Systems from best to worst at the metric's own persistence."""
    table = Table(title=f"{metric.label}, {metric.order}: mean by persistence")
    table.add_column("system")
    for persistence in PERSISTENCES:
        table.add_column(f"{persistence:g}", justify="right")
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


def agreement_sentence(found: AgreesWith) -> str:
    """How a measure goes with people's preferences."""
    agreement = found.agreement
    return (
        f"It agrees with people in {agreement.rate:.1%} of {agreement.n} preferences "
        f"({agreement.low:.1%} .. {agreement.high:.1%}); people tie in {agreement.ties} more, "
        f"it ties in {agreement.metric_ties} of the {agreement.n}; where it decides, it agrees "
        f"in {agreement.rate_where_decided:.1%}. Spearman's rho {found.spearman:.3f}."
    )


def raters_sentence(raters: Mapping[str, Any]) -> str:
    """How far people agree with one another."""
    kappa = "cannot be had" if raters["kappa"] is None else f"{raters['kappa']:.3f}"
    return (
        f"People among themselves: Krippendorff's ordinal alpha {raters['alpha']:.3f}; "
        f"Fleiss' kappa {kappa}, over {raters['units']} units of {raters['raters']} judgements."
    )

"""Are calibrated chances right as often as they say, and what does withholding a verdict buy?

Of every stored calibration of a bundle: the expected calibration error of the bare score taken for
a chance and of the calibrated chance (ten bins of equal width, 0 is best), the share of wrong
verdicts if every image gets one, and the coverage and risk of the threshold of the page's verdict:
the smallest one that keeps a promise by conformal risk control. All numbers after calibration are
cross-validated on the labelled pairs of the file.

The promise is for all these pairs together and for images like them. A row for each table of pairs
says what the threshold gives on that table alone; files that `python app.py calibrate` wrote before
it kept this have no such rows.

With `--figure`, reliability and risk against coverage are drawn before and after calibration, one
column for each method: bins of at least ten pairs, and before calibration risk at their edges. It
takes seconds: nothing is scored, the curves are stored with the calibration (`python app.py
calibrate`).

Source: C. Guo et al., "On Calibration of Modern Neural Networks", 2017; R. El-Yaniv, Y. Wiener, "On
the Foundations of Noise-free Selective Classification", 2010; A. Angelopoulos et al., "Conformal
Risk Control", 2024.

For example:

    python -m benchmarks calibration
    python -m benchmarks calibration --figure assets/calibration.svg
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter
from rich.table import Table

from alignment.abstention import RiskAtCoverage, SourceRisk
from alignment.calibration import CALIBRATIONS, Calibration, ReliabilityBin
from benchmarks.charts import Panel, panel_chart
from benchmarks.data.errors import DataError
from benchmarks.data.numbers import Number, blank_table, publish, signature

BEFORE, AFTER = "before calibration", "after"
DRAWN_FROM = 10
"""Pairs in a bin from which it is drawn; all count in the errors."""


def main(
    bundle: Annotated[str, typer.Option(help="Whose calibrations: a folder of --folder.")] = (
        "embedded"
    ),
    folder: Annotated[Path, typer.Option(help="Where BUNDLE/METHOD.json are.")] = CALIBRATIONS,
    figure: Annotated[Path | None, typer.Option(help="The .svg file to draw.")] = None,
) -> None:
    """Print the table, then one JSON line."""
    found = read_calibrations(folder / bundle)
    if figure:
        panel_chart(panels(found), len(found), figure)
    publish("calibration", [table_of(found)], [n for each in found for n in numbers(each)])


def read_calibrations(folder: Path) -> list[Calibration]:
    """The calibrations of a bundle.

    Raises:
        DataError: there is none.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise DataError(f"no calibration in {folder}; `python app.py calibrate` fits one")
    return [TypeAdapter(Calibration).validate_json(file.read_bytes()) for file in files]


def risk_of_bins(bins: Sequence[ReliabilityBin]) -> list[RiskAtCoverage]:
    """Risk against coverage of chances in bins, from all images to the clearest bin.

    >>> bins = [ReliabilityBin(0.05, 0.1, 10), ReliabilityBin(0.6, 0.5, 10)]
    >>> [tuple(each) for each in risk_of_bins(bins)]
    [(0.6, 1.0, 0.3), (0.95, 0.5, 0.1)]
    """
    total = sum(each.count for each in bins)
    clear = [(max(each.chance, 1 - each.chance), each) for each in bins]
    curve = []
    for threshold in sorted({clarity for clarity, _ in clear}):
        kept = [each for clarity, each in clear if clarity >= threshold]
        count = sum(each.count for each in kept)
        wrong = sum(
            each.count * (1 - each.right if each.chance >= 0.5 else each.right) for each in kept
        )
        curve.append(RiskAtCoverage(threshold, count / total, round(wrong / count, 6)))
    return curve


def at_threshold(each: Calibration) -> RiskAtCoverage | None:
    """What the calibration's own threshold gives, at the next one that is stored.

    None where it never gives a verdict.
    """
    reached = [point for point in each.risk_coverage if point.threshold >= each.threshold]
    return RiskAtCoverage(*reached[0]) if reached else None


def numbers(each: Calibration) -> list[Number]:
    """Errors and risks of a calibration, with signatures."""
    about = {"method": each.method, "bundle": each.bundle, "n": each.pairs, "date": each.date}
    kept = at_threshold(each)
    values = {
        "ECE before": each.error_before,
        "ECE": each.error,
        "risk before": risk_of_bins(each.reliability_before)[0].risk,
        "risk": each.risk_coverage[0].risk if each.risk_coverage else float("nan"),
        "risk at threshold": kept.risk if kept else float("nan"),
        "coverage at threshold": kept.coverage if kept else 0.0,
    }
    found = [Number(signature(name, **about), value) for name, value in values.items()]
    return found + [number for source in each.by_source for number in numbers_of(each, source)]


def numbers_of(each: Calibration, source: SourceRisk) -> tuple[Number, Number]:
    """Risk and coverage of a calibration's threshold on the pairs of one source."""
    name = {"method": each.method, "bundle": each.bundle, "of": source.source}
    about = {**name, "n": source.pairs, "date": each.date}
    risk = float("nan") if source.risk is None else source.risk
    return (
        Number(signature("risk at threshold", **about), risk),
        Number(signature("coverage at threshold", **about), source.coverage),
    )


def table_of(found: Sequence[Calibration]) -> Table:
    """A row for each method, and one for each source of its pairs."""
    headings = ("pairs", "ECE before", "after", "wrong, all judged", "after", "promised, of all")
    table = blank_table(
        "Calibration (cross-validated)", "method", *headings, "judged", "of these wrong"
    )
    for each in found:
        before, after, risk_before, risk, kept, coverage, *_ = numbers(each)
        errors = (str(before), str(after), f"{risk_before.value:.1%}", f"{risk.value:.1%}")
        promise = (f"{each.promise:.0%}", f"{coverage.value:.1%}", f"{kept.value:.1%}")
        table.add_row(each.method, str(each.pairs), *errors, *promise)
        for source in each.by_source:
            risk, coverage = numbers_of(each, source)
            judged = (f"{coverage.value:.1%}", f"{risk.value:.1%}")
            table.add_row(f"  {source.source}", str(source.pairs), *[""] * 5, *judged)
    return table


def panels(found: Sequence[Calibration]) -> list[Panel]:
    """Reliability of every method, then risk against coverage of every method."""
    curves = [
        (
            each,
            risk_of_bins(each.reliability_before),
            [RiskAtCoverage(*p) for p in each.risk_coverage],
        )
        for each in found
    ]
    return [
        *(
            Panel(each.method, "chance given", "share right", _reliability(each), diagonal=True)
            for each in found
        ),
        *(
            Panel(
                each.method,
                "coverage: share judged",
                "risk: share of these wrong",
                {BEFORE: _points(before), AFTER: _points(after)},
                highest=1.05 * max(point.risk for point in (*before, *after)),
            )
            for each, before, after in curves
        ),
    ]


def _reliability(of: Calibration) -> dict[str, list[tuple[float, float]]]:
    bins = {BEFORE: of.reliability_before, AFTER: of.reliability}
    return {
        name: [(each.chance, each.right) for each in some if each.count >= DRAWN_FROM]
        for name, some in bins.items()
    }


def _points(curve: Sequence[RiskAtCoverage]) -> list[tuple[float, float]]:
    return sorted((point.coverage, point.risk) for point in curve)

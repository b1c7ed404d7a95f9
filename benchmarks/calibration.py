"""Are calibrated chances right as often as they say, and what does withholding a verdict buy?

Of every stored calibration of a bundle: the expected calibration error (ten bins of equal width, 0
is best) of the bare score and of the calibrated chance, and the share of wrong verdicts if every
image gets one. Then what the page's verdict does, on each table of labelled pairs: the share of
pairs that get a verdict, and of all pairs the share that get a wrong one, which conformal risk
control promises to keep small. Units are groups of pairs that share an image or a text; every unit
counts once, and intervals draw units. All numbers after calibration are cross-validated.

With `--figure`, reliability and risk against coverage are drawn before and after calibration, one
column for each method. It takes seconds: nothing is scored, the bins are stored with the
calibration (`python app.py calibrate`).

Source: C. Guo et al., "On Calibration of Modern Neural Networks", 2017; R. El-Yaniv, Y. Wiener, "On
the Foundations of Noise-free Selective Classification", 2010; A. Angelopoulos et al., "Conformal
Risk Control", 2024.

For example:

    python -m benchmarks calibration
    python -m benchmarks calibration --figure assets/calibration.svg
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from pydantic import TypeAdapter

from alignment.abstention import Share, SourceRisk
from alignment.calibration import CALIBRATIONS, Calibration, ReliabilityBin
from benchmarks.charts import Panel, panel_chart
from benchmarks.data.numbers import Number, beside_chance, pivot, publish
from session.errors import DataError

BEFORE, AFTER = "before calibration", "after"
VERDICTS = "Verdicts on each source, of all pairs (cross-validated; 95 %, units drawn)"
DRAWN_FROM = 10
"""Pairs in a bin from which it is drawn; all count in the errors."""


class RiskAtCoverage(NamedTuple):
    """What a threshold gives."""

    threshold: float
    coverage: float
    """Share of images that get a verdict."""
    risk: float
    """Share of these verdicts that is wrong."""


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
    errors = [number for each in found for number in numbers(each)]
    verdicts = [n for each in found for of in each.by_source for n in verdict_numbers(each, of)]
    by_source = ["method", "of", "n", "threshold"]
    tables = [
        pivot("Calibration (cross-validated)", errors, ["method", "n"], "name"),
        pivot(VERDICTS, verdicts, by_source, "name", beside_chance),
    ]
    publish("calibration", tables, [*errors, *verdicts])


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


def error_of_sampling(bins: Sequence[ReliabilityBin]) -> float:
    """The expected calibration error of exact chances: shares of few images differ from them.

    Of n images with the chance p, the share that is right differs from p by
    sqrt(2 p (1 - p) / (pi n)) in the mean.

    >>> round(error_of_sampling([ReliabilityBin(0.5, 0.4, 100), ReliabilityBin(0.9, 1.0, 100)]), 3)
    0.032
    """
    total = sum(each.count for each in bins)
    variances = ((each.count, each.chance * (1 - each.chance)) for each in bins)
    return sum(math.sqrt(2 * spread * n / math.pi) for n, spread in variances) / total


def numbers(each: Calibration) -> tuple[Number, ...]:
    """Errors and risks of a calibration, with signatures."""
    about = {"method": each.method, "bundle": each.bundle, "n": each.pairs, "calibrated": each.name}
    values = {
        "ECE before": each.error_before,
        "ECE": each.error,
        "ECE of sampling": error_of_sampling(each.reliability),
        "risk before": risk_of_bins(each.reliability_before)[0].risk,
        "risk": risk_of_bins(each.reliability)[0].risk,
    }
    return tuple(Number(name, about, value) for name, value in values.items())


def verdict_numbers(each: Calibration, source: SourceRisk) -> tuple[Number, ...]:
    """What the threshold of a calibration gives on the pairs of one source."""
    about = {
        "method": each.method,
        "bundle": each.bundle,
        "of": source.source,
        "promised": each.promise,
        "threshold": round(each.threshold, 3) if each.threshold <= 1 else "never",
        "n": source.pairs,
        "calibrated": each.name,
    }
    guessed = min(source.right, 1 - source.right)

    def share(name: str, found: Share, chance: float) -> Number:
        return Number(name, about, *found, source.units, chance)

    return (
        Number("judged", about, source.coverage),
        share("judged wrongly", source.wrong, guessed * source.coverage),
        Number("judged wrongly, other halves", about, source.tried),
        share("judged wrongly, all judged", source.wrong_if_all, guessed),
    )


def panels(found: Sequence[Calibration]) -> list[Panel]:
    """Reliability of every method, then risk against coverage of every method."""
    curves = [
        (each, risk_of_bins(each.reliability_before), risk_of_bins(each.reliability))
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

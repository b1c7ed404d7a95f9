"""How often do our 95 % intervals hold the true value, with 5, 10 and 50 units?

Samples of known distributions are drawn again and again, and for each number of units the share of
intervals that hold the true mean is given, and how wide they are (the median): ours
(`alignment.statistics.intervals`), the percentile and the BCa bootstrap, and Student's t. Then the
same of the ROC AUC, pairs of scores drawn prompt by prompt. 95 % is meant; a measured share has a
standard error of about 1 % at 500 draws.

It takes about two minutes; `--draws 20` gives a first look in seconds.

For example:

    python -m benchmarks coverage
    python -m benchmarks coverage --draws 50
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from types import MappingProxyType
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from rich.table import Table
from scipy import stats

from alignment.statistics.intervals import LEVEL, measured_mean
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.progress import watched
from benchmarks.statistics.classification import measured_auc

Floats = npt.NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]
Method = Callable[[Floats, np.random.Generator], tuple[float, float]]

UNITS = (5, 10, 50)
KINDS: Mapping[str, tuple[Draw, float]] = MappingProxyType(
    {
        "uniform": (lambda g, n: g.uniform(size=n), 0.5),
        "skewed, beta(0.5, 0.2)": (lambda g, n: g.beta(0.5, 0.2, size=n), 0.5 / 0.7),
        "right or wrong, 50 %": (lambda g, n: (g.random(n) < 0.5).astype(float), 0.5),
        "right or wrong, 90 %": (lambda g, n: (g.random(n) < 0.9).astype(float), 0.9),
        "0, 1/2 or 1, 90 %": (lambda g, n: g.choice([0, 0.5, 1], n, p=[0.05, 0.1, 0.85]), 0.9),
    }
)
"""What is drawn -> how, and its mean."""
SIZES = (1, 1, 2, 3, 8)
"""Values of each unit in turn, where units are of unequal size."""
SHIFT = 1.0
"""Standard deviations between the scores of true and false pairs."""
AUC = float(stats.norm.cdf(SHIFT / np.sqrt(2)))


def main(
    draws: Annotated[int, typer.Option(min=2, help="Samples of each kind and size.")] = 500,
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    generator = np.random.default_rng(seed)
    cases = [(kind, units) for units in UNITS for kind in KINDS]
    found = [
        number
        for kind, units in watched(cases, "distributions")
        for number in measure(kind, units, draws, generator)
    ]
    of_auc = [_auc_coverage(units, draws, generator) for units in watched(UNITS, "sizes, ROC AUC")]
    unequal = [
        _unequal_coverage(units, draws, generator)
        for units in watched(UNITS, "sizes, unequal units")
    ]
    tables = [
        _table("the mean", found, "kind"),
        _table("the mean over units of unequal size", unequal),
        _table("the ROC AUC", of_auc),
    ]
    publish("coverage", tables, [*found, *unequal, *of_auc])


def ours(values: Floats, generator: np.random.Generator) -> tuple[float, float]:
    """The interval that benchmarks print."""
    found = measured_mean(values, generator)
    return found.low, found.high


def percentile(values: Floats, generator: np.random.Generator) -> tuple[float, float]:
    """The percentile bootstrap."""
    return _scipy_bootstrap(values, generator, "percentile")


def _bca(values: Floats, generator: np.random.Generator) -> tuple[float, float]:
    """The bias-corrected and accelerated bootstrap."""
    return _scipy_bootstrap(values, generator, "BCa")


def student(values: Floats, generator: np.random.Generator) -> tuple[float, float]:
    """Student's t."""
    margin = stats.t.ppf((1 + LEVEL) / 2, values.size - 1) * stats.sem(values)
    return float(values.mean() - margin), float(values.mean() + margin)


METHODS: Mapping[str, Method] = MappingProxyType(
    {"ours": ours, "percentile": percentile, "BCa": _bca, "Student": student}
)


def _scipy_bootstrap(
    values: Floats, generator: np.random.Generator, method: str
) -> tuple[float, float]:
    if np.ptp(values) == 0:
        return float(values[0]), float(values[0])
    found = stats.bootstrap((values,), np.mean, n_resamples=999, method=method, rng=generator)
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def measure(kind: str, units: int, draws: int, generator: np.random.Generator) -> list[Number]:
    """The coverage of each method, with the median width in its signature."""
    draw, mean = KINDS[kind]
    samples = [draw(generator, units) for _ in range(draws)]
    numbers = []
    for name, method in METHODS.items():
        intervals = [method(sample, generator) for sample in samples]
        about = {"of": "mean", "kind": kind, "units": units, "interval": name}
        numbers.append(_number(about, intervals, mean, generator))
    return numbers


def _unequal_coverage(units: int, draws: int, generator: np.random.Generator) -> Number:
    """The coverage of our interval where units are of unequal size and mostly right, 90 %."""
    members = np.repeat(np.arange(units), np.resize(SIZES, units))
    found = [
        measured_mean(
            generator.choice([0, 0.5, 1], units, p=[0.05, 0.1, 0.85])[members], generator, members
        )
        for _ in range(draws)
    ]
    intervals = [(each.low, each.high) for each in found]
    about = {"of": "mean", "kind": "unequal units", "units": units, "interval": "ours"}
    return _number(about, intervals, 0.9, generator)


def _auc_coverage(units: int, draws: int, generator: np.random.Generator) -> Number:
    """The coverage of the interval of the ROC AUC; each prompt has a true and a false pair."""
    labels, prompts = np.tile([1, 0], units), np.repeat(np.arange(units), 2)
    found = (
        measured_auc(labels, SHIFT * labels + generator.normal(size=2 * units), prompts, generator)
        for _ in range(draws)
    )
    intervals = [(each.low, each.high) for each in found if each]
    about = {"of": "AUC", "auc": f"{AUC:.3f}", "units": units, "interval": "ours"}
    return _number(about, intervals, AUC, generator)


def _number(
    about: Mapping[str, object],
    intervals: Sequence[tuple[float, float]],
    truth: float,
    generator: np.random.Generator,
) -> Number:
    holds = [low - 1e-12 <= truth <= high + 1e-12 for low, high in intervals]
    width = median(high - low for low, high in intervals)
    return Number.of(
        "coverage", {**about, "width": f"{width:.2f}"}, measured_mean(holds, generator)
    )


def _table(what: str, found: Sequence[Number], *rows: str) -> Table:
    """A row for each number of units, a column for each kind of interval."""
    title = f"Share of 95 % intervals that hold {what} (median width)"
    return pivot(title, found, [*rows, "units"], "interval", _cell)


def _cell(number: Number) -> str:
    return f"{number.value:.1%} ({number.about['width']})"

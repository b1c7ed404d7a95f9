"""Measured means and shares, with intervals that resample the unit that was drawn, e.g. prompts.

Values of one unit are not independent: ten images of one prompt say less than ten images of
ten. So whole units are drawn, and an interval names how many there were. Coverage at 5, 10 and 50
units stands in benchmarks/RESULTS.md; it decided for the studentised bootstrap and,
for proportions, Wilson's interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from alignment.arrays import Floats

LEVEL = 0.95
MARGIN = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""Standard errors on each side of a normal 95 % interval, 1.96."""
FEW = 10
"""Fewer units than these cannot carry an interval that a reader should rely on."""
RESAMPLES = 2_000
BATCH = 200
"""Resamples in memory at once."""


@dataclass(frozen=True)
class Measured:
    """A measured value and its 95 % interval."""

    value: float
    low: float
    high: float
    n: int
    """The units that the interval rests on, e.g. prompts."""

    @property
    def standard_error(self) -> float:
        """Of a value whose interval is 1.96 of them on each side."""
        return (self.high - self.low) / (2 * MARGIN)

    @property
    def interval(self) -> str:
        """The interval as a cell of a table."""
        return f"{self.low:.3f} .. {self.high:.3f}"

    @property
    def percents(self) -> tuple[str, str]:
        """Value and interval in percent, as two cells of a table."""
        return f"{self.value:.1%}", f"{self.low:.1%} .. {self.high:.1%}"


def measured_mean(
    values: npt.ArrayLike,
    generator: np.random.Generator,
    units: npt.ArrayLike | None = None,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Measured:
    """A mean with its 95 % interval.

    Wilson's score interval where every unit is wholly 0 or wholly 1; else the studentised
    bootstrap, in which a draw without any spread counts as infinitely far from the mean, but never
    wider than Wilson's interval would be: few and coarse values give a wide interval and not an
    empty one. One unit says nothing about the others: its interval is `bounds`.

    Args:
        values: shape (n,), n >= 1.
        generator: draws the units.
        units: shape (n,), what each value belongs to, e.g. its prompt; each value is a unit of
            its own when None.
        bounds: what the mean cannot leave.

    Source: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 12;
    E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.

    >>> found = measured_mean([1, 1, 1, 1, 0], np.random.default_rng(7))
    >>> found.value, round(found.low, 3), round(found.high, 3), found.n
    (0.8, 0.376, 0.964, 5)
    """
    given = np.asarray(values, dtype=float)
    totals, counts = _by_unit(given, units)
    value, means = float(given.mean()), totals / counts
    wholly = bounds == (0.0, 1.0) and bool(np.isin(means, (0, 1)).all())
    if wholly and (np.ptp(counts) == 0 or np.ptp(means) == 0):
        return Measured(value, *proportion_interval(float(means.sum()), means.size), means.size)
    if means.size < 2:
        return Measured(value, *bounds, means.size)
    return Measured(value, *_studentised(totals, counts, generator, bounds), means.size)


def sampled_mean(values: npt.ArrayLike) -> Measured:
    """The mean of many independent draws, with its interval by the central limit theorem.

    >>> found = sampled_mean([1.0, 2.0, 3.0, 2.0])
    >>> found.value, round(found.standard_error, 3), found.n
    (2.0, 0.408, 4)
    """
    drawn = np.asarray(values, dtype=float)
    mean, margin = float(drawn.mean()), MARGIN * float(drawn.std(ddof=1) / np.sqrt(drawn.size))
    return Measured(mean, mean - margin, mean + margin, drawn.size)


def measured_ratio(
    numerators: npt.ArrayLike, denominators: npt.ArrayLike, generator: np.random.Generator
) -> Measured:
    """A sum over a sum, such as F1 over many prompts, with its interval by the same bootstrap.

    Args:
        numerators: shape (units,).
        denominators: shape (units,), each >= 0 and one at least above it.
        generator: draws the units.
    """
    above, below = np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)
    value = float(above.sum() / below.sum())
    return Measured(value, *_studentised(above, below, generator, (0.0, 1.0)), above.size)


def measured_proportion(successes: float, of: int) -> Measured:
    """A proportion with Wilson's 95 % interval."""
    return Measured(successes / of, *proportion_interval(successes, of), of)


def proportion_interval(successes: float, of: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a proportion; `of` may be an effective number of trials.

    >>> [round(end, 3) for end in proportion_interval(0, 10)]
    [0.0, 0.278]
    """
    share, scale = successes / of, 1 + MARGIN**2 / of
    middle = (share + MARGIN**2 / (2 * of)) / scale
    margin = MARGIN * np.sqrt(share * (1 - share) / of + MARGIN**2 / (4 * of**2)) / scale
    return float(max(0.0, middle - margin)), float(min(1.0, middle + margin))


def _by_unit(values: Floats, units: npt.ArrayLike | None) -> tuple[Floats, Floats]:
    """The sum and the number of the values of each unit."""
    if units is None:
        return values, np.ones_like(values)
    names = np.asarray(units)
    if names.shape != values.shape:
        raise ValueError(f"{values.size} values with units of shape {names.shape}")
    _, members = np.unique(names, return_inverse=True)
    totals = np.bincount(members, values).astype(float)
    return totals, np.bincount(members).astype(float)


def _studentised(
    totals: Floats,
    counts: Floats,
    generator: np.random.Generator,
    bounds: tuple[float, float],
) -> tuple[float, float]:
    mean = float(totals.sum() / counts.sum())
    error = float(_standard_error(totals, counts))
    if error == 0:
        return mean, mean
    drawn = np.concatenate(
        [_draw(totals, counts, mean, generator) for _ in range(RESAMPLES // BATCH)]
    )
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    below, above = np.quantile(drawn, tails, method="inverted_cdf")
    least, most = _widest(mean, counts, bounds)
    return max(least, float(mean - above * error)), min(most, float(mean - below * error))


def _widest(mean: float, counts: Floats, bounds: tuple[float, float]) -> tuple[float, float]:
    """Wilson's interval as if every unit were wholly at one bound or the other.

    No values between the bounds vary more than those at the bounds, so that this holds the mean at
    least as often as it says. Units of unequal size count as the effective number of equal ones.
    """
    low, high = bounds
    share = min(1.0, max(0.0, (mean - low) / (high - low)))
    effective = counts.sum() ** 2 / np.square(counts).sum()
    least, most = proportion_interval(share * effective, effective)
    return low + least * (high - low), low + most * (high - low)


def _draw(totals: Floats, counts: Floats, mean: float, generator: np.random.Generator) -> Floats:
    """How many of its own standard errors each resampled mean is away from the mean."""
    units = generator.integers(totals.size, size=(BATCH, totals.size))
    some, sizes = totals[units], counts[units]
    away = some.sum(axis=1) / sizes.sum(axis=1) - mean
    errors = _standard_error(some, sizes)
    infinitely = np.where(away == 0, 0.0, np.copysign(np.inf, away))
    return np.asarray(np.divide(away, errors, out=infinitely, where=errors > 0))


def _standard_error(totals: Floats, counts: Floats) -> Floats:
    """Of the mean over all values of some units, along the last axis, by linearisation."""
    n = totals.shape[-1]
    if n < 2:
        return np.zeros(totals.shape[:-1])
    means = totals.sum(axis=-1, keepdims=True) / counts.sum(axis=-1, keepdims=True)
    residuals = (totals - means * counts) / counts.mean(axis=-1, keepdims=True)
    return np.asarray(residuals.std(axis=-1, ddof=1) / np.sqrt(n))

from collections.abc import Callable
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Generator, default_rng

from alignment.statistics.intervals import (
    Measured,
    measured_mean,
    measured_ratio,
    proportion_interval,
)


def test_wilson_s_interval_of_a_proportion() -> None:
    """R. G. Newcombe, "Two-sided Confidence Intervals for the Single Proportion", 1998, method 3:
    81 of 263, 15 of 148 and 1 of 29."""
    assert proportion_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert proportion_interval(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert proportion_interval(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_whole_units_are_drawn_so_that_repeating_values_of_a_unit_gains_nothing() -> None:
    values = default_rng(7).uniform(size=30)
    once = measured_mean(values, default_rng(1))
    often = np.repeat(values, 5)
    grouped = measured_mean(often, default_rng(1), np.repeat(np.arange(30), 5))
    apart = measured_mean(often, default_rng(1))
    assert [*astuple(grouped)] == pytest.approx([*astuple(once)])
    assert (grouped.n, apart.n) == (30, 150)
    assert apart.high - apart.low < 0.6 * (grouped.high - grouped.low)


def test_one_unit_says_nothing_about_the_others() -> None:
    assert measured_mean([0.25, 0.75], default_rng(7), ["owl", "owl"]) == Measured(0.5, 0.0, 1.0, 1)


def test_all_right_is_not_certain() -> None:
    found = measured_mean([1.0] * 20, default_rng(7))
    assert (found.value, found.high, found.n) == (1.0, 1.0, 20)
    assert 0.8 < found.low < 0.9


def test_a_few_failures_among_many_units_leave_an_interval_that_says_something() -> None:
    """Three of 32 units are not wholly wrong; some draws have none of them, and no spread."""
    sizes = [1, 2, 3, 8] * 8
    units = np.repeat(np.arange(32), sizes)
    values = np.isin(units, [0, 1, 2]).astype(float) / 2
    found = measured_mean(values, default_rng(7), units)
    assert (found.value, found.n) == (values.mean(), 32)
    assert 0 <= found.low < found.value < found.high < 0.35


def test_units_must_be_as_many_as_values() -> None:
    with pytest.raises(ValueError, match=r"2 values with units of shape \(3,\)"):
        measured_mean([0.5, 0.6], default_rng(7), ["a", "b", "c"])


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.integers(0, 9))
def test_an_interval_stays_within_its_bounds_and_holds_the_mean(
    values: list[float], seed: int
) -> None:
    found = measured_mean(values, default_rng(seed))
    assert 0 <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= 1


def test_a_ratio_of_sums_over_equal_denominators_is_a_mean() -> None:
    above = default_rng(7).uniform(size=25)
    ratio = measured_ratio(above, np.ones(25), default_rng(3))
    assert [*astuple(ratio)] == pytest.approx([*astuple(measured_mean(above, default_rng(3)))])


Draw = Callable[[Generator, int], np.ndarray]
KINDS: dict[str, tuple[Draw, float]] = {
    "uniform": (lambda g, n: g.uniform(size=n), 0.5),
    "skewed": (lambda g, n: g.beta(0.5, 0.2, size=n), 0.5 / 0.7),
    "right or wrong": (lambda g, n: (g.random(n) < 0.9).astype(float), 0.9),
    "halves": (lambda g, n: g.choice([0, 0.5, 1], p=[0.05, 0.1, 0.85], size=n), 0.9),
}


@pytest.mark.parametrize("units", [5, 10, 50])
@pytest.mark.parametrize("kind", KINDS)
def test_the_interval_covers_the_mean_about_as_often_as_it_says(kind: str, units: int) -> None:
    """95 % is meant."""
    draw, mean = KINDS[kind]
    generator = default_rng(5)
    covered = 0
    for _ in range(150):
        found = measured_mean(draw(generator, units), generator)
        covered += found.low <= mean <= found.high
    assert covered / 150 > 0.89

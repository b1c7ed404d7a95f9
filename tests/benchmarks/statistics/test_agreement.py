from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.statistics.agreement import (
    agreement_rate,
    bootstrap_interval,
    fleiss_kappa,
    krippendorff_alpha,
    rank_correlation,
)

# K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011, section C: 4 observers,
# 12 units, 0 for no rating.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ],
    dtype=float,
)
OBSERVERS[OBSERVERS == 0] = np.nan

# The worked table of the article on Fleiss' kappa in Wikipedia: 10 subjects, 14 raters.
RATED = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_krippendorff_s_own_example(level: str, alpha: float) -> None:
    assert krippendorff_alpha(OBSERVERS, level) == pytest.approx(alpha, abs=5e-4)  # type: ignore[arg-type]


def test_fleiss_worked_table() -> None:
    assert fleiss_kappa(RATED) == pytest.approx(0.210, abs=5e-4)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_full_agreement_is_one(level: str) -> None:
    assert krippendorff_alpha([[1, 2, 5], [1, 2, 5]], level) == pytest.approx(1)  # type: ignore[arg-type]
    assert fleiss_kappa([[3, 0], [0, 3]]) == pytest.approx(1)


def test_agreement_on_a_constant_says_nothing() -> None:
    assert np.isnan(krippendorff_alpha([[2, 2], [2, 2]]))
    assert np.isnan(fleiss_kappa([[3, 0], [3, 0]]))


def test_fleiss_needs_as_many_raters_for_each_subject() -> None:
    with pytest.raises(ValueError, match="the same number of raters"):
        fleiss_kappa([[2, 1], [1, 1]])


def test_people_s_ties_are_left_out_and_the_metric_s_do_not_agree() -> None:
    preferences = [2, 1, -1, -2, 0, 1]
    differences = [0.4, -0.1, -0.2, -0.3, 0.9, 0.0]
    agreement = agreement_rate(preferences, differences, np.random.default_rng(7))
    assert agreement.rate == pytest.approx(3 / 5)
    assert agreement.rate_where_decided == pytest.approx(3 / 4)
    assert (agreement.n, agreement.ties, agreement.metric_ties) == (5, 1, 1)
    assert agreement.low <= agreement.rate <= agreement.high


@given(st.lists(st.floats(-2, 2).filter(bool), min_size=1, max_size=30))
def test_a_metric_agrees_with_itself_and_never_with_its_opposite(values: list[float]) -> None:
    seeded = np.random.default_rng(0)
    assert agreement_rate(values, values, seeded).rate == 1
    assert agreement_rate(values, [-value for value in values], seeded).rate == 0


def test_nothing_but_ties_is_refused() -> None:
    with pytest.raises(ValueError, match="all 2 preferences are ties"):
        agreement_rate([0, 0], [1, 2], np.random.default_rng(0))


def test_a_missing_difference_is_refused() -> None:
    with pytest.raises(ValueError, match="2 preferences for 1 differences"):
        agreement_rate([1, -1], [1], np.random.default_rng(0))


def test_the_bootstrap_interval_covers_the_mean_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(5)
    covered = 0
    for _ in range(200):
        low, high = bootstrap_interval(generator.normal(size=60), generator, resamples=300)
        covered += low <= 0 <= high
    assert 175 <= covered <= 199


def test_rank_correlation_ignores_the_scale() -> None:
    first = [0.1, 0.4, 0.2, 0.9]
    assert rank_correlation(first, np.exp(first)) == (pytest.approx(1), pytest.approx(1))
    assert rank_correlation(first, np.negative(first)) == (pytest.approx(-1), pytest.approx(-1))

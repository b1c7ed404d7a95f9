"""Worked numbers for every analysis of pair scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.commonsense.analysis import (
    accuracy,
    by_category,
    error_overlaps,
    similarity_correlations,
    weighted_accuracy,
)


def test_the_interval_holds_the_accuracy_and_narrows_with_more_pairs() -> None:
    scores = [0.0, 0.5, 1.0, 0.25]
    few = accuracy(scores, range(4), np.random.default_rng(7))
    many = accuracy(scores * 50, range(200), np.random.default_rng(7))
    assert few.value == many.value == 0.4375
    assert few.low < many.low < many.value < many.high < few.high
    assert (few.n, many.n) == (4, 200)


def test_each_category_has_its_own_accuracy() -> None:
    found = by_category([1.0, 0.0, 0.5], ["b", "a", "b"], [1, 2, 3], np.random.default_rng(7))
    assert {name: (each.value, each.n) for name, each in found.items()} == {
        "a": (0.0, 1),
        "b": (0.75, 2),
    }
    assert list(found) == ["a", "b"]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(0.5, 20))
def test_equal_likelihoods_weigh_nothing(scores: list[float], likelihood: float) -> None:
    weighted = weighted_accuracy(scores, [likelihood] * len(scores))
    assert weighted == pytest.approx(float(np.mean(scores)))


@pytest.mark.parametrize(
    ("similarities", "scores"), [([0.9, 0.9], [0.0, 1.0]), ([0.8, 0.9], [0, 0])]
)
def test_what_does_not_vary_correlates_with_nothing(
    similarities: list[float], scores: list[float]
) -> None:
    assert similarity_correlations(similarities, scores) == (None, None)


def test_overlap_counts_what_both_fail_and_what_either_fails() -> None:
    scores = {
        "one": [0.0, 0.25, 0.5, 1.0, 0.0],
        "other": [0.0, 1.00, 0.0, 1.0, 0.25],
        "best": [1.0, 1.00, 1.0, 1.0, 1.0],
    }
    first, second, third = error_overlaps(scores)
    assert (first.both, first.either, first.share) == (2, 4, 0.5)
    assert first.by_chance == pytest.approx(3 / 5 * 3 / 5 * 5)
    assert (second.first, second.second, second.both, second.share) == ("one", "best", 0, 0)
    assert third.either == 3

"""Bradley-Terry strengths of small sets of comparisons."""

import math

import pytest

from alignment.statistics.bradley_terry import SPREAD, bradley_terry


def test_the_strength_of_a_frequent_winner_approaches_the_logit_of_its_wins():
    won = [("a", "b", 1.0)] * 900 + [("a", "b", 0.0)] * 100
    found = bradley_terry(won)
    assert [*found] == ["a", "b"]
    assert found["a"].value - found["b"].value == pytest.approx(math.log(9), abs=0.02)


def test_ties_alone_leave_all_equal_and_a_mean_of_0():
    strengths = bradley_terry([("a", "b", 0.5), ("b", "c", 0.5), ("a", "c", 0.5)])
    assert [each.value for each in strengths.values()] == pytest.approx([0, 0, 0], abs=1e-4)


def test_one_who_has_won_everything_has_a_finite_strength_with_a_wide_interval():
    best, worst = bradley_terry([("a", "b", 1.0)] * 3).values()
    assert 0 < best.value < 2 * SPREAD
    assert best.low < 0 < best.high
    assert worst.value == pytest.approx(-best.value, abs=1e-4)


def test_more_comparisons_make_the_interval_narrower():
    pairs = [("a", "b", 1.0), ("a", "b", 0.0), ("a", "b", 1.0)]
    few, many = bradley_terry(pairs)["a"], bradley_terry(pairs * 20)["a"]
    assert (few.n, many.n) == (3, 60)
    assert many.high - many.low < (few.high - few.low) / 2


def test_the_sides_of_a_comparison_do_not_matter():
    one = bradley_terry([("a", "b", 1.0), ("b", "c", 0.5)])
    other = bradley_terry([("b", "a", 0.0), ("c", "b", 0.5)])
    assert [*one] == [*other]
    values = [each.value for each in other.values()]
    assert [each.value for each in one.values()] == pytest.approx(values, abs=1e-4)


def test_nothing_compared_has_no_strengths():
    assert bradley_terry([]) == {}

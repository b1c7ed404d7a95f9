import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.set_metrics.metrics import RBP
from benchmarks.statistics.comparison import (
    compare_systems,
    order_changes,
    persistence_curves,
)
from benchmarks.statistics.holm import holm
from session.systems.grids import ScoredGrid

# Darwin's cross- and self-fertilised maize, 15 pairs (Fisher, "The Design of Experiments").
MAIZE = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]


def test_darwin_s_maize_has_its_known_wilcoxon_p_value() -> None:
    (difference,) = compare_systems(
        {"crossed": MAIZE, "selfed": [0] * 15}, np.random.default_rng(7), most=100.0
    )
    assert difference.p_value == difference.corrected == pytest.approx(0.04126, abs=5e-6)
    assert difference.value == pytest.approx(np.mean(MAIZE))
    assert difference.low < difference.value < difference.high
    assert (difference.first, difference.second, difference.n) == ("crossed", "selfed", 15)


def test_equal_systems_differ_by_nothing() -> None:
    (difference,) = compare_systems({"a": [1, 2], "b": [1, 2]}, np.random.default_rng(0))
    assert (difference.value, difference.low, difference.high) == (0, 0, 0)
    assert difference.p_value == 1


def test_differences_of_rounding_errors_are_none() -> None:
    first = [0.3, 0.6, 0.9] * 4
    second = [0.1 + 0.2, 0.2 + 0.4, 0.9 - 1e-16] * 4
    (difference,) = compare_systems({"a": first, "b": second}, np.random.default_rng(0))
    assert difference.p_value == 1
    curves = {"a": [0.1 + 0.2, 0.5, 0.3], "b": [0.3, 0.4, 0.1 + 0.2]}
    assert order_changes(curves, [0.1, 0.5, 0.9]) == ()


def test_every_pair_of_systems_is_compared_once() -> None:
    scores = {name: np.random.default_rng(seed).uniform(size=9) for seed, name in enumerate("abc")}
    pairs = [
        (each.first, each.second) for each in compare_systems(scores, np.random.default_rng(0))
    ]
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]


def test_holm_s_correction_of_four_tests() -> None:
    # smallest times 4, next times 3, ..., never below the one before
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_holm_only_raises_and_keeps_the_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(p <= c <= 1 for p, c in zip(p_values, corrected, strict=True))
    assert max(corrected) <= len(p_values) * max(p_values) + 1e-12
    for first, second in zip(np.argsort(p_values), np.argsort(p_values)[1:], strict=False):
        assert corrected[first] <= corrected[second]


def test_the_order_of_two_systems_depends_on_how_deep_a_viewer_looks() -> None:
    one_perfect = ScoredGrid((1.0, 0.0, 0.0), (1, 1, 1))
    all_fair = ScoredGrid((0.6, 0.6, 0.6), (1, 1, 1))
    curves = persistence_curves(
        RBP(order="positional"), {"one": [one_perfect], "all": [all_fair]}, [0.1, 0.9]
    )
    assert curves["one"] == pytest.approx((1, 1))
    assert curves["all"] == pytest.approx((0.6 * 1.11, 0.6 * 2.71))
    (change,) = order_changes(curves, [0.1, 0.9])
    assert (change.ahead, change.behind, change.low, change.high) == ("one", "all", 0.1, 0.9)


def test_systems_that_meet_without_crossing_keep_their_order() -> None:
    assert order_changes({"a": [3, 1, 3], "b": [2, 1, 2]}, [0.1, 0.5, 0.9]) == ()

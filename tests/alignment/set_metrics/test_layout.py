from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignment.set_metrics.expectation import NOVELTIES
from alignment.set_metrics.layout import best_layout, leave_one_out_values
from alignment.set_metrics.metrics import ERR, RBP, SetMetric
from alignment.set_metrics.viewing_orders import ORDERS, Floats

METRICS = [
    family(novelty=novelty, order=order)
    for family in (RBP, ERR)
    for novelty in NOVELTIES
    for order in ORDERS
]


def random_grid(size: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """Relevance, masses over two decades, symmetric similarity."""
    generator = np.random.default_rng(seed)
    similarity = generator.uniform(size=(size, size))
    attention = 10 ** generator.uniform(0, 2, size=size)
    return generator.uniform(size=size), attention, np.maximum(similarity, similarity.T)


def value(
    metric: SetMetric, layout: tuple[int, ...], relevance: Floats, attention: Floats, s: Floats
) -> float:
    cells = list(layout)
    return metric.score(relevance[cells], s[np.ix_(cells, cells)], attention)


@given(metric=st.sampled_from(METRICS), size=st.integers(1, 4), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_no_layout_of_a_small_grid_earns_more(metric: SetMetric, size: int, seed: int) -> None:
    relevance, attention, similarity = random_grid(size, seed)
    best = best_layout(metric, relevance, attention, similarity)
    every = [
        value(metric, layout, relevance, attention, similarity)
        for layout in permutations(range(size))
    ]
    assert best.value == pytest.approx(max(every), abs=1e-11)
    assert best.value == pytest.approx(
        value(metric, best.arrangement, relevance, attention, similarity), abs=1e-12
    )


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_above_nine_pictures_no_exchange_of_two_earns_more_than_the_layout_found(
    metric: SetMetric,
) -> None:
    relevance, attention, similarity = random_grid(10, seed=3)
    best = best_layout(metric, relevance, attention, similarity)
    assert sorted(best.arrangement) == list(range(10))
    for one, other in combinations(range(10), 2):
        swapped = list(best.arrangement)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        assert value(metric, tuple(swapped), relevance, attention, similarity) <= best.value + 1e-9


def test_the_most_relevant_picture_goes_where_people_look_first() -> None:
    best = best_layout(ERR(), [0.2, 0.9, 0.5], [0.1, 0.3, 0.6])
    assert best.arrangement == (0, 2, 1)


def test_with_novelty_twins_are_kept_apart() -> None:
    twins = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1.0]])
    best = best_layout(RBP(novelty="max", order="positional"), [1, 0.9, 0.8], [1] * 3, twins)
    assert best.arrangement == (0, 2, 1)


def test_without_novelty_a_picture_that_only_delays_is_worth_less_than_nothing() -> None:
    rbp = RBP(persistence=0.5, order="positional")
    assert leave_one_out_values(rbp, [0.0, 1.0], [0, 1], [1, 1]) == (-0.5, 0.5)


def test_the_only_picture_is_worth_the_whole_grid() -> None:
    assert leave_one_out_values(ERR(), [0.7], [0], [1]) == (pytest.approx(0.7),)


def test_of_two_twins_one_is_worth_nothing() -> None:
    metric = RBP(persistence=1, novelty="max", order="uniform")
    worth = leave_one_out_values(
        metric, [0.6, 0.6, 0.4], [0, 1, 2], [1] * 3, [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    )
    assert worth == (pytest.approx(0), pytest.approx(0), pytest.approx(0.4))

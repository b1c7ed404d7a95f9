from collections.abc import Callable, Sequence
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignment.arrays import Floats
from alignment.set_metrics.expectation import NOVELTIES
from alignment.set_metrics.layout import best_layout
from alignment.set_metrics.metrics import ERR, RBP, SetMetric
from alignment.set_metrics.viewing_orders import ORDERS

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
    metric: SetMetric,
    layout: Sequence[int],
    relevance: Floats,
    attention: Sequence[float],
    s: Floats,
) -> float:
    cells = list(layout)
    return metric.score(relevance[cells], s[np.ix_(cells, cells)], attention)


def looking_at(seed: int) -> Callable[[Sequence[int]], tuple[float, ...]]:
    """Attention that depends on which image is where, as that of a real grid does."""

    def look(arrangement: Sequence[int]) -> tuple[float, ...]:
        generator = np.random.default_rng([seed, *arrangement])
        return tuple(10 ** generator.uniform(0, 2, size=len(arrangement)))

    return look


@given(metric=st.sampled_from(METRICS), size=st.integers(1, 4), seed=st.integers(0, 2**32 - 1))
def test_no_arrangement_of_a_small_grid_is_worth_more_with_the_attention_that_it_draws(
    metric: SetMetric, size: int, seed: int
) -> None:
    relevance, _, similarity = random_grid(size, seed)
    look = looking_at(seed)
    best = best_layout(metric, relevance.tolist(), look, similarity)
    every = [
        value(metric, layout, relevance, look(layout), similarity)
        for layout in permutations(range(size))
    ]
    found = value(metric, best.cells, relevance, look(best.cells), similarity)
    assert found == pytest.approx(max(every), abs=1e-11)


@pytest.mark.parametrize("metric", [ERR(), RBP(novelty="max"), ERR(order="positional")], ids=str)
def test_of_seven_images_the_layout_found_beats_those_that_were_known(metric: SetMetric) -> None:
    relevance, _, similarity = random_grid(7, seed=3)
    look, known = looking_at(3), [(6, 5, 4, 3, 2, 1, 0), (2, 4, 6, 1, 3, 5, 0)]
    best = best_layout(metric, relevance.tolist(), look, similarity, known)
    assert sorted(best.cells) == list(range(7))
    found, *before = (
        value(metric, each, relevance, look(each), similarity) for each in (best.cells, *known)
    )
    assert found > max(before)


@given(size=st.integers(7, 9), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=6)
def test_no_exchange_of_two_images_betters_the_layout_of_a_larger_grid(
    size: int, seed: int
) -> None:
    """Attention changes with every exchange, which can need more than three rounds of all pairs."""
    relevance, _, similarity = random_grid(size, seed)
    look, metric = looking_at(seed), ERR(novelty="max")
    best = best_layout(metric, relevance.tolist(), look, similarity)
    found = value(metric, best.cells, relevance, look(best.cells), similarity)
    for first, second in combinations(range(size), 2):
        layout = [*best.cells]
        layout[first], layout[second] = layout[second], layout[first]
        assert value(metric, layout, relevance, look(layout), similarity) <= found + 1e-9


def test_where_attention_stays_the_most_relevant_image_goes_where_people_look_first() -> None:
    best = best_layout(ERR(), [0.1 * n for n in range(8)], lambda arrangement: range(1, 9))
    assert best.cells == tuple(range(8))


def test_an_image_that_could_not_be_judged_stands_where_it_costs_least() -> None:
    best = best_layout(ERR(), [None, 0.9, 0.5], lambda arrangement: [0.6, 0.3, 0.1])
    assert best.cells == (1, 2, 0)

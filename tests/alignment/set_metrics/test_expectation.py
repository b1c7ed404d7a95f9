from itertools import permutations

import numpy as np
import pytest

from alignment.arrays import Floats
from alignment.set_metrics.expectation import (
    NOVELTIES,
    Novelty,
    attention_along,
    expected_attention,
)
from alignment.set_metrics.viewing_orders import Saliency


def attention_of_one_order(
    order: tuple[int, ...], continuation: Floats, similarity: Floats, novelty: Novelty
) -> Floats:
    """The definition, word by word."""
    attention, reached = np.zeros(len(order)), 1.0
    for rank, cell in enumerate(order):
        earlier = [similarity[cell, other] for other in order[:rank]]
        eta = {
            "none": 1.0,
            "max": 1 - max(earlier, default=0.0),
            "product": np.prod([1 - s for s in earlier]),
        }
        attention[cell] = reached * eta[novelty]
        reached *= continuation[cell]
    return attention


def enumerated_attention(
    weights: Floats, continuation: Floats, similarity: Floats, novelty: Novelty
) -> Floats:
    """The mean over all k! orders, each with its Plackett-Luce chance."""
    total = np.zeros(len(weights))
    for order in permutations(range(len(weights))):
        left = np.cumsum(weights[list(order)][::-1])[::-1]
        chance = np.prod(weights[list(order)] / left)
        total += chance * attention_of_one_order(order, continuation, similarity, novelty)
    return total


def random_grid(size: int, decades: float, seed: int) -> tuple[Floats, Floats, Floats]:
    """Weights over so many powers of ten, chances to go on, and a symmetric similarity."""
    generator = np.random.default_rng(seed)
    weights = 10 ** np.linspace(0, decades, size)[generator.permutation(size)]
    similarity = generator.uniform(size=(size, size))
    return weights, generator.uniform(size=size), np.maximum(similarity, similarity.T)


@pytest.mark.parametrize("novelty", NOVELTIES)
@pytest.mark.parametrize("decades", [0, 1, 4])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 6])
def test_the_expectation_is_that_of_all_orders(size: int, decades: float, novelty: Novelty) -> None:
    weights, continuation, similarity = random_grid(size, decades, seed=size)
    exact = expected_attention(Saliency(tuple(weights)), continuation, similarity, novelty)
    enumerated = enumerated_attention(weights, continuation, similarity, novelty)
    np.testing.assert_allclose(exact, enumerated, rtol=0, atol=1e-11)


@pytest.mark.parametrize("novelty", NOVELTIES)
def test_attention_along_an_order_is_its_definition(novelty: Novelty) -> None:
    _, continuation, similarity = random_grid(5, decades=0, seed=2)
    orders = np.array([[4, 2, 0, 1, 3], [0, 1, 2, 3, 4]])
    along = attention_along(orders, continuation, similarity, novelty)
    for order, attention in zip(orders.tolist(), along, strict=True):
        defined = attention_of_one_order(tuple(order), continuation, similarity, novelty)
        np.testing.assert_allclose(attention, defined, atol=1e-15)


def test_only_the_ratios_of_the_weights_matter() -> None:
    weights, continuation, similarity = random_grid(6, decades=3, seed=5)
    first, second = (
        expected_attention(Saliency(tuple(factor * weights)), continuation, similarity, "max")
        for factor in (1.0, 1e-6)
    )
    np.testing.assert_allclose(first, second, atol=1e-14)


@pytest.mark.parametrize("novelty", NOVELTIES)
def test_a_hundred_cells_agree_with_sampled_orders(novelty: Novelty) -> None:
    weights, continuation, similarity = random_grid(100, decades=2, seed=1)
    patient, unlike = 0.8 + 0.2 * continuation, 0.1 * similarity
    model = Saliency(tuple(weights))
    exact = expected_attention(model, patient, unlike, novelty).sum()
    orders = model.orders(100, 2_000, np.random.default_rng(1))
    sampled = attention_along(orders, patient, unlike, novelty).sum(axis=1)
    assert abs(exact - sampled.mean()) < 4 * sampled.std() / np.sqrt(2_000)

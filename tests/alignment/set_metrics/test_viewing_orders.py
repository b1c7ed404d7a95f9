from itertools import permutations

import numpy as np
import pytest

from alignment.set_metrics.viewing_orders import (
    Positional,
    Saliency,
    Uniform,
    ViewingModel,
    viewing_model,
)


def plackett_luce_chance(order: tuple[int, ...], weights: tuple[float, ...]) -> float:
    """Draw without replacement, each time in proportion to what is left."""
    chance, left = 1.0, sum(weights)
    for cell in order:
        chance *= weights[cell] / left
        left -= weights[cell]
    return chance


@pytest.mark.parametrize("weights", [(1.0, 1.0, 1.0), (0.5, 0.3, 0.2), (100.0, 1.0, 10.0)])
def test_sampled_orders_follow_the_law_of_drawing_without_replacement(
    weights: tuple[float, ...],
) -> None:
    orders = Saliency(weights).orders(3, 40_000, np.random.default_rng(7))
    for order in permutations(range(3)):
        chance = plackett_luce_chance(order, weights)
        frequency = (orders == order).all(axis=1).mean()
        assert abs(frequency - chance) < 4 * np.sqrt(chance * (1 - chance) / 40_000) + 1e-4


@pytest.mark.parametrize("model", [Positional(), Uniform(), Saliency((1.0, 2.0, 3.0, 4.0))])
def test_every_order_holds_every_cell_once(model: ViewingModel) -> None:
    orders = model.orders(4, 50, np.random.default_rng(0))
    assert orders.shape == (50, 4)
    assert (np.sort(orders, axis=1) == np.arange(4)).all()


def test_an_order_is_found_by_its_name_and_an_unknown_one_names_those() -> None:
    assert viewing_model("positional") == Positional()
    assert viewing_model("uniform") == Uniform()
    with pytest.raises(ValueError, match="'spiral'; known: saliency, positional, uniform"):
        viewing_model("spiral")  # type: ignore[arg-type]


def test_the_saliency_order_asks_for_its_attention() -> None:
    with pytest.raises(ValueError, match="needs `attention`"):
        viewing_model("saliency")


@pytest.mark.parametrize("share", [-0.1, float("nan"), float("inf")])
def test_attention_must_be_finite_and_not_negative(share: float) -> None:
    with pytest.raises(ValueError, match="finite and 0 or more"):
        Saliency((0.5, share))


def test_there_is_one_mass_for_each_cell() -> None:
    with pytest.raises(ValueError, match="2 values of attention for 3 cells"):
        Saliency((0.5, 0.5)).weights(3)

from __future__ import annotations

import numpy as np
import pytest

from alignment.set_metrics.metrics import ERR
from alignment.set_metrics.released_code import PerturbedAttention, released_rbp
from alignment.set_metrics.viewing_orders import Uniform
from benchmarks.expectation import (
    REFERENCE_RBP,
    REFERENCE_RELEVANCE,
    REFERENCE_SALIENCY,
    measure,
)


def test_compatibility_mode_is_within_three_standard_errors_of_the_released_code() -> None:
    estimate = released_rbp(
        REFERENCE_RELEVANCE, REFERENCE_SALIENCY, 20_000, np.random.default_rng(7)
    )
    error_of_fifty = estimate.standard_error * np.sqrt(20_000 / 50)
    assert estimate.value == pytest.approx(0.7525, abs=5e-4)
    assert error_of_fifty == pytest.approx(0.0025, abs=3e-4)
    assert abs(REFERENCE_RBP - estimate.value) < 3 * error_of_fifty


def test_noise_on_the_masses_leaves_the_orders_nearly_uniform() -> None:
    """The most attractive of eight cells is first far less often than its mass of 0.29."""
    generator = np.random.default_rng(7)
    perturbed = PerturbedAttention(REFERENCE_SALIENCY).orders(8, 20_000, generator)
    uniform = Uniform().orders(8, 20_000, generator)
    first, by_chance = ((orders[:, 0] == 4).mean() for orders in (perturbed, uniform))
    assert by_chance < first < 0.17


def test_the_exact_expectation_agrees_with_enumeration_where_it_is_timed() -> None:
    found = {each.name: each.value for each in measure(ERR(novelty="max"), size=5, seed=7)}
    assert found["error"] < 1e-11
    assert found["orders for 1e-9"] > 1e12
    assert "error" not in {each.name for each in measure(ERR(), size=9, seed=7)}

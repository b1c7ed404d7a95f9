from __future__ import annotations

import numpy as np
import pytest

from alignment.set_metrics.released_code import PerturbedAttention, released_rbp
from alignment.set_metrics.viewing_orders import Uniform

RELEVANCE = (
    0.7808417081832886,
    0.7563698887825012,
    0.7388613820075989,
    0.7263504862785339,
    0.749413013458252,
    0.7648179531097412,
    0.7904155850410461,
    0.7195844054222107,
)
SALIENCY = (
    0.00225529,
    0.00182395,
    0.2671824,
    0.2021625,
    0.28705123,
    0.23540027,
    0.00211734,
    0.00200697,
)
RBP = 0.7573248
"""What the released code reported for these, from 50 sampled orders without a seed."""


def test_compatibility_mode_is_within_three_standard_errors_of_the_released_code() -> None:
    estimate = released_rbp(RELEVANCE, SALIENCY, 20_000, np.random.default_rng(7))
    error_of_fifty = estimate.standard_error * np.sqrt(20_000 / 50)
    assert estimate.value == pytest.approx(0.7525, abs=5e-4)
    assert error_of_fifty == pytest.approx(0.0025, abs=3e-4)
    assert abs(RBP - estimate.value) < 3 * error_of_fifty


def test_noise_on_the_masses_leaves_the_orders_nearly_uniform() -> None:
    """The most attractive of eight cells is first far less often than its mass of 0.29."""
    generator = np.random.default_rng(7)
    perturbed = PerturbedAttention(SALIENCY).orders(8, 20_000, generator)
    uniform = Uniform().orders(8, 20_000, generator)
    first, by_chance = ((orders[:, 0] == 4).mean() for orders in (perturbed, uniform))
    assert by_chance < first < 0.17

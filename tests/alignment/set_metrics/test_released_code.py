"""RBP of the code released with the set metrics, whose form is not that of the paper.

It orders cells by Gumbel noise on the attention itself, not on its logarithms, and takes gamma as
the chance to stop.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from alignment.set_metrics.metrics import RBP
from alignment.set_metrics.viewing_orders import CellOrders

GAMMA = 0.8

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
REPORTED = 0.7573248
"""What the released code reported for these, from 50 sampled orders without a seed."""


@dataclass(frozen=True)
class PerturbedAttention:
    """A viewing model: the cell with the highest noisy attention first."""

    attention: tuple[float, ...]

    def orders(self, size: int, count: int, generator: np.random.Generator) -> CellOrders:
        noisy = np.array(self.attention) + generator.gumbel(size=(count, size))
        return np.argsort(-noisy, axis=1)


def test_in_their_form_rbp_is_within_three_standard_errors_of_the_released_code() -> None:
    """gamma * sum over t of f(pi_t) * (1 - gamma)**(t - 1)."""
    viewer, generator = PerturbedAttention(SALIENCY), np.random.default_rng(7)
    plain = RBP(persistence=1 - GAMMA)
    drawn = plain.estimate(viewer, RELEVANCE, samples=20_000, generator=generator)
    error_of_fifty = GAMMA * drawn.standard_error * np.sqrt(20_000 / 50)
    assert GAMMA * drawn.value == pytest.approx(0.7525, abs=5e-4)
    assert error_of_fifty == pytest.approx(0.0025, abs=3e-4)
    assert abs(REPORTED - GAMMA * drawn.value) < 3 * error_of_fifty

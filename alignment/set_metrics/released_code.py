"""RBP as the code released with the set metrics computes it.

Compatibility mode, for comparison with numbers that were published so, and never for new ones: the
code released with the set metrics orders cells by Gumbel noise on the attention itself, not on
their logarithms (so its orders are nearly uniform), and takes gamma as the chance to stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from alignment.set_metrics.metrics import RBP
from alignment.set_metrics.viewing_orders import CellOrders
from alignment.statistics.intervals import Measured


@dataclass(frozen=True)
class PerturbedAttention:
    """A viewing model: the cell with the highest noisy attention first."""

    attention: tuple[float, ...]

    def orders(self, size: int, count: int, generator: np.random.Generator) -> CellOrders:
        """Highest noisy attention first, shape (count, size)."""
        noisy = np.array(self.attention) + generator.gumbel(size=(count, size))
        return np.argsort(-noisy, axis=1)


def released_rbp(
    relevance: Sequence[float],
    attention: Sequence[float],
    samples: int,
    generator: np.random.Generator,
    gamma: float = 0.8,
) -> Measured:
    """RBP in the released code's own form, over perturbed attention.

    gamma * sum over t of f(pi_t) * (1 - gamma)**(t - 1).

    Args:
        relevance: f, row by row, each in [0, 1].
        attention: of each place.
        samples: how many orders are drawn; the released code draws 50.
        generator: where they come from.
        gamma: the chance to stop after each picture.
    """
    plain = RBP(persistence=1 - gamma)
    drawn = plain.estimate(
        PerturbedAttention(tuple(attention)), relevance, samples=samples, generator=generator
    )
    return Measured(gamma * drawn.value, gamma * drawn.low, gamma * drawn.high, samples)

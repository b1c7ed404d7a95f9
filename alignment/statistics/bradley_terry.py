"""Bradley-Terry strengths of things that people compared in pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from alignment.statistics.intervals import MARGIN, Measured

SPREAD = 2.0
"""Standard deviation of strengths before any comparison, in logits; it keeps the strength of a
thing that has won every comparison finite."""


def bradley_terry(comparisons: Sequence[tuple[str, str, float]]) -> dict[str, Measured]:
    """The strengths under which people's choices are likeliest, the strongest first.

    In logits; their mean is 0, and their intervals are Laplace's approximation.

    P(first is preferred to second) = 1 / (1 + exp(second - first)); a tie is half a win of each.
    Strengths have a normal prior of standard deviation `SPREAD`.

    Args:
        comparisons: first, second, and 1.0 where the first was preferred, 0.0 where the second
            was, 0.5 for a tie.

    Source: R. Bradley, M. Terry, "Rank Analysis of Incomplete Block Designs", 1952.

    >>> [*bradley_terry([("b", "c", 1.0), ("a", "b", 1.0), ("a", "c", 0.5)])]
    ['a', 'b', 'c']
    """
    from scipy import optimize

    names = sorted({name for first, second, _ in comparisons for name in (first, second)})
    if not names:
        return {}
    design = np.zeros((len(comparisons), len(names)))
    for row, (first, second, _) in zip(design, comparisons, strict=True):
        row[names.index(first)], row[names.index(second)] = 1.0, -1.0
    wins = np.array([won for *_, won in comparisons])

    def loss(strengths: np.ndarray) -> float:
        advantage = design @ strengths
        likelihood = wins @ advantage - np.logaddexp(0, advantage).sum()
        return float(np.square(strengths).sum() / (2 * SPREAD**2) - likelihood)

    likeliest = optimize.minimize(loss, np.zeros(len(names))).x
    chances = 1 / (1 + np.exp(-design @ likeliest))
    curvature = design.T @ (design * (chances * (1 - chances))[:, None])
    spread = np.linalg.inv(curvature + np.eye(len(names)) / SPREAD**2)
    centre = np.eye(len(names)) - 1 / len(names)
    errors = np.sqrt(np.diag(centre @ spread @ centre))
    margins = MARGIN * errors
    values = likeliest - likeliest.mean()
    counts = np.abs(design).sum(axis=0)
    each = zip(names, values.tolist(), margins.tolist(), counts.tolist(), strict=True)
    found = {
        name: Measured(value, value - margin, value + margin, int(count))
        for name, value, margin, count in each
    }
    return dict(sorted(found.items(), key=lambda strength: -strength[1].value))

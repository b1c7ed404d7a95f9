"""Neighbours: noise near that of the best image so far, the better of which is next.

Source: Ma et al., "Inference-Time Scaling for Diffusion Models beyond Scaling Denoising Steps",
2025, zero-order search.
"""

from __future__ import annotations

from collections.abc import Sequence

from generation import GridRequest
from search.records import Attempt, Plan, seed_of

NEAR = 0.9
"""The cosine between the noise of the best image and a neighbour's."""
FIRST = 2
"""Images of seeds of their own before neighbours are tried, and after every so many of these."""


def next_plan(request: GridRequest, attempts: Sequence[Attempt]) -> Plan:
    """A neighbour of the best image that began with a seed's own noise; first, such images."""
    seed = seed_of(request, attempts)
    seeds = [each for each in attempts if each.plan.parent is None]
    if len(attempts) < FIRST or len(attempts) >= 4 * len(seeds):
        return Plan("resample", seed)
    best = max(seeds, key=lambda each: (each.score.value or 0.0, -each.number))
    return Plan("neighbours", seed, parent=best.number, near=NEAR)

"""Prune: the next seed, looked at early; the steps of what is hopeless go to further seeds."""

from __future__ import annotations

from collections.abc import Sequence

from generation import GridRequest
from search.records import Attempt, Plan, seed_of

LOOKS = (1 / 3, 1 / 2)
"""After which shares of the steps the denoised estimate is asked."""


def next_plan(request: GridRequest, attempts: Sequence[Attempt]) -> Plan:
    """A new image from the next seed, which may be given up."""
    return Plan("prune", seed_of(request, attempts), previews=LOOKS)

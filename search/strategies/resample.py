"""Resample: the next seed, until an image is right."""

from __future__ import annotations

from collections.abc import Sequence

from generation import GridRequest
from search.records import Attempt, Plan, seed_of


def next_plan(request: GridRequest, attempts: Sequence[Attempt]) -> Plan:
    """A new image from the next seed."""
    return Plan("resample", seed_of(request, attempts))

"""Repair: what fails in the best image is denoised again where it is, the rest is held.

The model is given the failing phrase alone, as for inpainting: with the whole prompt, the embedded
model denoises the same content from any noise.
"""

from __future__ import annotations

from collections.abc import Sequence

from generation import GridRequest
from search.records import Attempt, Plan, best_of, phrase_of, seed_of

BEGIN = 0.0
"""The share of the steps that a repair leaves out: from a quarter on, the embedded model of four
steps keeps what it is to change."""
TRIES = 2
"""Repairs of one claim of one image, after which another image is generated."""


def next_plan(request: GridRequest, attempts: Sequence[Attempt]) -> Plan:
    """A repair of the best image, or a new image where there is nothing to repair in it."""
    return repair_or_resample(request, attempts)


def repair_or_resample(
    request: GridRequest, attempts: Sequence[Attempt], repairable: Sequence[int] | None = None
) -> Plan:
    """A repair of the first of some claims of the best image that was not tried too often.

    Args:
        request: of the search.
        attempts: so far.
        repairable: claims of the best image; all that fail when None.
    """
    seed = seed_of(request, attempts)
    if not attempts:
        return Plan("resample", seed)
    best = best_of(attempts)
    tried = [each.plan.claim for each in attempts if each.plan.parent == best.number]
    failing = best.table.failing(0) if repairable is None else repairable
    left = [claim for claim in failing if tried.count(claim) < TRIES]
    if not left or best.denoised is None:
        return Plan("resample", seed)
    return Plan(
        "repair",
        seed,
        phrase_of(best.table, best.table.claims[left[0]]),
        parent=best.number,
        claim=left[0],
        begin=BEGIN,
        completed_by=best.plan.seed if best.plan.completed_by is None else best.plan.completed_by,
    )

"""Route: where things or their number fail, the next seed; where one thing's look does, a repair.

What no seed has drawn so far is repaired, too: further seeds seldom have it.

Source: "EPIC", 2026 (arXiv 2605.11722), whose failed predicates choose between the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from alignment.answers import AnswerTable
from alignment.questions.skills import skill_of
from generation import GridRequest
from search.records import Attempt, Plan, best_of
from search.strategies.repair import repair_or_resample

REPAIRED = ("colour", "state", "place")
"""Skills of claims that are repaired."""
SEEDS = 3
"""Images in a row in which a claim fails before it is taken for what no seed draws."""


def next_plan(request: GridRequest, attempts: Sequence[Attempt]) -> Plan:
    """A repair of the best image where every claim that fails in it can be repaired."""
    if not attempts:
        return repair_or_resample(request, attempts, ())
    table = best_of(attempts).table
    failing = table.failing(0)
    never = never_drawn(attempts)
    every = all(is_repairable(table, claim) or claim in never for claim in failing)
    return repair_or_resample(request, attempts, failing if every else ())


def never_drawn(attempts: Sequence[Attempt]) -> set[int]:
    """The claims that fail in every image that was generated from a seed, of `SEEDS` or more."""
    drawn = [{*each.table.failing(0)} for each in attempts if each.plan.parent is None]
    return set.intersection(*drawn) if len(drawn) >= SEEDS else set()


def is_repairable(table: AnswerTable, claim: int) -> bool:
    """Whether a claim is about how one thing looks or where it is, and the thing is there."""
    told, skills = table.claims[claim], {skill_of(pair) for pair in table.claims[claim].pairs}
    if "count" in skills or told.kind == "count":
        return False
    return bool(told.rests_on) or bool(skills & {*REPAIRED})

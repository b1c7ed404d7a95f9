"""Restate: the words that fail most are said again, first, or apart, with the next seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from generation import GridRequest
from search.records import Attempt, Plan, phrase_of, seed_of

WORDINGS = ("{prompt}, {words}", "{words}, {prompt}", "{prompt}. {words}")
"""Again, first, apart; in turn."""


def next_plan(request: GridRequest, attempts: Sequence[Attempt]) -> Plan:
    """The prompt as it is at first, and while nothing is known to fail."""
    seed = seed_of(request, attempts)
    failed = Counter(claim for each in attempts for claim in each.failing)
    if not failed:
        return Plan("resample", seed)
    claim = failed.most_common(1)[0][0]
    wording = WORDINGS[(len(attempts) - 1) % len(WORDINGS)]
    words = phrase_of(attempts[-1].table, claim)
    return Plan("restate", seed, wording.replace("{words}", words))

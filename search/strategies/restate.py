"""Restate: the words that fail most are said again, first, or apart, with the next seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from alignment.answers import Claim
from generation import GridRequest
from search.records import Attempt, Plan, seed_of

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
    return Plan("restate", seed, wording.replace("{words}", phrase_of(claim, attempts[-1])))


def phrase_of(claim: Claim, attempt: Attempt) -> str:
    """The words of a claim in the widest phrase of the prompt that is asked about."""
    spans = [each.span for each in attempt.table.claims]
    around = [s for s in spans if s.start <= claim.span.start and claim.span.end <= s.end]
    return max(around, key=lambda span: span.end - span.start).text

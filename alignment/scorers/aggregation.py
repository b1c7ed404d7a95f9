"""Aggregation: from the probabilities of an image's pairs to one score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import exp, log
from statistics import fmean

from alignment.questions.settings import Aggregation
from alignment.records import Evidence

LEAST = 1e-4
"""What a pair counts at least in a geometric mean: a model's P(yes) is not known any better."""


def aggregated(evidence: Sequence[Evidence], aggregation: Aggregation = "mean") -> float:
    """One score in [0, 1] of at least one pair; a pair that is not counted has probability 0.

    >>> from alignment.records import AnswerSpan, QuestionAnswer
    >>> said = {"the sea": 0.9, "sea": 0.7, "cow": 0.2}
    >>> spans = {AnswerSpan(text, 0, 1): chance for text, chance in said.items()}
    >>> evidence = [Evidence(QuestionAnswer("", span, 1.0), p) for span, p in spans.items()]
    >>> [round(aggregated(evidence, each), 3) for each in ("mean", "claims", "geometric")]
    [0.6, 0.5, 0.4]
    """
    if aggregation == "mean":
        return fmean(entry.value for entry in evidence)
    if aggregation == "weakest":
        return min(entry.value for entry in evidence)
    claims = _by_claim(evidence)
    if aggregation == "claims":
        return fmean(claims)
    return exp(fmean(log(max(claim, LEAST)) for claim in claims))


def claims_behind(evidence: Sequence[Evidence]) -> int:
    """How many claims the pairs of an image are about; 0 of a method that asks no questions."""
    return len(_by_claim(evidence))


def _by_claim(evidence: Sequence[Evidence]) -> list[float]:
    """The mean probability of each claim, in the order of their first pairs."""
    claims: defaultdict[object, list[float]] = defaultdict(list)
    for entry in evidence:
        claims[entry.pair.claim].append(entry.value)
    return [fmean(probabilities) for probabilities in claims.values()]

"""Aggregation: from the probabilities of an image's pairs to one score."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, geometric_mean

from alignment.questions.settings import Aggregation
from alignment.records import Evidence

LEAST = 1e-4
"""What a pair counts at least in a geometric mean: a model's P(yes) is not known any better."""


def aggregated(evidence: Sequence[Evidence], aggregation: Aggregation = "mean") -> float:
    """One score in [0, 1] of at least one pair; a pair that is not counted has probability 0.

    >>> from alignment.questions.records import AnswerSpan, QuestionAnswer
    >>> said = {"the sea": 0.9, "sea": 0.7, "cow": 0.2}
    >>> spans = {AnswerSpan(text, 0, 1): chance for text, chance in said.items()}
    >>> evidence = [Evidence(QuestionAnswer("", span, 1.0), p) for span, p in spans.items()]
    >>> [round(aggregated(evidence, each), 3) for each in ("mean", "geometric", "weakest")]
    [0.6, 0.501, 0.2]
    """
    if aggregation == "mean":
        return fmean(entry.value for entry in evidence)
    if aggregation == "weakest":
        return min(entry.value for entry in evidence)
    return geometric_mean([max(entry.value, LEAST) for entry in evidence])

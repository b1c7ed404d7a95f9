"""What a comparison found: figures, and differences between systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from statistics import fmean, median
from typing import Any

import numpy as np

from alignment.evaluation import PERSISTENCE
from alignment.judgements import METHOD, in_part, satisfied
from alignment.ranking import METHODS, TARGETS
from alignment.records import GridReport
from alignment.set_metrics.metrics import RBP
from alignment.statistics.intervals import Measured, measured_mean
from session.comparison import ComparisonState

SEED = 7
"""Of the draws of prompts."""
KINDS = ("thing", "attribute", "count", "place", "action", "name")
"""What a question can be about; reports of early versions do not say, which counts as "thing"."""


@dataclass(frozen=True)
class SystemSummary:
    """What is told of one system alone, of the prompts whose grids are finished."""

    prompts: int
    seconds: float | None
    """The median over prompts: the first grid may wait for its models."""
    images: int
    unjudged: int
    """Images of which it cannot be told whether they are right."""
    calibrated: bool
    """Whether chances say which images are right, or only whether every answer holds."""
    failures: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Kind of question -> answers that fail, and answers, of all images."""


@dataclass(frozen=True)
class PairedDifference(Measured):
    """By how much a figure of a system is larger than that of another, the mean over n prompts."""

    differing: int
    """Prompts on which the two differ."""


FIGURES = ("top_score", "first_right", "share_right", "ERR", "RBP")
"""What `figures` says of a grid, and of a system in the mean over prompts."""


def figures(report: GridReport) -> dict[str, float | None]:
    """The figures of a grid; None where there is nothing to compute one from.

    The score of the first image by the method of the ranking, whether that image is right, the
    share of right images among those that could be judged (see `alignment.judgements.satisfied`),
    and ERR and RBP of the reranked grid, row by row.
    """
    right, first = satisfied(report), report.ranking.order[0]
    return {
        "top_score": report.ranking.values[first],
        "first_right": right[first] if right else None,
        "share_right": _mean(right),
        **{metric: report.row_by_row(metric).get("reranked") for metric in ("ERR", "RBP")},
    }


def summarise_system(state: ComparisonState, system: int) -> SystemSummary:
    """What is told of a system so far."""
    reports = [report for report in _reports(state, system) if report]
    right = [each for report in reports for each in satisfied(report)]
    seconds = [sum(report.timings.values()) for report in reports]
    return SystemSummary(
        prompts=len(reports),
        seconds=median(seconds) if seconds else None,
        images=len(right),
        unjudged=right.count(None),
        calibrated=all(METHOD in report.relevance for report in reports),
        failures=failures_by_kind(reports),
    )


def shared_prompts(state: ComparisonState, figure: str) -> tuple[int, ...]:
    """The prompts on which a figure can be compared: all systems have it that have it on any."""
    known = [
        {prompt for prompt, value in enumerate(_values(state, system, figure)) if value is not None}
        for system in range(len(state.systems))
    ]
    having = [prompts for prompts in known if prompts]
    return tuple(sorted(set.intersection(*having))) if having else ()


def means(state: ComparisonState, figure: str) -> tuple[float | None, ...]:
    """The mean of a figure for each system, over `shared_prompts`; None without the figure."""
    prompts = shared_prompts(state, figure)
    values = (_values(state, system, figure) for system in range(len(state.systems)))
    return tuple(_mean(each[prompt] for prompt in prompts) for each in values)


def partly_judged(state: ComparisonState) -> int:
    """Of how many prompts only part was judged: some score does not speak about every word."""
    reports = ((prompt, grid.report) for (prompt, _), grid in state.finished.items())
    return len(
        {prompt for prompt, each in reports if each and in_part(each.scores.get(METHOD, ()))}
    )


def paired_difference(
    state: ComparisonState, first: int, second: int, figure: str = "share_right"
) -> PairedDifference | None:
    """Second minus first, over `shared_prompts`; None where one of them has no such figure."""
    values = [*zip(_values(state, first, figure), _values(state, second, figure), strict=True)]
    pairs = (values[prompt] for prompt in shared_prompts(state, figure))
    differences = [b - a for a, b in pairs if a is not None and b is not None]
    if not differences:
        return None
    bound = RBP(PERSISTENCE).best(state.rows * state.columns) if figure == "RBP" else 1.0
    mean = measured_mean(differences, np.random.default_rng(SEED), bounds=(-bound, bound))
    differing = sum(each != 0 for each in differences)
    return PairedDifference(**asdict(mean), differing=differing)


BY_RANKING = ("top_score", "ERR", "RBP")
"""Figures of `compare_reports` that are computed from the scores of the ranking's method."""
DO_NOT_COMPARE = (
    "the first is ranked by {}, the second by {}; scores of different methods cannot be "
    "compared, so score both with one rank_by"
)


def compare_reports(first: GridReport, second: GridReport) -> dict[str, Any]:
    """The figures of two reports, second minus first, and why some have no difference."""
    one, other = (
        {name: value for name, value in figures(each).items() if name != "first_right"}
        for each in (first, second)
    )
    apart = BY_RANKING if first.ranked_by != second.ranked_by else ()
    pairs = {name: (one[name], other[name]) for name in one if name not in apart}
    known = {name: b - a for name, (a, b) in pairs.items() if a is not None and b is not None}
    reason = DO_NOT_COMPARE.format(first.ranked_by, second.ranked_by) if apart else ""
    difference = {name: known.get(name) for name in one}
    return {"first": one, "second": other, "difference": difference, "reason": reason}


def failures_by_kind(reports: Iterable[GridReport]) -> dict[str, tuple[int, int]]:
    """Kind of question -> how many answers fail, and how many there are; only what is asked."""
    entries = [
        (entry.pair.kind or KINDS[0], entry.holds)
        for report in reports
        for score in report.scores.get(METHOD, ())
        for entry in score.evidence
    ]
    holds = {kind: [each for name, each in entries if name == kind] for kind in KINDS}
    return {kind: (each.count(False), len(each)) for kind, each in holds.items() if each}


MEASURES = (*METHODS, TARGETS, "share right", "ERR", "RBP")
"""The metrics that `measures` can give."""


def measures(report: GridReport) -> dict[str, float]:
    """Metric -> what it says of a grid, for the metrics that say anything."""
    known = figures(report)
    found = {
        **{name: _mean(each.value for each in of) for name, of in report.scores.items()},
        "share right": known["share_right"],
        "ERR": known["ERR"],
        "RBP": known["RBP"],
    }
    return {name: value for name, value in found.items() if value is not None}


def _reports(state: ComparisonState, system: int) -> list[GridReport | None]:
    """The reports of a system, by prompt; None where its grid is not finished."""
    grids = (state.grids.get((prompt, system)) for prompt in range(len(state.prompts)))
    return [grid.report if grid else None for grid in grids]


def _values(state: ComparisonState, system: int, figure: str) -> list[float | None]:
    """A figure of a system, by prompt; None where its grid has none, or is not finished."""
    return [figures(each)[figure] if each else None for each in _reports(state, system)]


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None

"""What a comparison found: figures of each grid and system, and differences between systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any

import numpy as np

from alignment.evaluation import PERSISTENCE
from alignment.judgements import METHOD, judgements
from alignment.questions.skills import SKILLS, skill_of
from alignment.ranking import METHODS, TARGETS
from alignment.records import GridReport
from alignment.statistics.intervals import mean_interval
from session.comparison import ComparisonState

SEED = 7
"""Of the draws of prompts."""


@dataclass(frozen=True)
class GridSummary:
    """The figures of one grid; None where there is nothing to compute them from."""

    top_score: float | None
    """The score of the first image, by the method of the ranking."""
    right: tuple[bool | None, ...]
    """By cell, see `alignment.judgements`."""
    first_right: bool | None
    """Whether the first image of the ranking is right."""
    err: float | None
    """ERR of the reranked grid, row by row."""
    rbp: float | None
    seconds: float
    """Of generating and scoring."""

    @property
    def share_right(self) -> float | None:
        """The share of right images among those that could be judged."""
        judged = [each for each in self.right if each is not None]
        return fmean(judged) if judged else None


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
    """Skill -> answers that fail, and answers, of all images."""


@dataclass(frozen=True)
class PairedDifference:
    """By how much a figure of a system is larger than that of another, prompt by prompt."""

    mean: float
    """Of the differences."""
    low: float
    high: float
    """The 95 % interval, drawing prompts."""
    prompts: int
    differing: int
    """Prompts on which the two differ."""


def summarise_grid(report: GridReport) -> GridSummary:
    """The figures of a grid."""
    right, first = judgements(report), report.ranking.order[0]
    metrics = {
        score.metric: score.value
        for score in report.set_scores
        if (score.order, score.arrangement) == ("positional", "reranked")
    }
    return GridSummary(
        report.ranking.values[first],
        right,
        right[first] if right else None,
        metrics.get("ERR"),
        metrics.get("RBP"),
        sum(report.timings.values()),
    )


def summarise_system(state: ComparisonState, system: int) -> SystemSummary:
    """What is told of a system so far."""
    reports = _reports(state, system)
    grids = [summarise_grid(report) for report in reports]
    right = [each for grid in grids for each in grid.right]
    return SystemSummary(
        prompts=len(grids),
        seconds=median(grid.seconds for grid in grids) if grids else None,
        images=len(right),
        unjudged=right.count(None),
        calibrated=all(METHOD in report.relevance for report in reports),
        failures=failures_by_skill(reports),
    )


FIGURES: Mapping[str, Callable[[GridSummary], float | None]] = {
    "top_score": lambda grid: grid.top_score,
    "first_right": lambda grid: grid.first_right,
    "share_right": lambda grid: grid.share_right,
    "err": lambda grid: grid.err,
    "rbp": lambda grid: grid.rbp,
}
"""Figures of which a system has the mean over prompts."""


def shared_prompts(state: ComparisonState, figure: str) -> tuple[int, ...]:
    """The prompts on which a figure can be compared: all systems have it that have it on any.

    Args:
        state: the comparison.
        figure: one of `FIGURES`.
    """
    known = [
        {prompt for prompt, value in enumerate(_values(state, system, figure)) if value is not None}
        for system in range(len(state.systems))
    ]
    having = [prompts for prompts in known if prompts]
    return tuple(sorted(set.intersection(*having))) if having else ()


def means(state: ComparisonState, figure: str) -> tuple[float | None, ...]:
    """The mean of a figure for each system, over `shared_prompts`; None without the figure.

    Args:
        state: the comparison.
        figure: one of `FIGURES`.
    """
    prompts = shared_prompts(state, figure)
    values = (_values(state, system, figure) for system in range(len(state.systems)))
    return tuple(_mean(each[prompt] for prompt in prompts) for each in values)


def paired_difference(
    state: ComparisonState, first: int, second: int, figure: str = "share_right"
) -> PairedDifference | None:
    """Second minus first, over `shared_prompts`; None where one of them has no such figure.

    Args:
        state: the comparison.
        first: a system.
        second: another.
        figure: one of `FIGURES`.
    """
    values = [*zip(_values(state, first, figure), _values(state, second, figure), strict=True)]
    pairs = (values[prompt] for prompt in shared_prompts(state, figure))
    differences = [b - a for a, b in pairs if a is not None and b is not None]
    if not differences:
        return None
    most = float(sum(PERSISTENCE**place for place in range(state.rows * state.columns)))
    bound = most if figure == "rbp" else 1.0
    interval = mean_interval(differences, np.random.default_rng(SEED), bounds=(-bound, bound))
    differing = sum(each != 0 for each in differences)
    return PairedDifference(fmean(differences), *interval, differing)


BY_RANKING = ("top_score", "ERR", "RBP")
"""Figures of `compare_reports` that are computed from the scores of the ranking's method."""
DO_NOT_COMPARE = (
    "the first is ranked by {}, the second by {}; scores of different methods do not compare, so "
    "score both with one rank_by"
)


def compare_reports(first: GridReport, second: GridReport) -> dict[str, Any]:
    """The figures of two reports, second minus first, and why some have no difference."""
    one, other = _plain(summarise_grid(first)), _plain(summarise_grid(second))
    apart = BY_RANKING if first.ranked_by != second.ranked_by else ()
    pairs = {name: (one[name], other[name]) for name in one if name not in apart}
    known = {name: b - a for name, (a, b) in pairs.items() if a is not None and b is not None}
    reason = DO_NOT_COMPARE.format(first.ranked_by, second.ranked_by) if apart else ""
    difference = {name: known.get(name) for name in one}
    return {"first": one, "second": other, "difference": difference, "reason": reason}


def _plain(found: GridSummary) -> dict[str, float | None]:
    return {
        "top_score": found.top_score,
        "share_right": found.share_right,
        "ERR": found.err,
        "RBP": found.rbp,
    }


def failures_by_skill(reports: Iterable[GridReport]) -> dict[str, tuple[int, int]]:
    """Skill -> how many answers fail, and how many there are; only skills that are asked for."""
    entries = [
        (skill_of(entry.pair), entry.holds)
        for report in reports
        for score in report.scores.get(METHOD, ())
        for entry in score.evidence
    ]
    holds = {skill: [each for name, each in entries if name == skill] for skill in SKILLS}
    return {skill: (each.count(False), len(each)) for skill, each in holds.items() if each}


MEASURES = (*METHODS, TARGETS, "share right", "ERR", "RBP")
"""The metrics that `measures` can give."""


def measures(report: GridReport) -> dict[str, float]:
    """Metric -> what it says of a grid, for the metrics that say anything."""
    summary = summarise_grid(report)
    methods = {
        method: _mean(score.value for score in scores) for method, scores in report.scores.items()
    }
    found = {
        **methods,
        "share right": summary.share_right,
        "ERR": summary.err,
        "RBP": summary.rbp,
    }
    return {name: value for name, value in found.items() if value is not None}


def _reports(state: ComparisonState, system: int) -> Sequence[GridReport]:
    finished = state.finished
    grids = (finished.get((prompt, system)) for prompt in range(len(state.prompts)))
    return [grid.report for grid in grids if grid and grid.report]


def _values(state: ComparisonState, system: int, figure: str) -> Sequence[float | None]:
    """A figure of a system, by prompt; None where its grid has none, or is not finished."""
    grids = (state.grids.get((prompt, system)) for prompt in range(len(state.prompts)))
    reports = (grid.report if grid else None for grid in grids)
    return [FIGURES[figure](summarise_grid(report)) if report else None for report in reports]


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None

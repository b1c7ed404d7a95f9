"""What a comparison found: figures of each grid and system, and differences between systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median

import numpy as np

from alignment.evaluation import PERSISTENCE
from alignment.judgements import METHOD, judgements
from alignment.questions.skills import SKILLS, skill_of
from alignment.ranking import METHODS, TARGETS
from alignment.records import GridReport
from alignment.statistics.intervals import mean_interval
from session.comparison import ComparisonState
from session.state import GridState

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
    """The figures of one system over the prompts whose grids are finished."""

    prompts: int
    top_score: float | None
    """Means over prompts, as all that follow but the counts."""
    share_right: float | None
    first_right: float | None
    """The share of prompts whose first image is right."""
    err: float | None
    rbp: float | None
    seconds: float | None
    """The median over prompts: the first grid may wait for its models."""
    right: int
    """Images."""
    judged: int
    unjudged: int
    """Images of which that cannot be told."""
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
    """The figures of a system so far."""
    reports = _reports(state, system)
    grids = [summarise_grid(report) for report in reports]
    right = [each for grid in grids for each in grid.right]
    return SystemSummary(
        prompts=len(grids),
        top_score=_mean(grid.top_score for grid in grids),
        share_right=_mean(grid.share_right for grid in grids),
        first_right=_mean(grid.first_right for grid in grids),
        err=_mean(grid.err for grid in grids),
        rbp=_mean(grid.rbp for grid in grids),
        seconds=median(grid.seconds for grid in grids) if grids else None,
        right=right.count(True),
        judged=len(right) - right.count(None),
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


def paired_difference(
    state: ComparisonState, first: int, second: int, figure: str = "share_right"
) -> PairedDifference | None:
    """Second minus first, over the prompts of which both have the figure; None without any.

    Args:
        state: the comparison.
        first: a system.
        second: another.
        figure: one of `FIGURES`.
    """
    values = [
        (_figure(state, prompt, first, figure), _figure(state, prompt, second, figure))
        for prompt in range(len(state.prompts))
    ]
    differences = [b - a for a, b in values if a is not None and b is not None]
    if not differences:
        return None
    most = float(sum(PERSISTENCE**place for place in range(state.rows * state.columns)))
    bound = most if figure == "rbp" else 1.0
    interval = mean_interval(differences, np.random.default_rng(SEED), bounds=(-bound, bound))
    differing = sum(each != 0 for each in differences)
    return PairedDifference(fmean(differences), *interval, differing)


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


def _figure(state: ComparisonState, prompt: int, system: int, figure: str) -> float | None:
    grid: GridState | None = state.grids.get((prompt, system))
    return FIGURES[figure](summarise_grid(grid.report)) if grid and grid.report else None


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None

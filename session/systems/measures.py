"""What systems are measured by: set metrics of their grids, and Diversity as the baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from alignment.arrays import Floats
from alignment.set_metrics.grid import MetricInputs
from alignment.set_metrics.metrics import SetMetric
from alignment.set_metrics.named import NAMED, parse_metric
from alignment.set_metrics.relevance import diversity
from session.errors import DataError
from session.systems.grids import ScoredGrid, Systems, grids_of, judged_images

Score: TypeAlias = Callable[[Sequence[ScoredGrid]], Floats]
"""What is measured of grids, shape (n,)."""
DIVERSITY = "diversity"
"""The baseline that looks neither at relevance nor at places."""
DIVERSITY_SIGNATURE = "diversity|1-max(0,cosine)|mean:pairs"


@dataclass(frozen=True)
class Measure:
    """Something that is measured of grids, and where its numbers come from."""

    score: Score
    signature: str
    most: float = 1.0
    """The largest score there can be; the least is 0."""


def chosen_metrics(
    systems: Systems,
    named: Sequence[SetMetric] = (),
    *,
    order: str | None = None,
    persistence: float | None = None,
    novelty: str | None = None,
) -> list[SetMetric]:
    """The metrics that were asked for, or all that can be measured.

    Each has these settings in the place of its own, but for those that are None.
    """
    settings: dict[str, Any] = {"order": order, "persistence": persistence, "novelty": novelty}
    given = {name: value for name, value in settings.items() if value is not None}
    metrics = named or metrics_for(systems)
    return [*dict.fromkeys(replace(each, **given) for each in metrics)]


def metrics_for(systems: Systems) -> tuple[SetMetric, ...]:
    """The named metrics that these grids can be measured by, without those that would be alike."""
    if all(len(grid.relevance) == 1 for grid in grids_of(systems)):
        return (NAMED["RBP"],)
    known = similarity_known(systems)
    return tuple(each for each in NAMED.values() if known or each.novelty == "none")


def similarity_known(systems: Systems) -> bool:
    """Whether novelty and diversity can be measured."""
    return all(grid.similarity is not None for grid in grids_of(systems))


def measures(
    metrics: Sequence[SetMetric],
    systems: Systems,
    inputs: MetricInputs,
    arrangement: str,
) -> dict[str, Measure]:
    """Metric as it prints, or `DIVERSITY` where similarity is known -> the measure.

    Args:
        inputs: where relevance, attention and similarity come from.
        arrangement: of the images, e.g. "generated"; empty where it is not known.

    Raises:
        DataError: a metric has novelty, and similarity is not known.
    """
    grids, known = grids_of(systems), similarity_known(systems)
    judged = judged_images(grids)
    largest = max(len(grid.relevance) for grid in grids)
    found = {}
    for each in metrics:
        if each.novelty != "none" and not known:
            raise DataError(f"{each} needs the images' similarity; --results and --targets have it")
        signature = inputs.signature(each, arrangement, judged.judged, judged.images)
        found[str(each)] = Measure(partial(grid_scores, each), str(signature), each.best(largest))
    diverse = {DIVERSITY: Measure(grid_diversities, DIVERSITY_SIGNATURE)}
    return found | (diverse if known else {})


def grid_scores(metric: SetMetric, grids: Sequence[ScoredGrid]) -> Floats:
    """The metric of each grid, shape (n,).

    >>> from alignment.set_metrics.metrics import RBP
    >>> grid_scores(RBP(), [ScoredGrid((1.0, 0.0), (0.5, 0.5))]).round(9).tolist()
    [0.9]
    """
    return np.array(
        [metric.score(each.relevance, each.similarity, each.attention) for each in grids]
    )


def grid_diversities(grids: Sequence[ScoredGrid]) -> Floats:
    """How unlike the judged images of each grid are; 0 for fewer than two."""
    return np.array([_diversity(grid) for grid in grids])


def label(measure: str) -> str:
    """How tables name a measure.

    >>> label('ERR(persistence=0.8, novelty="max", order="uniform")')
    'ERR+novelty, uniform'
    """
    if measure == DIVERSITY:
        return measure
    metric = parse_metric(measure)
    return f"{metric.label}, {metric.order}"


def prompt_scores(score: Score, systems: Systems) -> Mapping[str, Floats]:
    """System -> the measure of each prompt in turn: the mean over its seeds."""
    return {
        name: np.array([score(grids).mean() for grids in prompts.values()])
        for name, prompts in systems.items()
    }


def _diversity(grid: ScoredGrid) -> float:
    places = [place for place in range(len(grid.relevance)) if place not in grid.unjudged]
    if grid.similarity is None or len(places) < 2:
        return 0.0
    return diversity(np.asarray(grid.similarity)[np.ix_(places, places)])

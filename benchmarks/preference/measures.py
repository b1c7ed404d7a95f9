"""What each measure makes of the grids of several systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from alignment.set_metrics.metrics import SetMetric
from alignment.set_metrics.named import NAMED
from alignment.set_metrics.relevance import Floats, diversity
from benchmarks.data.grids import Systems
from benchmarks.preference.people import AgreesWith, Score, agreement_with_people, prompt_scores
from benchmarks.statistics.comparison import ScoredGrid, SystemDifference, compare_systems, holm


@dataclass(frozen=True)
class MeasureResult:
    """What a measure says of systems, and how that goes with people."""

    signature: str
    differences: tuple[SystemDifference, ...]
    agreement: AgreesWith | None
    """None where people were not asked."""
    agreement_corrected: float | None = None
    """The p-value of the agreement after Holm's correction over all measures."""


def measure(
    score: Score,
    systems: Systems,
    preferences: pd.DataFrame | None,
    generator: np.random.Generator,
    signature: str,
    most: float = 1.0,
) -> MeasureResult:
    """Compare systems by one measure.

    Args:
        score: the measure.
        systems: with their grids.
        preferences: people's, with canonical sides.
        generator: of intervals and tests.
        signature: of the measure.
        most: the largest score there can be.
    """
    differences = compare_systems(prompt_scores(score, systems), generator, most)
    agreement = None
    if preferences is not None:
        agreement = agreement_with_people(score, systems, preferences, generator)
    return MeasureResult(signature, differences, agreement)


def corrected(found: Mapping[str, MeasureResult]) -> dict[str, MeasureResult]:
    """The same with Holm's correction over every comparison of systems, and over every agreement.

    Args:
        found: measure -> what it says.
    """
    pairs = [each for measured in found.values() for each in measured.differences]
    p_values = iter(holm([each.p_value for each in pairs]))
    agreeing = [each.agreement.agreement.p_value for each in found.values() if each.agreement]
    agreed = iter(holm(agreeing))
    return {
        name: replace(
            each,
            differences=tuple(replace(pair, corrected=next(p_values)) for pair in each.differences),
            agreement_corrected=next(agreed) if each.agreement else None,
        )
        for name, each in found.items()
    }


def grid_diversities(grids: Sequence[ScoredGrid]) -> Floats:
    """How unlike the judged images of each grid are; 0 for fewer than two."""
    return np.array([_diversity(grid) for grid in grids])


def _diversity(grid: ScoredGrid) -> float:
    places = [place for place in range(len(grid.relevance)) if place not in grid.unjudged]
    if grid.similarity is None or len(places) < 2:
        return 0.0
    return diversity(np.asarray(grid.similarity)[np.ix_(places, places)])


def metrics_for(systems: Systems) -> tuple[SetMetric, ...]:
    """The named metrics that these grids can be measured by, without those that would be alike."""
    if all(len(grid.relevance) == 1 for grid in _grids(systems)):
        return (NAMED["RBP"],)
    known = similarity_known(systems)
    return tuple(each for each in NAMED.values() if known or each.novelty == "none")


def similarity_known(systems: Systems) -> bool:
    """Whether novelty and diversity can be measured."""
    return all(grid.similarity is not None for grid in _grids(systems))


def _grids(systems: Systems) -> list[ScoredGrid]:
    return [grid for prompts in systems.values() for grids in prompts.values() for grid in grids]


def beside_one_another(curves: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, ...]]:
    """Each curve less the mean of all, so that it shows which system is ahead, and by how much.

    >>> beside_one_another({"a": [1.0, 4.0], "b": [2.0, 2.0]})
    {'a': (-0.5, 1.0), 'b': (0.5, -1.0)}
    """
    means = np.mean([*curves.values()], axis=0)
    return {name: tuple(np.subtract(each, means).tolist()) for name, each in curves.items()}


def with_satisfaction(systems: Systems, of: Callable[[Sequence[float]], Floats]) -> Systems:
    """The same grids, satisfaction made of relevance."""
    return {
        name: {
            prompt: tuple(
                replace(grid, satisfaction=tuple(of(grid.relevance).tolist())) for grid in grids
            )
            for prompt, grids in prompts.items()
        }
        for name, prompts in systems.items()
    }

"""Grids of systems come in; what each measure makes of them goes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pandas as pd

from alignment.set_metrics.metrics import NAMED, SetMetric
from alignment.set_metrics.relevance import Floats, diversity
from benchmarks.data.grids import Systems
from benchmarks.preference.people import AgreesWith, Score, agreement_with_people
from benchmarks.statistics.comparison import ScoredGrid, SystemDifference, compare_systems

Compared: TypeAlias = tuple[tuple[SystemDifference, ...], AgreesWith | None]
"""Of systems with one another, and with people where there are any."""


def grid_diversities(grids: Sequence[ScoredGrid]) -> Floats:
    """How unlike the pictures of each grid are; 0 for a grid of one."""
    return np.array(
        [
            diversity(each.similarity) if each.similarity and len(each.similarity) > 1 else 0.0
            for each in grids
        ]
    )


def compared(
    score: Score,
    systems: Systems,
    preferences: pd.DataFrame | None,
    generator: np.random.Generator,
) -> Compared:
    """What a measure says of systems, and how that goes with people."""
    scores = {name: score([*grids.values()]) for name, grids in systems.items()}
    differences = compare_systems(scores, generator)
    if preferences is None:
        return differences, None
    return differences, agreement_with_people(score, systems, preferences, generator)


def metrics_for(systems: Systems) -> tuple[SetMetric, ...]:
    """The named metrics that these grids can be measured by, without those that would be alike."""
    if all(len(grid.relevance) == 1 for each in systems.values() for grid in each.values()):
        return (NAMED["RBP"],)
    known = similarity_known(systems)
    return tuple(each for each in NAMED.values() if known or each.novelty == "none")


def similarity_known(systems: Systems) -> bool:
    """Whether novelty and diversity can be measured."""
    return all(grid.similarity is not None for each in systems.values() for grid in each.values())


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
            prompt: replace(grid, satisfaction=tuple(of(grid.relevance).tolist()))
            for prompt, grid in grids.items()
        }
        for name, grids in systems.items()
    }

"""What each measure makes of the grids of several systems, as tables print it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from alignment.set_metrics.relevance import Floats
from alignment.statistics.holm import holm
from benchmarks.statistics.comparison import SystemDifference, compare_systems
from session.systems.grids import Systems
from session.systems.measures import Measure, prompt_scores


@dataclass(frozen=True)
class MeasureResult:
    """What a measure says of systems."""

    signature: str
    differences: tuple[SystemDifference, ...]


def result_of(measure: Measure, systems: Systems, generator: np.random.Generator) -> MeasureResult:
    """Compare systems by one measure."""
    differences = compare_systems(prompt_scores(measure.score, systems), generator, measure.most)
    return MeasureResult(measure.signature, differences)


def corrected(found: Mapping[str, MeasureResult]) -> dict[str, MeasureResult]:
    """The same with Holm's correction over every comparison of systems.

    Args:
        found: measure -> what it says.
    """
    pairs = [each for measured in found.values() for each in measured.differences]
    p_values = iter(holm([each.p_value for each in pairs]))
    return {
        name: replace(
            each,
            differences=tuple(replace(pair, corrected=next(p_values)) for pair in each.differences),
        )
        for name, each in found.items()
    }


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

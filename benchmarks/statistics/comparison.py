"""Which of several systems earns more on the same prompts, how surely, and at which persistence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt
from scipy import stats

from alignment.arrays import Floats
from alignment.set_metrics.metrics import SetMetric
from alignment.statistics.intervals import Measured, measured_mean
from alignment.statistics.ties import signs, tied
from benchmarks.statistics.holm import holm
from session.systems.grids import ScoredGrid, Systems
from session.systems.measures import Measure, grid_scores, prompt_scores


@dataclass(frozen=True)
class OrderChange:
    """Two systems that change places as viewers look deeper."""

    ahead: str
    """The better one at `low`."""
    behind: str
    """The better one at `high`."""
    low: float
    high: float
    """The neighbouring persistences between which it happens."""


@dataclass(frozen=True)
class SystemDifference(Measured):
    """How much one system earns over another, first minus second, the mean over n prompts."""

    first: str
    second: str
    p_value: float
    """Wilcoxon signed-rank, two-sided; 1 when no prompt differs."""
    corrected: float
    """`p_value` after Holm's correction over every comparison made, of all metrics together."""


def compare_systems(
    scores: Mapping[str, npt.ArrayLike], generator: np.random.Generator, most: float = 1.0
) -> tuple[SystemDifference, ...]:
    """Every pair of systems, on paired differences prompt by prompt; not corrected yet.

    Args:
        scores: system -> one score per prompt, the same prompts in the same order.
        most: the largest score there can be; the least is 0.
    """
    values = {name: np.asarray(each, dtype=float) for name, each in scores.items()}
    return tuple(
        _difference((first, second), values[first] - values[second], generator, most)
        for first, second in combinations(values, 2)
    )


def _difference(
    pair: tuple[str, str], differences: Floats, generator: np.random.Generator, most: float
) -> SystemDifference:
    mean, p = measured_mean(differences, generator, bounds=(-most, most)), _wilcoxon(differences)
    return SystemDifference(mean.value, mean.low, mean.high, mean.n, *pair, p, p)


def _wilcoxon(differences: npt.ArrayLike) -> float:
    """Two-sided p-value of the signed-rank test; differences within 1e-9 of 0 are ties.

    >>> _wilcoxon([2e-16, -1e-16])
    1.0
    """
    values = np.asarray(differences, dtype=float)
    decided = np.where(signs(values) == 0, 0.0, np.sign(values) * tied(np.abs(values)))
    return float(stats.wilcoxon(decided).pvalue) if decided.any() else 1.0


@dataclass(frozen=True)
class MeasureResult:
    """What a measure says of systems."""

    signature: str
    differences: tuple[SystemDifference, ...]


def compared(
    measures: Mapping[str, Measure], systems: Systems, seed: int
) -> dict[str, MeasureResult]:
    """Systems by each measure, with Holm's correction over every comparison of all measures."""
    found = {
        name: compare_systems(
            prompt_scores(each.score, systems), np.random.default_rng(seed), each.most
        )
        for name, each in measures.items()
    }
    p_values = iter(holm([pair.p_value for pairs in found.values() for pair in pairs]))
    return {
        name: MeasureResult(
            measures[name].signature,
            tuple(replace(pair, corrected=next(p_values)) for pair in pairs),
        )
        for name, pairs in found.items()
    }


def persistence_curves(
    metric: SetMetric,
    systems: Mapping[str, Sequence[ScoredGrid]],
    persistences: Sequence[float],
) -> Mapping[str, tuple[float, ...]]:
    """The mean score of each system at each persistence: where curves cross, the order changes.

    Args:
        metric: its own persistence is replaced.
    """
    metrics = [replace(metric, persistence=persistence) for persistence in persistences]
    return {
        name: tuple(float(grid_scores(each, grids).mean()) for each in metrics)
        for name, grids in systems.items()
    }


def order_changes(
    curves: Mapping[str, Sequence[float]], persistences: Sequence[float]
) -> tuple[OrderChange, ...]:
    """Where the order of systems depends on how deep a viewer is assumed to look.

    Args:
        persistences: theirs, rising.

    >>> order_changes({"a": [3.0, 3.0, 3.0], "b": [1.0, 3.0, 5.0]}, [0.1, 0.5, 0.9])
    (OrderChange(ahead='a', behind='b', low=0.1, high=0.9),)
    """
    found = []
    for first, second in combinations(curves, 2):
        ahead = signs(np.subtract(curves[first], curves[second]))
        decided = np.flatnonzero(ahead)
        for low, high in pairwise(decided.tolist()):
            if ahead[low] != ahead[high]:
                names = (first, second) if ahead[low] > 0 else (second, first)
                found.append(OrderChange(*names, persistences[low], persistences[high]))
    return tuple(found)

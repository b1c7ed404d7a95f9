"""Relevance of pictures and masses of places come in; the layout that earns most goes out.

Attraction is taken to belong to the place, not to the picture: the masses stay when pictures move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from alignment.set_metrics.layout_enumeration import best_of_all_layouts
from alignment.set_metrics.metrics import SetMetric, grid_contributions
from alignment.set_metrics.viewing_orders import Floats

ENUMERATED_SIZE = 9
"""The largest grid whose layouts are all tried; larger ones are improved by swaps."""


@dataclass(frozen=True)
class Layout:
    """Which picture goes where."""

    arrangement: tuple[int, ...]
    """The cell shown at each place, row by row."""
    value: float
    """What the metric gives this layout."""


def best_layout(
    metric: SetMetric,
    relevance: npt.ArrayLike,
    attention: Sequence[float],
    similarity: npt.ArrayLike | None = None,
) -> Layout:
    """The layout of the pictures that earns the most.

    Without novelty, and under the uniform order, the best picture goes to the most attractive
    place, the second best to the second: exchanging two pictures of which the less relevant is the
    more likely seen first never loses (for RBP by the rearrangement inequality; for ERR because
    what lies between them earns at most 1). With novelty all layouts of up to 9 pictures are
    tried (in about half a second); larger grids start from the same sorted layout and swap pictures
    while that gains (36 pictures take some ten seconds). Pictures without a relevance are left out
    by the caller, with their places.

    Args:
        metric: satisfaction is relevance.
        relevance: by cell, shape (k,), each in [0, 1].
        masses: saliency mass of each place, shape (k,).
        similarity: by cell, shape (k, k); needed with novelty.
    """
    f = np.asarray(relevance, dtype=float)
    layout = _sorted_layout(metric, f, attention)
    if metric.novelty == "none" or metric.order == "uniform":
        value = _value(metric, f, layout, attention, similarity)
        return Layout(layout, value)
    s = np.asarray(similarity, dtype=float).clip(0, 1)
    if f.size <= ENUMERATED_SIZE:
        layout = best_of_all_layouts(metric, f, attention, s)
        value = _value(metric, f, layout, attention, s)
        return Layout(layout, value)
    layout = _swapped(metric, f, layout, attention, s)
    value = _value(metric, f, layout, attention, s)
    return Layout(layout, value)


def leave_one_out_values(
    metric: SetMetric,
    relevance: Sequence[float | None],
    arrangement: Sequence[int],
    attention: Sequence[float],
    similarity: npt.ArrayLike | None = None,
) -> tuple[float, ...]:
    """What the grid would lose without each picture, its place left empty and passed over.

    Unlike a cell's share this counts what the picture takes from the others: it is below 0 for a
    picture that only delays the viewer.

    Args:
        metric: satisfaction is relevance.
        relevance: by cell, each in [0, 1]; None for a picture that is passed over anyway.
        arrangement: the cell shown at each place, row by row.
        masses: saliency mass of each place.
        similarity: by cell, shape (k, k); needed with novelty.

    Returns:
        By cell; 0 where there is no relevance.

    >>> from alignment.set_metrics.metrics import RBP
    >>> rbp = RBP(persistence=0.5, order="positional")
    >>> leave_one_out_values(rbp, [0.0, 1.0], [0, 1], [1, 1])
    (-0.5, 0.5)
    """
    whole = _value(metric, relevance, arrangement, attention, similarity)
    without = (
        [None if cell == left_out else value for cell, value in enumerate(relevance)]
        for left_out in range(len(relevance))
    )
    return tuple(
        whole - _value(metric, rest, arrangement, attention, similarity) for rest in without
    )


def _value(
    metric: SetMetric,
    relevance: Sequence[float | None] | Floats,
    arrangement: Sequence[int],
    attention: Sequence[float],
    similarity: npt.ArrayLike | None,
) -> float:
    shares = grid_contributions(metric, list(relevance), arrangement, attention, similarity)
    return sum(share for share in shares if share is not None)


def _sorted_layout(
    metric: SetMetric, relevance: Floats, attention: Sequence[float]
) -> tuple[int, ...]:
    """Best picture to the place most likely seen first; ties keep their order."""
    attraction = -np.asarray(attention, dtype=float)
    if metric.order != "saliency":
        attraction = np.arange(len(attention), dtype=float)
    layout = np.empty(len(attention), dtype=int)
    layout[np.argsort(attraction, kind="stable")] = np.argsort(-relevance, kind="stable")
    return tuple(layout.tolist())


def _swapped(
    metric: SetMetric,
    relevance: Floats,
    layout: tuple[int, ...],
    attention: Sequence[float],
    similarity: Floats,
    sweeps: int = 3,
) -> tuple[int, ...]:
    """Exchange two pictures wherever that gains, over so many sweeps."""
    value = _value(metric, relevance, layout, attention, similarity)
    for first, second in list(combinations(range(len(layout)), 2)) * sweeps:
        trial = list(layout)
        trial[first], trial[second] = trial[second], trial[first]
        gained = _value(metric, relevance, trial, attention, similarity)
        if gained > value + 1e-12:
            layout, value = tuple(trial), gained
    return layout

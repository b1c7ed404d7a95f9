"""The arrangement of a grid's images that is worth most to a viewer.

Attention belongs to the picture of the whole grid, so moving images changes it: every arrangement
that is tried is looked at anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, cycle, permutations

import numpy.typing as npt

from alignment.set_metrics.grid import grid_value
from alignment.set_metrics.metrics import SetMetric

EXHAUSTIVE_SIZE = 6
"""The largest grid, 2 x 3, of which every arrangement is tried."""
LEAST_GAIN = 1e-9

Look = Callable[[Sequence[int]], Sequence[float]]
"""The attention that each place draws when the cells are arranged so."""


@dataclass(frozen=True)
class Layout:
    """Which image goes where, and what that is worth."""

    arrangement: tuple[int, ...]
    """The cell shown at each place, row by row."""
    attention: tuple[float, ...]
    """What each place draws with these images."""
    value: float
    """The metric of this arrangement."""


def best_layout(
    metric: SetMetric,
    relevance: Sequence[float | None],
    look: Look,
    similarity: npt.ArrayLike | None = None,
    known: Iterable[Sequence[int]] = (),
) -> Layout:
    """The best arrangement of at most six images; of more images, one that no exchange improves.

    Up to six images every arrangement is tried. A larger grid starts from the best of the known
    arrangements and of the one that puts the most relevant image where people look first; pairs of
    images are exchanged until no exchange of two gains.

    Args:
        metric: satisfaction is relevance.
        relevance: by cell, each in [0, 1]; None is worth nothing.
        look: asked once for each arrangement that is tried, under the saliency order.
        similarity: by cell, shape (k, k); needed with novelty.
        known: arrangements that the result is never worse than.
    """

    def laid_out(arrangement: Sequence[int]) -> Layout:
        attention = tuple(look(arrangement) if metric.order == "saliency" else even)
        value = grid_value(metric, relevance, arrangement, attention, similarity)
        return Layout(tuple(arrangement), attention, value)

    cells = range(len(relevance))
    even = [1 / len(cells)] * len(cells)
    starts = [laid_out(each) for each in (cells, *known)]
    if metric.order == "uniform":
        return starts[0]
    if len(cells) <= EXHAUSTIVE_SIZE:
        return max([*starts, *map(laid_out, permutations(cells))], key=_value)
    by_attention = laid_out(_sorted(relevance, starts[0].attention))
    return _improved(max([*starts, by_attention], key=_value), laid_out)


def _improved(layout: Layout, laid_out: Callable[[Sequence[int]], Layout]) -> Layout:
    """Exchange two images wherever that gains, until no exchange of any two does."""
    pairs = [*combinations(range(len(layout.arrangement)), 2)]
    tried_since = 0
    for first, second in cycle(pairs):
        trial = [*layout.arrangement]
        trial[first], trial[second] = trial[second], trial[first]
        exchanged = laid_out(trial)
        tried_since += 1
        if exchanged.value > layout.value + LEAST_GAIN:
            layout, tried_since = exchanged, 0
        if tried_since == len(pairs):
            break
    return layout


def _sorted(relevance: Sequence[float | None], attention: Sequence[float]) -> list[int]:
    """The most relevant image at the place that draws most; images without relevance last."""
    images = sorted(range(len(relevance)), key=lambda cell: -(relevance[cell] or 0.0))
    places = sorted(range(len(relevance)), key=lambda place: -attention[place])
    at = dict(zip(places, images, strict=True))
    return [at[place] for place in range(len(relevance))]


def _value(layout: Layout) -> float:
    return layout.value

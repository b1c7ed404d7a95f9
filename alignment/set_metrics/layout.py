"""The arrangement of a grid's images that is worth most to a viewer.

Attention belongs to the image of the whole grid, so moving images changes it: every arrangement
that is tried is looked at anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, cycle, permutations
from operator import itemgetter
from typing import TypeAlias

import numpy.typing as npt

from alignment.records import Arrangement
from alignment.set_metrics.grid import grid_value
from alignment.set_metrics.metrics import SetMetric

EXHAUSTIVE_SIZE = 6
"""The largest grid, 2 x 3, of which every arrangement is tried."""
LEAST_GAIN = 1e-9

Look: TypeAlias = Callable[[Sequence[int]], Sequence[float]]
"""The attention that each place draws when the cells are arranged so."""
Valued: TypeAlias = tuple[Arrangement, float]
"""An arrangement, and the metric of it."""


def best_layout(
    metric: SetMetric,
    relevance: Sequence[float | None],
    look: Look,
    similarity: npt.ArrayLike | None = None,
    known: Iterable[Sequence[int]] = (),
) -> Arrangement:
    """The best arrangement of at most six images; of more images, one that no exchange improves.

    Up to six images every arrangement is tried. A larger grid starts from the best of the known
    arrangements and of the one that puts the most relevant image where people look first; pairs of
    images are exchanged until no exchange of two gains.

    Args:
        metric: satisfaction is relevance.
        relevance: by cell, each in [0, 1]; None is worth nothing.
        look: asked once for each arrangement that is tried, under the saliency order.
        similarity: by cell, shape (k, k); needed with novelty.
        known: cells by place, of arrangements that the result is never worse than.

    Returns:
        With attention that is even unless the order is that of saliency.
    """

    def valued(cells: Sequence[int]) -> Valued:
        attention = tuple(look(cells) if metric.order == "saliency" else even)
        arrangement = Arrangement(tuple(cells), attention)
        return arrangement, grid_value(metric, relevance, arrangement, similarity)

    cells = range(len(relevance))
    even = [1 / len(cells)] * len(cells)
    starts = [valued(each) for each in (cells, *known)]
    generated, _ = starts[0]
    if metric.order == "uniform":
        return generated
    if len(cells) <= EXHAUSTIVE_SIZE:
        return max([*starts, *map(valued, permutations(cells))], key=itemgetter(1))[0]
    by_attention = valued(_sorted(relevance, generated.attention))
    return _improved(max([*starts, by_attention], key=itemgetter(1)), valued)


def _improved(start: Valued, valued: Callable[[Sequence[int]], Valued]) -> Arrangement:
    """Exchange two images wherever that gains, until no exchange of any two does."""
    best, value = start
    pairs = [*combinations(range(len(best.cells)), 2)]
    tried_since = 0
    for first, second in cycle(pairs):
        trial = [*best.cells]
        trial[first], trial[second] = trial[second], trial[first]
        exchanged, worth = valued(trial)
        tried_since += 1
        if worth > value + LEAST_GAIN:
            best, value, tried_since = exchanged, worth, 0
        if tried_since == len(pairs):
            break
    return best


def _sorted(relevance: Sequence[float | None], attention: Sequence[float]) -> list[int]:
    """The most relevant image at the place that draws most; images without relevance last."""
    images = sorted(range(len(relevance)), key=lambda cell: -(relevance[cell] or 0.0))
    places = sorted(range(len(relevance)), key=lambda place: -attention[place])
    at = dict(zip(places, images, strict=True))
    return [at[place] for place in range(len(relevance))]

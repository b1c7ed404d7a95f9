"""Relevance and masses come in; a value that no layout can exceed goes out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from alignment.browsing import Floats
from alignment.expectation import TIME_MASSES, TIMES, chances_to_be_seen_later
from alignment.set_metrics import SetMetric


def assignment_bound(
    metric: SetMetric, relevance: Floats, masses: Sequence[float], similarity: Floats
) -> float:
    """At each place each picture earns at most what it would after the kindest earlier pictures.

    The kindest are chosen for each picture and rank apart; the best assignment of pictures to
    places on those terms is at least as good as any layout.
    """
    ranks = np.array([_rank_chances(metric, masses, place) for place in range(len(masses))])
    kindest = np.array(
        [_kindest(metric, relevance, similarity, cell) for cell in range(relevance.size)]
    )
    most = (relevance[:, None] * kindest) @ ranks.T
    return float(most[linear_sum_assignment(most, maximize=True)].sum())


def _rank_chances(metric: SetMetric, masses: Sequence[float], place: int) -> Floats:
    """Chance of a place to be seen first, second, ..., shape (k,)."""
    if metric.order == "positional":
        return np.asarray(np.eye(len(masses))[place])
    later = chances_to_be_seen_later(masses, place)
    earlier_places = np.zeros((len(TIMES), len(masses)))
    earlier_places[:, 0] = 1
    for chance in later.T[:, :, None]:
        one_more = np.roll(earlier_places, 1, axis=1)
        earlier_places = chance * earlier_places + (1 - chance) * one_more
    return np.asarray(TIME_MASSES @ earlier_places)


def _kindest(metric: SetMetric, relevance: Floats, similarity: Floats, cell: int) -> Floats:
    """Most attention the picture can have after 0, 1, ... others, shape (k,)."""
    likeness = np.delete(similarity[cell], cell)
    going_on = np.delete(metric.going_on(relevance), cell)
    if metric.novelty == "product":
        going_on = going_on * (1 - likeness)
    reached = np.concatenate([[1.0], np.cumprod(np.sort(going_on)[::-1])])
    if metric.novelty != "max":
        return reached
    return np.asarray(reached * np.concatenate([[1.0], 1 - np.sort(likeness)]))

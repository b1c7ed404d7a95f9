"""Relevance and masses come in; the best of all layouts of a small grid goes out.

A layout pi is worth the sum, over places c and sets T of other places, of

    chance[c, T] * earned[pi(c), pi(T)]

where chance[c, T] is that of exactly the places T being seen before c, and earned[i, S] what
picture i adds when exactly the pictures S were seen before it. Neither table knows the layout.
The inner sum needs only pi(c) and the order of the rest, so it is made once for each of the k
pictures, k places and (k - 1)! orders, and the k! layouts look it up.

Sets of the k - 1 others of a place (or picture) are bit masks; bit b is the b-th other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from alignment.set_metrics.expectation import TIME_MASSES, chances_to_be_seen_later
from alignment.set_metrics.metrics import SetMetric
from alignment.set_metrics.viewing_orders import Floats

Integers: TypeAlias = npt.NDArray[np.int64]

BLOCKS = 64
"""The inner sums are made in so many parts, so that one fits into a processor's cache."""


def best_of_all_layouts(
    metric: SetMetric, relevance: Floats, attention: Sequence[float], similarity: Floats
) -> tuple[int, ...]:
    """The cell at each place of the best of all k! layouts; practical up to k = 9.

    Args:
        metric: with novelty "max" or "product"; satisfaction is relevance.
        relevance: by cell, shape (k,).
        masses: by place, shape (k,).
        similarity: by cell, shape (k, k), in [0, 1].
    """
    size = relevance.size
    chance = np.array([_chances_of_earlier(metric, attention, place) for place in range(size)])
    earned = np.array([_earned_after(metric, relevance, similarity, i) for i in range(size)])
    layouts = _all_orders(size)
    return tuple(layouts[_layout_values(layouts, chance, earned).argmax()].tolist())


def _layout_values(layouts: Integers, chance: Floats, earned: Floats) -> Floats:
    """What each layout is worth, shape (k!,)."""
    size = layouts.shape[1]
    rest_orders = _all_orders(size - 1)
    worth = _worth_by_rest(rest_orders, chance, earned)
    digits = size ** np.arange(size - 1)[::-1]
    values = np.zeros(len(layouts))
    for place in range(size):
        picture = layouts[:, place]
        rest = np.delete(layouts, place, axis=1)
        rest -= rest > picture[:, None]
        values += worth[picture, np.searchsorted(rest_orders @ digits, rest @ digits), place]
    return values


def _worth_by_rest(rest_orders: Integers, chance: Floats, earned: Floats) -> Floats:
    """Worth of a picture at a place for each order of the rest, shape (k, (k - 1)!, k)."""
    blocks = (_subset_sums(1 << block) for block in np.array_split(rest_orders, BLOCKS))
    worth = [[np.take(picture, sets) @ chance.T for picture in earned] for sets in blocks]
    return np.concatenate(worth, axis=1)


def _chances_of_earlier(metric: SetMetric, attention: Sequence[float], place: int) -> Floats:
    """Chance that exactly these places are seen before one, shape (2 ** (k - 1),)."""
    earlier = _members(len(attention) - 1)
    if metric.order == "positional":
        before = np.arange(len(attention) - 1) < place
        return np.asarray((earlier == before).all(axis=1), dtype=float)
    later = chances_to_be_seen_later(attention, place)[:, None, :]
    return np.asarray(TIME_MASSES @ np.where(earlier, 1 - later, later).prod(axis=2))


def _earned_after(metric: SetMetric, relevance: Floats, similarity: Floats, picture: int) -> Floats:
    """What a picture adds after exactly these others, shape (2 ** (k - 1),)."""
    earlier = _members(relevance.size - 1)
    continuation = np.delete(metric.continuation(relevance), picture)
    likeness = np.where(earlier, np.delete(similarity[picture], picture), 0)
    novelty = (1 - likeness).prod(axis=1)
    if metric.novelty == "max":
        novelty = 1 - likeness.max(axis=1, initial=0)
    reached = np.where(earlier, continuation, 1).prod(axis=1)
    return np.asarray(relevance[picture] * reached * novelty)


@cache
def _all_orders(size: int) -> Integers:
    """Every permutation, in lexicographic order, shape (size!, size)."""
    return np.array(list(permutations(range(size))), dtype=np.int64)


def _members(size: int) -> npt.NDArray[np.bool_]:
    """Which elements are in each subset, shape (2 ** size, size)."""
    bits = np.arange(2**size)[:, None] >> np.arange(size) & 1
    return np.asarray(bits, dtype=np.bool_)


def _subset_sums(bits: Integers) -> Integers:
    """The sum over each subset of columns, shape (n, 2 ** columns)."""
    sums = np.zeros((len(bits), 1), dtype=np.int64)
    for column in bits.T:
        sums = np.concatenate([sums, sums + column[:, None]], axis=1)
    return sums

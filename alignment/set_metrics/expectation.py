"""Exact expectations of RBP and ERR over viewing orders: the expected attention of each cell.

Attention is what one unit of relevance in a cell is worth. Along one viewing order pi it is

    attention(pi_t) = product over earlier j of c(pi_j)  *  eta(pi_t)

with c the chance that a viewer who saw an image looks at one more, and eta the novelty of the
image beside those seen before. RBP and ERR are sums of relevance * attention.

The expectation over all k! orders is exact. Orders drawn in proportion to weights w are orders of
arrival of independent exponential clocks with rates w. Given that cell i rings at t / w_i, each
other cell rings later with chance a_j = exp(-t w_j / w_i), independently, so

    E[attention_i] = integral over t > 0 of exp(-t) * product over j != i of (a_j + c_j (1 - a_j))

and one integral per cell replaces the sum over orders. In x = log t the integrand is analytic for
|Im x| < pi / 2, where every factor stays within 1 and the integral along Im x = y within 1 / cos y
whatever the weights are. So the trapezoid rule with step 0.3 is within 1e-12 (L. N. Trefethen and
J. A. C. Weideman, "The Exponentially Convergent Trapezoidal Rule", 2014, theorem 5.1).
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from alignment.arrays import Floats
from alignment.set_metrics.viewing_orders import CellOrders, Positional, Saliency, Uniform

Novelty: TypeAlias = Literal["none", "max", "product"]

NOVELTIES: tuple[Novelty, ...] = get_args(Novelty)

LOG_TIMES: Floats = np.arange(np.log(1e-15), np.log(40.0), 0.3)
TIMES: Floats = np.exp(LOG_TIMES)
TIME_MASSES: Floats = 0.3 * TIMES * np.exp(-TIMES)


def expected_attention(
    model: Positional | Uniform | Saliency,
    continuation: Floats,
    similarity: Floats,
    novelty: Novelty = "none",
) -> Floats:
    """Expected attention of each cell, over all orders of the viewing model.

    Args:
        model: one of the three models whose expectation is exact.
        continuation: shape (k,), chance in [0, 1] to go on after a cell: p for RBP, p (1 - g) for
            ERR.
        similarity: shape (k, k), in [0, 1]; the diagonal is not looked at.
        novelty: "none": eta = 1; "max": 1 minus the largest similarity to an earlier cell;
            "product": product of 1 minus the similarities to the earlier cells.

    Returns:
        Shape (k,), each in [0, 1], within 1e-12.

    Two cells in either order, and a viewer who goes on with chance 0.5:

    >>> expected_attention(Uniform(), np.array([0.5, 0.5]), np.zeros((2, 2))).round(9).tolist()
    [0.75, 0.75]
    """
    if isinstance(model, Positional):
        reading = np.arange(len(continuation))[None, :]
        return attention_along(reading, continuation, similarity, novelty).ravel()
    weights = model.weights(len(continuation))
    return _plackett_luce_attention(weights, continuation, similarity, novelty)


def attention_along(
    orders: CellOrders, continuation: Floats, similarity: Floats, novelty: Novelty = "none"
) -> Floats:
    """Attention of each cell along given orders.

    Args:
        orders: shape (n, k), each row an order of the cells.
        continuation: as in `expected_attention`.
        similarity: as in `expected_attention`.
        novelty: as in `expected_attention`.

    Returns:
        Shape (n, k), by cell (not by rank).

    >>> order = np.array([[1, 0]])
    >>> attention_along(order, np.array([0.5, 0.5]), np.ones((2, 2)), "none").tolist()
    [[0.5, 1.0]]
    """
    reached = np.cumprod(continuation[orders], axis=1)
    reached = np.concatenate([np.ones((len(orders), 1)), reached[:, :-1]], axis=1)
    by_cell = np.empty_like(reached)
    np.put_along_axis(by_cell, orders, reached * _novelty_along(orders, similarity, novelty), 1)
    return by_cell


def _novelty_along(orders: CellOrders, similarity: Floats, novelty: Novelty) -> Floats:
    """Novelty by rank, shape (n, k)."""
    if novelty == "none":
        return np.ones(orders.shape)
    earlier = np.tri(orders.shape[1], k=-1)
    seen = similarity[orders[:, :, None], orders[:, None, :]] * earlier
    return np.asarray(1 - seen.max(axis=2) if novelty == "max" else (1 - seen).prod(axis=2))


def _plackett_luce_attention(
    weights: Floats, continuation: Floats, similarity: Floats, novelty: Novelty
) -> Floats:
    """The integral of the module's docstring; arrays are (cell, time, other cell)."""
    others = _most_similar_first(similarity)
    likeness = np.take_along_axis(similarity, others, axis=1)
    goes_on = continuation[others]
    if novelty == "product":
        goes_on = goes_on * (1 - likeness)
    rates = weights[others] / weights[:, None]
    later = np.exp(-TIMES[None, :, None] * rates[:, None, :])
    passed = later + goes_on[:, None, :] * (1 - later)
    chances = _novel_pass(later, passed, likeness) if novelty == "max" else passed.prod(axis=2)
    return np.asarray(chances @ TIME_MASSES)


def _novel_pass(later: Floats, passed: Floats, likeness: Floats) -> Floats:
    """Chance-weighted novelty at each time, shape (cell, time).

    1 - max s is the share of thresholds in [0, 1] that no earlier cell exceeds. Between the m-th
    and the next largest similarity this asks that the m most similar cells ring later, and leaves
    the others free: a convex sum of products, so nothing cancels.
    """
    edge = np.ones((*later.shape[:2], 1))
    most_similar_later = np.concatenate([edge, later.cumprod(axis=2)], axis=2)
    rest_passed = passed[:, :, ::-1].cumprod(axis=2)[:, :, ::-1]
    rest_passed = np.concatenate([rest_passed, edge], axis=2)
    thresholds = -np.diff(likeness, axis=1, prepend=1.0, append=0.0)
    chances = np.einsum("itm,itm,im->it", most_similar_later, rest_passed, thresholds)
    return np.asarray(chances)


def _most_similar_first(similarity: Floats) -> CellOrders:
    """For each cell the other cells, most similar first, shape (k, k - 1)."""
    distances = -similarity
    np.fill_diagonal(distances, -np.inf)
    return np.argsort(distances, axis=1, kind="stable")[:, 1:]

"""Viewing models: the orders in which a person may look at the cells of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from alignment.arrays import Floats

CellOrders: TypeAlias = npt.NDArray[np.intp]
Order: TypeAlias = Literal["saliency", "positional", "uniform"]

ORDERS: tuple[Order, ...] = get_args(Order)
NEVER_FIRST = 1e-12
"""What a cell without any attraction weighs beside the least attractive of the others."""


class ViewingModel(Protocol):
    """Anything that can say in which orders a grid is looked at, for instance one's own model."""

    def orders(self, size: int, count: int, generator: np.random.Generator, /) -> CellOrders:
        """`count` orders of the cells 0 .. size - 1, shape (count, size), first looked at first."""


@dataclass(frozen=True)
class Positional:
    """Left to right, row by row: always the same order."""

    def orders(self, size: int, count: int, _: np.random.Generator) -> CellOrders:
        """The reading order, `count` times.

        >>> Positional().orders(3, 1, np.random.default_rng(0)).tolist()
        [[0, 1, 2]]
        """
        return np.tile(np.arange(size), (count, 1))


@dataclass(frozen=True)
class Uniform:
    """Every order is as likely as every other."""

    def weights(self, size: int) -> Floats:
        """Plackett-Luce weights: all equal, shape (size,)."""
        return np.ones(size)

    def orders(self, size: int, count: int, generator: np.random.Generator) -> CellOrders:
        """Orders drawn at random, shape (count, size)."""
        return _plackett_luce_orders(self.weights(size), count, generator)


@dataclass(frozen=True)
class Saliency:
    """The next cell is drawn with chance proportional to its attraction among those not yet seen.

    This is the Plackett-Luce law (R. L. Plackett, "The Analysis of Permutations", 1975). A cell
    that is left out changes nothing for the others, so grids with missing cells need no care.
    """

    attention: tuple[float, ...]
    """Attraction of each cell, >= 0; only ratios matter. A cell of 0 is seen after all others."""

    def __post_init__(self) -> None:
        if not all(0 <= each < float("inf") for each in self.attention) or not any(self.attention):
            raise ValueError(
                f"the attention of the cells is {self.attention}; each must be finite and 0 or "
                "more, and not all may be 0"
            )

    def weights(self, size: int) -> Floats:
        """Plackett-Luce weights: the attention, shape (size,).

        Raises:
            ValueError: there are not `size` values.
        """
        if len(self.attention) != size:
            raise ValueError(
                f"{len(self.attention)} values of attention for {size} cells; give one each"
            )
        attention = np.array(self.attention, dtype=float)
        return attention.clip(attention[attention > 0].min() * NEVER_FIRST)

    def orders(self, size: int, count: int, generator: np.random.Generator) -> CellOrders:
        """Orders drawn without replacement in proportion to the attention, shape (count, size)."""
        return _plackett_luce_orders(self.weights(size), count, generator)


def _plackett_luce_orders(
    weights: Floats, count: int, generator: np.random.Generator
) -> CellOrders:
    """Orders of arrival of independent exponential clocks with these rates.

    Args:
        weights: shape (size,), each > 0.
        count: how many orders.
        generator: where the randomness comes from.

    Returns:
        Shape (count, size), first cell first.
    """
    arrivals = generator.exponential(size=(count, len(weights))) / weights
    return np.argsort(arrivals, axis=1)


def viewing_model(
    order: Order, attention: Sequence[float] | Floats | None = None
) -> Positional | Uniform | Saliency:
    """The viewing model of that name.

    Args:
        order: "saliency", "positional" or "uniform".
        attention: of each cell; only the saliency order reads it.

    Raises:
        ValueError: the name is unknown, or the saliency order comes without attention.

    >>> viewing_model("saliency", [0.75, 0.25])
    Saliency(attention=(0.75, 0.25))
    """
    if order == "positional":
        return Positional()
    if order == "uniform":
        return Uniform()
    if order != "saliency":
        raise ValueError(f"no viewing order '{order}'; known: {', '.join(ORDERS)}")
    if attention is None:
        raise ValueError("the saliency order needs `attention`: the share of each cell")
    return Saliency(tuple(float(each) for each in attention))

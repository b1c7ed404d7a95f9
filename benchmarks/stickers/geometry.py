"""Where stickers are in a picture and from one another."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple, Protocol

SIZE = 128
"""Pixels along a side of a picture."""
LATTICE = 16
"""Every sticker's corner is a multiple of this many pixels."""


class Square(Protocol):
    """The square that a sticker fills, in pixels from the top left."""

    @property
    def x(self) -> float:
        """Of its left edge."""

    @property
    def y(self) -> float:
        """Of its top edge."""

    @property
    def size(self) -> float:
        """Of its side."""


class Point(NamedTuple):
    """A square without extent."""

    x: float
    y: float
    size: float = 0


def middle(squares: Sequence[Square]) -> Point:
    """The mean of the centres of some squares."""
    centres = [(each.x + each.size / 2, each.y + each.size / 2) for each in squares]
    return Point(*map(mean, zip(*centres, strict=True)))


def relation(one: Square, other: Square) -> str:
    """Where one sticker is from another: "left", "right", "above", "below", or "" for neither.

    One direction must be more than twice as far as the other.
    """
    right = one.x + one.size / 2 - other.x - other.size / 2
    down = one.y + one.size / 2 - other.y - other.size / 2
    if abs(right) > 2 * abs(down):
        return "right" if right > 0 else "left"
    if abs(down) > 2 * abs(right):
        return "below" if down > 0 else "above"
    return ""

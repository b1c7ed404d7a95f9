"""Where stickers are in an image and from one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

SIZE = 128
"""Pixels along a side of an image."""
LATTICE = 16
"""Every sticker's corner is a multiple of this many pixels."""


@dataclass(frozen=True)
class Box:
    """The square that a sticker fills, in pixels from the top left."""

    x: int
    y: int
    size: int


def relation(ones: Sequence[Box], others: Sequence[Box]) -> str:
    """Where some stickers are from others: "left", "right", "above", "below", or "" for neither.

    Every one of them must be there from every other: what lies between the centres of the two
    groups in one direction is at least half a sticker, and more than twice what lies between them
    in the other, where two that stand across from one another have nothing between them.
    """
    half = mean(each.size for each in (*ones, *others)) / 2
    right = _between([s.x + s.size / 2 for s in ones], [s.x + s.size / 2 for s in others])
    down = _between([s.y + s.size / 2 for s in ones], [s.y + s.size / 2 for s in others])
    if abs(right) >= half and abs(right) > 2 * abs(down):
        return "right" if right > 0 else "left"
    if abs(down) >= half and abs(down) > 2 * abs(right):
        return "below" if down > 0 else "above"
    return ""


def _between(ones: Sequence[float], others: Sequence[float]) -> float:
    """How far some numbers are after others, negative where before, 0 where the ranges meet."""
    return max(0.0, min(ones) - max(others)) - max(0.0, min(others) - max(ones))

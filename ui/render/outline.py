"""SVG of where the faults of an image are: the edge of each region, and its number."""

from __future__ import annotations

from collections.abc import Sequence, Set
from statistics import fmean
from typing import TypeAlias

import numpy as np

from alignment.region import SIDE, FaultRegion
from ui.render.words import listed, safe

Places: TypeAlias = Set[tuple[int, int]]
"""Rows and columns, of `SIDE` x `SIDE`."""


def outlines(regions: Sequence[FaultRegion]) -> str:
    """The regions over an image, numbered from 1 in their order; empty where there is none."""
    drawn = "".join(_region(number, each) for number, each in enumerate(regions, 1) if each.places)
    if not drawn:
        return ""
    return f'<svg class="regions" viewBox="0 0 {SIDE} {SIDE}" aria-hidden="true">{drawn}</svg>'


def where(regions: Sequence[FaultRegion]) -> tuple[str, ...]:
    """Of each fault, as HTML, what its outline shows and where that is."""
    said = []
    for number, each in enumerate(regions, 1):
        told = "not seen in the image"
        if each.places:
            at = listed([*dict.fromkeys(map(_place, _parts(each.places)))])
            told = f"outline {number}, {at}: {each.shows}"
        said.append(f' <span class="where">{safe(told)}</span>')
    return tuple(said)


def _parts(places: Places) -> Sequence[Places]:
    """The parts of a region that do not touch each other, from the top.

    >>> [sorted(part) for part in _parts({(0, 0), (0, 1), (7, 4)})]
    [[(0, 0), (0, 1)], [(7, 4)]]
    """
    from scipy.ndimage import label

    rows, columns = zip(*places, strict=True)
    region = np.zeros((SIDE, SIDE))
    region[rows, columns] = 1
    numbers, parts = label(region)
    found = (np.argwhere(numbers == part).tolist() for part in range(1, parts + 1))
    return [{(row, column) for row, column in part} for part in found]


def _place(places: Places) -> str:
    """Where the middle of some places is, in words.

    >>> _place({(0, 0), (1, 0)}), _place({(7, 4)})
    ('upper left', 'lower middle')
    """
    thirds = [round(fmean(axis) * 2 / (SIDE - 1)) for axis in zip(*places, strict=True)]
    row, column = ("upper", "", "lower")[thirds[0]], ("left", "middle", "right")[thirds[1]]
    return f"{row} {column}".strip()


def edges(places: Places) -> str:
    """The path around some places of a grid.

    >>> edges({(0, 1)})
    'M1 0h1M1 1h1M1 0v1M2 0v1'
    """
    lines = []
    for row, column in sorted(places):
        sides = (
            ((row - 1, column), f"M{column} {row}h1"),
            ((row + 1, column), f"M{column} {row + 1}h1"),
            ((row, column - 1), f"M{column} {row}v1"),
            ((row, column + 1), f"M{column + 1} {row}v1"),
        )
        lines += [line for beside, line in sides if beside not in places]
    return "".join(lines)


def _region(number: int, region: FaultRegion) -> str:
    path = edges(region.places)
    numbers = (
        f'<text x="{column + 0.2}" y="{row + 0.75}">{number}</text>'
        for row, column in map(min, _parts(region.places))
    )
    return f'<path class="under" d="{path}"/><path d="{path}"/>{"".join(numbers)}'

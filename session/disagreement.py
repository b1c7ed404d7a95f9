"""Images about which the scoring methods disagree: those whose ranks differ most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from alignment.records import GridReport
from alignment.scorers import GRID_METHODS
from alignment.statistics.ties import tied
from session.comparison import ComparisonState

MOST_SHOWN = 2


@dataclass(frozen=True)
class Disagreement:
    """The ranks of one image by several methods."""

    cell: int
    ranks: Mapping[str, float]
    """Method -> place among the images that every method has scored, from 1; equal scores share
    the mean of their places."""

    @property
    def spread(self) -> float:
        """Places between the best rank and the worst."""
        return max(self.ranks.values()) - min(self.ranks.values())


def disagreements(report: GridReport) -> tuple[Disagreement, ...]:
    """The two images about which VQ2, VNLI and CLIP disagree most, the most disputed first.

    Only images whose ranks differ are there: none where fewer than two methods or images have
    scores.
    """
    methods = [name for name in GRID_METHODS if any(_values(report, name))]
    cells = [
        cell
        for cell in range(len(report.ranking.values))
        if methods and all(_values(report, name)[cell] is not None for name in methods)
    ]
    ranks = {name: _ranks([_values(report, name)[cell] for cell in cells]) for name in methods}
    found = [
        Disagreement(cell, {name: ranks[name][place] for name in methods})
        for place, cell in enumerate(cells)
    ]
    disputed = [each for each in found if each.spread]
    return tuple(sorted(disputed, key=lambda each: -each.spread)[:MOST_SHOWN])


def most_disputed(state: ComparisonState) -> tuple[int, int] | None:
    """The prompt and the system of the finished grid with the largest disagreement."""
    spreads = {
        place: max((each.spread for each in disagreements(grid.report)), default=0.0)
        for place, grid in state.finished.items()
        if grid.report
    }
    place = max(spreads, key=lambda each: spreads[each], default=None)
    return place if place is not None and spreads[place] else None


def _values(report: GridReport, method: str) -> tuple[float | None, ...]:
    known = report.rankings.get(method)
    return known.values if known else ()


def _ranks(values: list[float | None]) -> list[float]:
    """Places from 1, the largest first."""
    from scipy.stats import rankdata

    ranks: list[float] = rankdata(-tied(np.array(values, dtype=float))).tolist()
    return ranks

"""Which numbers count as equal: those that differ by rounding errors alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from alignment.arrays import Floats

TIE = 1e-9
"""Two scores that differ by no more are tied: what is left is the error of floating point."""


def signs(differences: npt.ArrayLike) -> Floats:
    """-1, 0 or 1 for each difference; 0 where it is a tie.

    >>> signs([0.3, -2e-16, -0.1]).tolist()
    [1.0, 0.0, -1.0]
    """
    values = np.asarray(differences, dtype=float)
    return np.where(np.abs(values) <= TIE, 0.0, np.sign(values))


def tied(values: npt.ArrayLike) -> Floats:
    """The same values, each tie replaced by the lowest of its run, so that ranks share it.

    A run is a chain of sorted values of which each is within `TIE` of the one before.

    >>> tied([0.1 + 0.2, 0.3, 0.5]).tolist()
    [0.3, 0.3, 0.5]
    """
    given = np.asarray(values, dtype=float)
    order = np.argsort(given, kind="stable")
    ascending = given[order]
    starts = np.concatenate([[True], ~(np.diff(ascending) <= TIE)])[: given.size]
    same = np.empty_like(given)
    same[order] = ascending[np.maximum.accumulate(np.where(starts, np.arange(given.size), 0))]
    return same

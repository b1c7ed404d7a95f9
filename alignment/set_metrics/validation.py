"""Checks of the values that set metrics are computed from."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from alignment.set_metrics.viewing_orders import Floats


def checked_relevance(relevance: npt.ArrayLike) -> Floats:
    """Relevance by cell, shape (k,), each in [0, 1].

    Raises:
        ValueError: there is no value, or one outside this range.
    """
    f = np.asarray(relevance, dtype=float)
    if f.ndim != 1 or f.size == 0:
        raise ValueError(f"relevance has shape {f.shape}; give one value per cell")
    check_range("relevance", f, 0, 1)
    return f


def check_range(name: str, values: Floats, low: float, high: float) -> None:
    """Refuse values outside a range; not-a-number fails too.

    Raises:
        ValueError: it names the first of them.
    """
    if not np.all((values >= low) & (values <= high)):
        worst = values[~((values >= low) & (values <= high))].flat[0]
        raise ValueError(f"{name} holds {worst}; every value must be in [{low:g}, {high:g}]")

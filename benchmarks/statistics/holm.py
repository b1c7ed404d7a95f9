"""Holm's correction: p-values that hold together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's step-down correction: p-values that hold together, in the order given.

    Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.

    >>> [round(p, 6) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=float)
    smallest_first = np.argsort(p, kind="stable")
    stepped = p[smallest_first] * np.arange(len(p), 0, -1)
    corrected = np.empty_like(p)
    corrected[smallest_first] = np.maximum.accumulate(stepped).clip(max=1)
    return tuple(corrected.tolist())

"""Scores, and labels that say which are of true pairs, come in; how well scores tell them goes out.

A label is 1 where people say that the picture shows what the text says, else 0.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import stats

Floats: TypeAlias = npt.NDArray[np.float64]


def roc_auc(labels: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """The chance that a true pair scores above a false one; ties count half.

    AUC = (R - n1 (n1 + 1) / 2) / (n1 n0), R the sum of the ranks of the n1 true pairs among all

    Args:
        labels: shape (n,), 1 or 0.
        scores: shape (n,), higher is truer.

    Returns:
        In [0, 1]; 0.5 is chance; not a number when all labels are the same.

    Source: J. A. Hanley, B. J. McNeil, "The Meaning and Use of the Area under a ROC Curve", 1982.

    >>> roc_auc([1, 0, 1, 0], [0.9, 0.1, 0.8, 0.85])
    0.75
    """
    true = np.asarray(labels, dtype=bool)
    n1, n0 = int(true.sum()), int((~true).sum())
    if not n1 or not n0:
        return float("nan")
    ranks = stats.rankdata(np.asarray(scores, dtype=float))
    return float((ranks[true].sum() - n1 * (n1 + 1) / 2) / (n1 * n0))


def roc_auc_interval(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    groups: npt.ArrayLike,
    generator: np.random.Generator,
    resamples: int = 1_000,
) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the AUC.

    Whole groups are drawn, for pictures of one prompt are not independent; draws in which all
    labels are the same are left out.

    Args:
        labels: shape (n,), 1 or 0, not all the same.
        scores: shape (n,).
        groups: shape (n,), e.g. the prompt of each pair.
        generator: draws the groups.
        resamples: how many draws.
    """
    truth, value = np.asarray(labels), np.asarray(scores, dtype=float)
    order, members = np.unique(np.asarray(groups), return_inverse=True)
    rows = [np.flatnonzero(members == group) for group in range(len(order))]
    drawn = (
        np.concatenate([rows[group] for group in generator.integers(len(rows), size=len(rows))])
        for _ in range(resamples)
    )
    low, high = np.nanquantile(
        [roc_auc(truth[each], value[each]) for each in drawn], [0.025, 0.975]
    )
    return float(low), float(high)


def precision_at_1(labels: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """The chance that the best-scored picture of one prompt is a true one.

    Among k pictures that share the best score each is chosen with chance 1 / k: so with equal
    scores this is the exact expectation of a random choice.

    Args:
        labels: shape (n,), 1 or 0, of the pictures of one prompt.
        scores: shape (n,).

    Returns:
        In [0, 1].

    >>> precision_at_1([1, 0, 0, 0], [0.9, 0.2, 0.9, 0.1])
    0.5
    """
    value = np.asarray(scores, dtype=float)
    return float(np.asarray(labels, dtype=float)[value == value.max()].mean())

"""Verdicts that are withheld where a calibrated chance is not clear enough.

A verdict, right or wrong, is given when the larger of the chance and its complement reaches a
threshold. Conformal risk control chooses the smallest threshold that keeps a promise: of images
like those of the calibration, at most a given share gets a wrong verdict, in expectation over the
calibration's own sample.

Source: Angelopoulos et al., "Conformal Risk Control", 2024, theorem 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Chances: TypeAlias = Sequence[float] | npt.NDArray[np.float64]
Labels: TypeAlias = Sequence[bool] | npt.NDArray[np.bool_]

NEVER = 2.0
"""A threshold that no chance reaches: the promise cannot be kept by giving any verdict."""


class RiskAtCoverage(NamedTuple):
    """What a threshold gives."""

    threshold: float
    coverage: float
    """Share of images that get a verdict."""
    risk: float
    """Share of these verdicts that is wrong."""


class SourceRisk(NamedTuple):
    """What a threshold gives on the images of one source."""

    source: str
    """A table of labelled pairs."""
    pairs: int
    coverage: float
    """Share of them that gets a verdict."""
    risk: float | None
    """Share of these verdicts that is wrong; None where none is given."""


def verdict(chance: float, threshold: float) -> bool | None:
    """Whether an image is right; None where that is not clear enough.

    >>> verdict(0.97, 0.9), verdict(0.6, 0.9), verdict(0.02, 0.9)
    (True, None, False)
    """
    return chance >= 0.5 if max(chance, 1 - chance) >= threshold else None


def conformal_threshold(chances: Chances, right: Labels, promise: float) -> float:
    """The smallest threshold under which at most a share `promise` of images is judged wrongly.

    Args:
        chances: calibrated, of images that the calibration was not fitted on, each in [0, 1].
        right: whether each image is right.
        promise: above 0, below 1.

    Returns:
        From 0.5 to 1, or `NEVER` where there are too few images for the promise.

    >>> conformal_threshold([0.9, 0.8, 0.2, 0.6], [True, True, False, False], promise=0.4)
    0.5
    >>> conformal_threshold([0.9, 0.8, 0.2, 0.6], [True, True, False, False], promise=0.3)
    0.8
    """
    clear, wrong = _clarity(chances, right)
    bound = promise * (len(clear) + 1) - 1
    for threshold in (0.5, *np.unique(clear)):
        if wrong[clear >= threshold].sum() <= bound:
            return float(threshold)
    return NEVER


def risk_coverage(chances: Chances, right: Labels, points: int = 21) -> tuple[RiskAtCoverage, ...]:
    """The risk of thresholds from full coverage to the clearest image, at most so many."""
    clear, wrong = _clarity(chances, right)
    thresholds = np.unique(np.quantile(clear, np.linspace(0, 1, points), method="lower"))
    return tuple(
        RiskAtCoverage(
            round(float(threshold), 4),
            round(float((clear >= threshold).mean()), 4),
            round(float(wrong[clear >= threshold].mean()), 4),
        )
        for threshold in thresholds
    )


def risk_by_source(
    chances: Chances, right: Labels, sources: Sequence[str], threshold: float
) -> tuple[SourceRisk, ...]:
    """What a threshold gives on the images of each source, in the order in which they come.

    A promise that is kept over all sources together need not be kept on one of them.

    >>> risk_by_source([0.9, 0.8, 0.1, 0.6], [True, False, False, True], "aabb", threshold=0.8)
    (SourceRisk(source='a', pairs=2, coverage=1.0, risk=0.5),
     SourceRisk(source='b', pairs=2, coverage=0.5, risk=0.0))
    """
    clear, wrong = _clarity(chances, right)
    among, found = np.asarray([*sources]), []
    for source in dict.fromkeys(sources):
        of = among == source
        judged = of & (clear >= threshold)
        coverage = round(float(judged.sum() / of.sum()), 4)
        risk = round(float(wrong[judged].mean()), 4) if judged.any() else None
        found.append(SourceRisk(source, int(of.sum()), coverage, risk))
    return tuple(found)


def _clarity(chances: Chances, right: Labels) -> tuple[npt.NDArray[np.float64], npt.NDArray[Any]]:
    """How clear each chance is, and whether the likelier verdict would be wrong."""
    given, truth = np.asarray(chances, dtype=float), np.asarray(right, dtype=bool)
    return np.maximum(given, 1 - given), (given >= 0.5) != truth

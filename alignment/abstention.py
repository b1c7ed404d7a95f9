"""Verdicts that are withheld where a calibrated chance is not clear enough.

A verdict, right or wrong, is given when the larger of the chance and its complement reaches a
threshold. Conformal risk control chooses the smallest threshold that keeps a promise: of images
like those of the calibration, at most a given share gets a wrong verdict, in expectation over the
calibration's own sample. Images of another source are not like them, so that each source has a
threshold of its own; the largest keeps the promise on every source apart, as a larger threshold
never gives more wrong verdicts.

What is drawn is a unit, such as a scene or a prompt with all its images, and not a pair of an image
and a text: every unit counts once.

Source: Angelopoulos et al., "Conformal Risk Control", 2024, theorem 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from alignment.arrays import Floats
from alignment.records import AS_LIKELY_AS_NOT
from alignment.statistics.intervals import measured_mean

if TYPE_CHECKING:
    import pandas as pd

Chances: TypeAlias = Sequence[float] | Floats
Labels: TypeAlias = Sequence[bool] | npt.NDArray[np.bool_]

NEVER = 2.0
"""A threshold that no chance reaches: the promise cannot be kept by giving any verdict."""
HALVES = 100
"""How often a source is halved to try a threshold on the half that it was not chosen on."""
ROUNDING = 1e-9
"""Sums of shares of units may differ from what they are by so little."""


class Share(NamedTuple):
    """A share with its 95 % interval, in which units are drawn."""

    value: float
    low: float
    high: float


class SourceRisk(NamedTuple):
    """What a threshold gives on the pairs of one source; every unit counts once."""

    source: str
    """A table of labelled pairs."""
    pairs: int
    units: int
    """Groups of pairs that share an image or a text."""
    right: float
    """Share whose image shows what its text says."""
    threshold: float
    """The smallest that keeps the promise on this source; the one in use is that or larger."""
    coverage: float
    """Share that gets a verdict."""
    wrong: Share
    """Share that gets a wrong verdict, those without any among the whole: what is promised."""
    wrong_if_all: Share
    """The same if every pair got a verdict."""
    tried: float
    """Like `wrong`, on halves of the units, of thresholds that were chosen on the other halves."""


def verdict(chance: float, threshold: float) -> bool | None:
    """Whether an image is right; None where that is not clear enough.

    >>> verdict(0.97, 0.9), verdict(0.6, 0.9), verdict(0.02, 0.9)
    (True, None, False)
    """
    return chance >= AS_LIKELY_AS_NOT if max(chance, 1 - chance) >= threshold else None


def conformal_threshold(
    chances: Chances, right: Labels, promise: float, units: Sequence[int] | Any = ()
) -> float:
    """The smallest threshold under which at most a share `promise` of images is judged wrongly.

    Args:
        chances: calibrated, of images that the calibration was not fitted on, each in [0, 1].
        right: whether each image is right.
        promise: above 0, below 1.
        units: what each image belongs to, e.g. its prompt; each is a unit of its own without them.

    Returns:
        From 0.5 to 1, or `NEVER` where there are too few units for the promise.

    >>> conformal_threshold([0.9, 0.8, 0.2, 0.6], [True, True, False, False], promise=0.4)
    0.5
    >>> conformal_threshold([0.9, 0.8, 0.2, 0.6], [True, True, False, False], promise=0.3)
    0.8
    """
    clear, wrong = _clarity(chances, right)
    members = np.arange(len(clear)) if not len(units) else np.asarray(units)
    _, member, sizes = np.unique(members, return_inverse=True, return_counts=True)
    bound = promise * (len(sizes) + 1) - 1 + ROUNDING
    order = np.argsort(clear)
    share = (wrong / sizes[member])[order]
    judged_wrongly = np.cumsum(share[::-1])[::-1]  # of this image and all that are clearer
    thresholds, first = np.unique(clear[order], return_index=True)
    kept = thresholds[judged_wrongly[first] <= bound]
    if not len(kept):
        return NEVER
    return AS_LIKELY_AS_NOT if kept[0] == thresholds[0] else float(kept[0])


def thresholds_by_source(pairs: pd.DataFrame, promise: float) -> dict[str, float]:
    """Source -> the smallest threshold that keeps the promise on it; the largest keeps it on all.

    Args:
        pairs: with columns `chance`, in [0, 1] and of a calibration that was not fitted on the
            pair; `right`, whether the image shows what the text says; `source`; `unit`, of which
            two sources share none.
        promise: above 0, below 1.

    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"chance": [0.9, 0.8, 0.2, 0.6] * 2, "source": [*"aaaabbbb"]})
    >>> pairs = pairs.assign(right=[True, True, False, True] + [True, True, False, False])
    >>> thresholds_by_source(pairs.assign(unit=range(8)), promise=0.3)
    {'a': 0.5, 'b': 0.8}
    """
    return {
        name: conformal_threshold(part["chance"], part["right"], promise, part["unit"])
        for name, part in pairs.groupby("source", sort=False)
    }


def risk_by_source(
    pairs: pd.DataFrame, threshold: float, promise: float, generator: np.random.Generator
) -> tuple[SourceRisk, ...]:
    """What a threshold gives on each source, in the order in which they come.

    Pairs as in `thresholds_by_source`; the generator is that of intervals and halves.
    """
    own, tried = thresholds_by_source(pairs, promise), tried_on_halves(pairs, promise, generator)
    clear, wrong = _clarity(pairs["chance"], pairs["right"])
    judged = clear >= threshold
    told = pairs.assign(judged=judged, wrong=judged & wrong, wrong_if_all=wrong)
    found = []
    for name, part in told.groupby("source", sort=False):
        units = part.groupby("unit")[["right", "judged", "wrong", "wrong_if_all"]].mean()
        found.append(
            SourceRisk(
                name,
                len(part),
                len(units),
                round(float(units["right"].mean()), 4),
                own[name],
                round(float(units["judged"].mean()), 4),
                _share(units["wrong"], generator),
                _share(units["wrong_if_all"], generator),
                round(tried[name], 4),
            )
        )
    return tuple(found)


def tried_on_halves(
    pairs: pd.DataFrame, promise: float, generator: np.random.Generator
) -> dict[str, float]:
    """Source -> the share judged wrongly of units that a threshold was not chosen on.

    The mean over `HALVES` random halves of the units: the threshold for all sources is chosen on
    one half of them, and tried on the other half of each source.
    """
    import pandas as pd

    units, tried = np.unique(pairs["unit"]), []
    clear, wrong = _clarity(pairs["chance"], pairs["right"])
    for _ in range(HALVES):
        half = np.isin(pairs["unit"], generator.permutation(units)[: len(units) // 2])
        threshold = max(thresholds_by_source(pairs[half], promise).values())
        others = pairs.assign(wrong=wrong & (clear >= threshold))[~half]
        by_unit = others.groupby(["source", "unit"], sort=False)["wrong"].mean()
        tried.append(by_unit.groupby("source", sort=False).mean())
    found: dict[str, float] = pd.DataFrame(tried).mean().to_dict()
    return found


def _share(by_unit: pd.Series[float], generator: np.random.Generator) -> Share:
    found = measured_mean(by_unit, generator)
    return Share(*(round(each, 4) for each in (found.value, found.low, found.high)))


def _clarity(chances: Chances, right: Labels) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """How clear each chance is, and whether the likelier verdict would be wrong."""
    given, truth = np.asarray(chances, dtype=float), np.asarray(right, dtype=bool)
    return np.maximum(given, 1 - given), (given >= AS_LIKELY_AS_NOT) != truth

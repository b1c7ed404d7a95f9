"""Set metrics of an arranged grid, images without a relevance included.

An image without a relevance (its method could not judge it, or a filter blacked it out) stays in
its place and is worth nothing: a viewer looks at it too. The signature tells how many of the images
have a relevance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from alignment.arrays import Floats
from alignment.records import Arrangement, SetScore
from alignment.set_metrics.metrics import SetMetric
from alignment.signature import VERSION, Signature


@dataclass(frozen=True)
class MetricInputs:
    """Where the inputs of a set metric come from, for its signature."""

    relevance: str
    """The method whose scores became relevance."""
    models: str = ""
    """Of that method, with their revisions."""
    bundle: str = ""
    calibration: str = ""
    """The name of the calibration that made chances of the scores."""
    saliency: str = ""
    """The model of attention."""
    similarity: str = ""
    """The model of similarity, with its revision."""

    def signature(self, metric: SetMetric, arrangement: str, scored: int, size: int) -> Signature:
        """Of a metric computed from them; `scored` of `size` images have a relevance."""
        plain = metric.signature(self.relevance, saliency=self.saliency, similarity=self.similarity)
        return plain.having(
            models=self.models,
            bundle=self.bundle,
            calibrated=self.calibration,
            arrangement=arrangement,
            n=f"{scored}/{size}",
            v=VERSION,
        )


def grid_contributions(
    metric: SetMetric,
    relevance: Sequence[float | None],
    arrangement: Arrangement,
    similarity: npt.ArrayLike | None = None,
) -> tuple[float | None, ...]:
    """What each place of an arranged grid adds to the metric; None where there is no relevance.

    Args:
        metric: what is measured.
        relevance: by cell, each in [0, 1]; None counts as 0.
        arrangement: which cell is shown where.
        similarity: by cell, shape (k, k); needed with novelty.

    Returns:
        By place; the sum is the metric's score.

    >>> from alignment.set_metrics.metrics import RBP
    >>> rbp = RBP(persistence=0.5, order="positional")
    >>> grid_contributions(rbp, [0.25, None, 1.0], Arrangement((1, 2, 0), attention=(1, 1, 1)))
    (None, 0.5, 0.0625)
    """
    cells = np.asarray(arrangement.cells)
    likeness = None if similarity is None else np.asarray(similarity)[np.ix_(cells, cells)]
    attention = arrangement.attention[: len(cells)]
    shares = metric.shares(_charged(relevance)[cells], likeness, attention)
    return tuple(
        None if relevance[cell] is None else share
        for cell, share in zip(arrangement.cells, shares.tolist(), strict=True)
    )


def grid_value(
    metric: SetMetric,
    relevance: Sequence[float | None],
    arrangement: Arrangement,
    similarity: npt.ArrayLike | None = None,
) -> float:
    """The metric of an arranged grid; arguments as in `grid_contributions`."""
    shares = grid_contributions(metric, relevance, arrangement, similarity)
    return sum(share for share in shares if share is not None)


def grid_expected_views(
    metric: SetMetric, relevance: Sequence[float | None], arrangement: Arrangement
) -> float:
    """How many images a viewer of an arranged grid is expected to look at.

    Arguments as in `grid_contributions`.

    >>> from alignment.set_metrics.metrics import ERR
    >>> err = ERR(persistence=1, order="positional")
    >>> grid_expected_views(err, [0.5, None, 1.0], Arrangement((0, 1, 2), attention=(1, 1, 1)))
    2.0
    """
    shown = _charged(relevance)[np.asarray(arrangement.cells)]
    return metric.expected_views(shown, arrangement.attention[: len(shown)])


def grid_set_scores(
    metrics: Sequence[SetMetric],
    relevance: Sequence[float | None],
    arrangements: Mapping[str, Arrangement],
    similarity: npt.ArrayLike | None,
    inputs: MetricInputs,
) -> tuple[SetScore, ...]:
    """Each metric of each arrangement; none when no image has a relevance.

    Without similarity the metrics with novelty are left out; `inputs` is for the signatures.
    """
    if all(value is None for value in relevance):
        return ()
    return tuple(
        _set_score(metric, relevance, name, arrangement, similarity, inputs)
        for metric in metrics
        if metric.novelty == "none" or similarity is not None
        for name, arrangement in arrangements.items()
    )


def _set_score(
    metric: SetMetric,
    relevance: Sequence[float | None],
    name: str,
    arrangement: Arrangement,
    similarity: npt.ArrayLike | None,
    inputs: MetricInputs,
) -> SetScore:
    value = grid_value(metric, relevance, arrangement, similarity)
    scored = sum(each is not None for each in relevance)
    return SetScore(
        metric=metric.label,
        order=metric.order,
        arrangement=name,
        value=value,
        normalised=value / metric.best(len(relevance)),
        signature=inputs.signature(metric, name, scored, len(relevance)),
    )


def _charged(relevance: Sequence[float | None]) -> Floats:
    """Relevance by cell; an image without one is worth nothing."""
    return np.array([0.0 if value is None else value for value in relevance])

"""Rankings of a grid: its images from best to worst, by one method or by a mean of two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alignment.errors import UnknownMethodError
from alignment.records import ImageScore, Ranking
from alignment.scorers import GRID_METHODS
from alignment.scorers.mean import mean

METHODS = (*GRID_METHODS, "mean")
"""What a grid can be ranked by."""
TARGETS = "targets"
"""The ranking by how close an image comes to target images, where there are any."""
NEAREST_TARGET = "max(0,cosine) to the nearest target"
"""How signatures name the relevance of that ranking."""

MEAN_OF = ("vq2", "vnli")
"""The methods that "mean" is the mean of."""


def rank(values: Sequence[float | None]) -> Ranking:
    """The ranking of a grid by one value per cell.

    Ties keep the original order; cells without a value come last, also in their original order.

    >>> rank([0.5, None, 0.9, 0.5]).order
    (2, 0, 3, 1)
    """
    order = sorted(range(len(values)), key=lambda cell: _before(values[cell]))
    return Ranking(tuple(order), tuple(values))


def rankings(scores: Mapping[str, Sequence[ImageScore]]) -> dict[str, Ranking]:
    """The ranking by each method, and by the mean of VQ2 and VNLI where both are there."""
    values = {name: [score.value for score in each] for name, each in scores.items()}
    if all(name in values for name in MEAN_OF):
        pairs = zip(*(values[name] for name in MEAN_OF), strict=True)
        values["mean"] = [mean(pair) for pair in pairs]
    return {name: rank(each) for name, each in values.items()}


def parts_of(method: str) -> tuple[str, ...]:
    """The methods whose scores one is made of: itself, or of "mean" those that it averages.

    >>> parts_of("mean"), parts_of("clip")
    (('vq2', 'vnli'), ('clip',))
    """
    return MEAN_OF if method == "mean" else (method,)


def check_method(method: str, known: Sequence[str] = METHODS) -> None:
    """Refuse what a grid cannot be ranked by.

    Raises:
        UnknownMethodError: it is not among those that are known.
    """
    if method not in known:
        raise UnknownMethodError(f"cannot rank by {method!r}; known: {', '.join(known)}")


def _before(value: float | None) -> tuple[bool, float]:
    return (value is None, 0.0 if value is None else -value)

"""User models beside RBP and ERR: what an image counts, and who goes on, by rank, place and image.

A user model is a set metric of its own `goes_on` or `discount`, like the two below; the name of its
class and its fields are the text that it prints as. Its expectation is exact where the chance to go
on is a factor of the rank times a factor of place and image, and always under the positional order;
`expected` samples all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from alignment.set_metrics.expectation import NotSeparableError
from alignment.set_metrics.metrics import SetMetric
from alignment.set_metrics.viewing_orders import Floats, Order, viewing_model
from alignment.statistics.intervals import Measured

SAMPLES = 10_000


@dataclass(frozen=True, repr=False)
class DCG(SetMetric):
    """Discounted cumulative gain over viewing orders.

    Along one viewing order pi, DCG = sum over t of f(pi_t) * eta(pi_t) * p**(t - 1) / log2(t + 1).

    Source: K. Jarvelin, J. Kekalainen, "Cumulated Gain-Based Evaluation of IR Techniques", 2002.

    >>> DCG(order="positional").score([1.0, 0.0, 1.0])
    1.5
    """

    persistence: float = 1.0

    def discount(self, rank: Floats, place: Floats, relevance: Floats) -> Floats:
        """1 / log2(t + 1) at the t-th rank, t from 1."""
        return 1 / np.log2(rank + 2)


@dataclass(frozen=True, repr=False)
class RowSkipping(SetMetric):
    """A reader who goes row by row and skips some rows; images that are skipped cost no patience.

    Each row is read with chance 1 - skipped, whatever the others are; of a row that is read, and
    after it, the reader goes on with chance p after each image. Novelty is beside all images of
    earlier places.

    Source: after the row skipping of X. Xie et al., "Grid-based Evaluation Metrics for Web Image
    Search", 2019.

    Half of the readers skip the first row; of the others half reach the second image of it:

    >>> reader = RowSkipping(persistence=0.5, columns=2, skipped=0.5)
    >>> reader.shares([1.0, 1.0, 1.0, 1.0]).tolist()
    [0.5, 0.25, 0.3125, 0.15625]
    """

    order: Order = "positional"
    columns: int = 3
    """Of the grid."""
    skipped: float = 0.2
    """The chance in [0, 1] that a row is skipped."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.columns < 1 or not 0 <= self.skipped <= 1:
            raise ValueError(
                f"columns is {self.columns} and skipped {self.skipped}; they must be 1 or more, "
                "and in [0, 1]"
            )

    def goes_on(self, rank: Floats, place: Floats, satisfaction: Floats) -> Floats:
        """Always: what ends the reading is part of the discount."""
        return np.ones(np.broadcast_shapes(rank.shape, place.shape))

    def discount(self, rank: Floats, place: Floats, relevance: Floats) -> Floats:
        """The chance that the image at a place is read."""
        row, column = np.divmod(place, self.columns)
        read = 1 - self.skipped
        passed = self.skipped + read * self.persistence**self.columns
        return np.asarray(passed**row * read * self.persistence**column)

    def best(self, size: int, satisfaction_apart: bool = False) -> float:
        """What relevant images earn that do not resemble one another."""
        places = np.arange(size, dtype=float)
        return float(self.discount(places, places, np.ones(size)).sum())


USER_MODELS: Mapping[str, type[SetMetric]] = {"DCG": DCG, "RowSkipping": RowSkipping}
"""Those that a metric's text may name, beside the published families."""


def expected(
    metric: SetMetric,
    relevance: npt.ArrayLike,
    similarity: npt.ArrayLike | None = None,
    attention: Sequence[float] | Floats | None = None,
    satisfaction: npt.ArrayLike | None = None,
    *,
    generator: np.random.Generator,
    samples: int = SAMPLES,
) -> Measured:
    """The expectation of any user model: exact, with an interval of width 0 and n = 0, or sampled.

    Args:
        metric: whose viewing order is read, too.
        relevance: as in `SetMetric.shares`, as are the others.
        similarity: needed with novelty.
        attention: needed under the saliency order.
        satisfaction: the relevance when None.
        generator: of the orders, where they are sampled.
        samples: how many orders then are drawn.

    >>> expected(DCG(order="uniform"), [1.0, 1.0], generator=np.random.default_rng(7)).n
    0
    """
    try:
        exact = metric.score(relevance, similarity, attention, satisfaction)
        return Measured(exact, exact, exact, 0)
    except NotSeparableError:
        viewing = viewing_model(metric.order, attention)
        given = (viewing, relevance, similarity, satisfaction)
        return metric.estimate(*given, samples=samples, generator=generator)

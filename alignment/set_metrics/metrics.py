"""RBP and ERR of a grid: what its images are worth to a viewer.

A metric is a value: `ERR(persistence=0.8, novelty="max", order="saliency")` prints as written, is a
dictionary key, and `alignment.set_metrics.named.parse_metric` reads it back.

Source: N. Arabzadeh, F. Diaz, J. He, "Offline Evaluation of Set-Based Text-to-Image Generation",
2024. The orders are those of `alignment.set_metrics.viewing_orders`, the expectations those of
`alignment.set_metrics.expectation`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from alignment.arrays import Floats
from alignment.set_metrics.expectation import (
    NOVELTIES,
    Novelty,
    attention_along,
    expected_attention,
)
from alignment.set_metrics.viewing_orders import ORDERS, Order, ViewingModel, viewing_model
from alignment.signature import Signature
from alignment.statistics.intervals import Measured, sampled_mean

SAMPLES_AT_ONCE = 2_000


@dataclass(frozen=True, repr=False)
class SetMetric:
    """What RBP and ERR share: a persistence, a form of novelty and a viewing order."""

    satisfiable: ClassVar[bool] = False
    """True when a satisfied viewer stops."""

    persistence: float = 0.8
    """p in [0, 1], the chance to look at one more image."""
    novelty: Novelty = "none"
    """"none", "max" or "product": how an image that resembles an earlier one loses relevance."""
    order: Order = "saliency"
    """"saliency", "positional" or "uniform"."""

    def __post_init__(self) -> None:
        if not 0 <= self.persistence <= 1:
            raise ValueError(f"persistence is {self.persistence}; it must be in [0, 1]")
        if self.novelty not in NOVELTIES:
            raise ValueError(f"no novelty '{self.novelty}'; known: {', '.join(NOVELTIES)}")
        if self.order not in ORDERS:
            raise ValueError(f"no viewing order '{self.order}'; known: {', '.join(ORDERS)}")

    def __repr__(self) -> str:
        settings = (f"{each.name}={json.dumps(getattr(self, each.name))}" for each in fields(self))
        return f"{type(self).__name__}({', '.join(settings)})"

    @property
    def label(self) -> str:
        """A short name for tables, without order and persistence.

        >>> RBP().label, ERR(novelty="max").label, ERR(novelty="product").label
        ('RBP', 'ERR+novelty', 'ERR+novelty (product)')
        """
        endings = {"none": "", "max": "+novelty", "product": "+novelty (product)"}
        return type(self).__name__ + endings[self.novelty]

    def signature(
        self,
        relevance: str,
        *,
        saliency: str = "",
        similarity: str = "",
    ) -> Signature:
        """Everything needed to compute the number again.

        Args:
            relevance: where relevance comes from, e.g. a scorer's name.
            saliency: the model of attention; printed under the saliency order alone.
            similarity: the model of similarity; printed with novelty alone.

        >>> print(RBP(order="uniform").signature("vq2"))
        RBP|p:0.8|order:uniform|expectation:exact|novelty:none|relevance:vq2
        """
        by_saliency = self.order == "saliency" and saliency
        novel = self.novelty != "none" and similarity
        return Signature(type(self).__name__).having(
            p=str(self.persistence),
            order=f"saliency({saliency})" if by_saliency else self.order,
            expectation="exact",
            novelty=f"{self.novelty}-cosine({similarity})" if novel else self.novelty,
            relevance=relevance,
        )

    def shares(
        self,
        relevance: npt.ArrayLike,
        similarity: npt.ArrayLike | None = None,
        attention: Sequence[float] | Floats | None = None,
        satisfaction: npt.ArrayLike | None = None,
    ) -> Floats:
        """What each cell adds to the expectation; the sum is `score`.

        Args:
            relevance: f, shape (k,), row by row, each in [0, 1].
            similarity: s, shape (k, k), symmetric, in [-1, 1], below 0 counts as 0; only read when
                there is novelty. The diagonal is not looked at.
            attention: w, the attraction of each cell, shape (k,), each >= 0, not all 0; only read
                under the saliency order. A cell of 0 is looked at after all others.
            satisfaction: g, shape (k,), each in [0, 1], the chance that a viewer stops here
                content; only ERR reads it. The relevance itself when None.

        Returns:
            Shape (k,), each >= 0, exact to 1e-12.

        Raises:
            ValueError: a value is outside its range, a shape does not fit, or what the metric
                needs is missing.

        >>> RBP(persistence=0.5, order="positional").shares([1.0, 0.0, 1.0]).tolist()
        [1.0, 0.0, 0.25]
        """
        f = _checked_relevance(relevance)
        goes_on = self.continuation(f, satisfaction)
        s = self._checked_similarity(similarity, f.size)
        model = viewing_model(self.order, attention)
        return f * expected_attention(model, goes_on, s, self.novelty)

    def score(
        self,
        relevance: npt.ArrayLike,
        similarity: npt.ArrayLike | None = None,
        attention: Sequence[float] | Floats | None = None,
        satisfaction: npt.ArrayLike | None = None,
    ) -> float:
        """The expectation over all viewing orders, >= 0; arguments as in `shares`.

        >>> ERR(persistence=1, order="positional").score([1.0, 0.0, 1.0])
        1.0
        """
        return float(self.shares(relevance, similarity, attention, satisfaction).sum())

    def expected_views(
        self,
        relevance: npt.ArrayLike,
        attention: Sequence[float] | Floats | None = None,
    ) -> float:
        """How many images a viewer is expected to look at before stopping, in [1, k].

        The sum over ranks of the chance to get there; arguments as in `shares`.

        >>> ERR(persistence=1, order="positional").expected_views([0.5, 1.0, 0.0])
        1.5
        """
        f = _checked_relevance(relevance)
        unlike = np.zeros((f.size, f.size))
        model = viewing_model(self.order, attention)
        return float(expected_attention(model, self.continuation(f), unlike).sum())

    def best(self, size: int) -> float:
        """The most any grid of this size can earn; the same under every viewing model.

        A viewer whom nothing stops but impatience earns 1 + p + ... + p**(size - 1) from relevant
        images that do not resemble one another: the best for RBP.

        With g = f the best ERR is 1, earned when the first image seen has f = 1: along an order
        the value from rank t on is V_t = f + p (1 - f) V_(t+1), at most 1 when V_(t+1) is.
        """
        if self.satisfiable:
            return 1.0
        return float(np.sum(self.persistence ** np.arange(size)))

    def estimate(
        self,
        viewing: ViewingModel,
        relevance: npt.ArrayLike,
        similarity: npt.ArrayLike | None = None,
        satisfaction: npt.ArrayLike | None = None,
        *,
        samples: int,
        generator: np.random.Generator,
    ) -> Measured:
        """The mean over orders drawn from any viewing model, one's own included.

        `order` is not looked at; the other arguments are as in `shares`.

        >>> from alignment.set_metrics.viewing_orders import Positional
        >>> seeded = np.random.default_rng(7)
        >>> RBP(persistence=0.5).estimate(Positional(), [1, 0, 1], samples=10, generator=seeded)
        Measured(value=1.25, low=1.25, high=1.25, n=10)
        """
        f = _checked_relevance(relevance)
        goes_on = self.continuation(f, satisfaction)
        s = self._checked_similarity(similarity, f.size)
        values = []
        for start in range(0, samples, SAMPLES_AT_ONCE):
            count = min(SAMPLES_AT_ONCE, samples - start)
            orders = viewing.orders(len(f), count, generator)
            values.append(attention_along(orders, goes_on, s, self.novelty) @ f)
        return sampled_mean(np.concatenate(values))

    def continuation(self, relevance: Floats, satisfaction: npt.ArrayLike | None = None) -> Floats:
        """The chance to look at one more image after each cell, shape (k,): p, or p (1 - g)."""
        g = relevance if satisfaction is None else np.asarray(satisfaction, dtype=float)
        if g.shape != relevance.shape:
            raise ValueError(f"satisfaction has shape {g.shape}, relevance {relevance.shape}")
        _check_range("satisfaction", g, 0, 1)
        return self.persistence * (1 - g if self.satisfiable else np.ones(g.shape))

    def _checked_similarity(self, similarity: npt.ArrayLike | None, size: int) -> Floats:
        if self.novelty == "none":
            return np.zeros((size, size))
        if similarity is None:
            raise ValueError(f"{self} needs `similarity`, a matrix of {size} x {size} values")
        s = np.asarray(similarity, dtype=float)
        if s.shape != (size, size):
            raise ValueError(f"similarity has shape {s.shape}; {size} cells need {(size, size)}")
        _check_range("similarity", s, -1 - 1e-6, 1 + 1e-6)
        return s.clip(0, 1)


@dataclass(frozen=True, repr=False)
class RBP(SetMetric):
    """Rank-biased precision: how much relevance a viewer sees before losing patience.

    There is no factor (1 - p): a grid of relevant images is worth more than 1.

    Along one viewing order pi, RBP = sum over t of f(pi_t) * eta(pi_t) * p**(t - 1).

    >>> RBP(order="positional").score([1.0, 1.0])
    1.8
    """


@dataclass(frozen=True, repr=False)
class ERR(SetMetric):
    """Expected reciprocal rank's cascade: as RBP, but a satisfied viewer stops.

    It discounts ranks geometrically, by p, and not by 1 / rank.

    Along one viewing order pi,
    ERR = sum over t of f(pi_t) * eta(pi_t) * p**(t - 1) * product over earlier j of (1 - g(pi_j)).

    >>> ERR(order="positional").score([1.0, 1.0])
    1.0
    """

    satisfiable = True


def _checked_relevance(relevance: npt.ArrayLike) -> Floats:
    """Relevance by cell, shape (k,), k >= 1, each in [0, 1]; anything else is refused."""
    f = np.asarray(relevance, dtype=float)
    if f.ndim != 1 or f.size == 0:
        raise ValueError(f"relevance has shape {f.shape}; give one value per cell")
    _check_range("relevance", f, 0, 1)
    return f


def _check_range(name: str, values: Floats, low: float, high: float) -> None:
    """Refuse values outside a range, by the first of them; not-a-number fails too."""
    if not np.all((values >= low) & (values <= high)):
        worst = values[~((values >= low) & (values <= high))].flat[0]
        raise ValueError(f"{name} holds {worst}; every value must be in [{low:g}, {high:g}]")

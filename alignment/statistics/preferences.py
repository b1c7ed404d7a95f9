"""How often a metric prefers what people prefer, and whether that could be chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from alignment.statistics.intervals import Interval, mean_interval
from alignment.statistics.ties import signs

PERMUTATIONS = 9_999


@dataclass(frozen=True)
class PreferenceAgreement:
    """Signs of metric differences held against people's preferences."""

    rate: float
    """Share of people's preferences, ties left out, in which the metric's difference has the same
    sign; a metric without a preference does not agree."""
    low: float
    high: float
    """The 95 % interval of the rate, resampling prompts."""
    prompts: int
    """Prompts with a preference that is no tie."""
    n: int
    """Preferences that are not ties."""
    ties: int
    """Preferences of people that are ties."""
    metric_ties: int
    """Of the n, those where the metric has no preference."""
    p_value: float
    """Of agreeing as often as disagreeing: a permutation test that turns round the metric's
    differences prompt by prompt, two-sided."""
    decided_low: float
    decided_high: float
    """The 95 % interval of `rate_where_decided`, resampling prompts."""

    @property
    def rate_where_decided(self) -> float:
        """The rate over the preferences in which the metric has one too; 0 when it never has."""
        decided = self.n - self.metric_ties
        return self.rate * self.n / decided if decided else 0.0


def preference_agreement(
    preferences: npt.ArrayLike,
    differences: npt.ArrayLike,
    prompts: npt.ArrayLike,
    generator: np.random.Generator,
) -> PreferenceAgreement:
    """Agreement of the sign of metric differences with the sign of people's preferences.

    Args:
        preferences: shape (n,); above 0 when people prefer the first grid, e.g. -2 .. 2 on a
            5-point scale; 0 is a tie.
        differences: shape (n,); metric of the first grid minus metric of the second. Within 1e-9
            of 0 the metric has no preference.
        prompts: shape (n,); what each preference is about, the unit of interval and test.
        generator: of both.

    Raises:
        ValueError: the lengths differ, or every preference is a tie.

    >>> agreement = preference_agreement(
    ...     [2, -1, 1, 0], [0.3, -0.1, -2e-16, 0.5], ["a", "b", "c", "d"], np.random.default_rng(7)
    ... )
    >>> agreement.n, agreement.metric_ties, round(agreement.rate, 3)
    (3, 1, 0.667)
    """
    people, metric = signs(preferences), signs(differences)
    if people.shape != metric.shape:
        raise ValueError(f"{people.size} preferences for {metric.size} differences")
    decided = people != 0
    if not decided.any():
        raise ValueError(f"all {people.size} preferences are ties; nothing to agree with")
    product = people[decided] * metric[decided]
    about = np.asarray(prompts)[decided]
    interval: Interval = mean_interval(product > 0, generator, about)
    p_value = _sign_flip_test(product, about, generator)
    has = product != 0
    within = mean_interval(product[has] > 0, generator, about[has]) if has.any() else (0.0, 1.0, 0)
    return PreferenceAgreement(
        rate=float((product > 0).mean()),
        low=interval.low,
        high=interval.high,
        prompts=interval.units,
        n=product.size,
        ties=int((~decided).sum()),
        metric_ties=int((product == 0).sum()),
        p_value=p_value,
        decided_low=within[0],
        decided_high=within[1],
    )


def _sign_flip_test(
    products: npt.NDArray[np.float64], prompts: npt.ArrayLike, generator: np.random.Generator
) -> float:
    """Two-sided p-value of a sum of signs that is 0 by chance; whole prompts are turned round."""
    from scipy import stats

    _, members = np.unique(np.asarray(prompts), return_inverse=True)
    net = np.bincount(members, products)
    if net.size < 2 or not net.any():
        return 1.0
    test = stats.permutation_test(
        (net,),
        np.sum,
        permutation_type="samples",
        n_resamples=PERMUTATIONS,
        rng=generator,
        vectorized=True,
    )
    return float(test.pvalue)

"""How often a metric prefers what people prefer, and whether that could be chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from alignment.arrays import Floats
from alignment.statistics.intervals import Measured, measured_mean
from alignment.statistics.ties import signs

PERMUTATIONS = 9_999


@dataclass(frozen=True)
class PreferenceAgreement:
    """Signs of metric differences held against people's preferences."""

    rate: Measured
    """Agrees: share of people's preferences, ties left out, in which the metric's difference has
    the same sign, resampling prompts; a metric without a preference does not agree."""
    decided: Measured
    """Agrees where it decides: the same over the preferences in which the metric has one too; 0
    when it never has."""
    n: int
    """Preferences that are not ties."""
    ties: int
    """Preferences of people that are ties."""
    metric_ties: int
    """Of the n, those where the metric has no preference."""
    p_value: float
    """Of agreeing as often as disagreeing: a permutation test that turns round the metric's
    differences prompt by prompt, two-sided."""


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
    >>> agreement.n, agreement.metric_ties, round(agreement.rate.value, 3)
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
    rate = measured_mean(product > 0, generator, about)
    p_value = _sign_flip_test(product, about, generator)
    has, within = product != 0, Measured(0.0, 0.0, 1.0, 0)
    if has.any():
        within = measured_mean(product[has] > 0, generator, about[has])
    return PreferenceAgreement(
        rate=rate,
        decided=within,
        n=product.size,
        ties=int((~decided).sum()),
        metric_ties=int((product == 0).sum()),
        p_value=p_value,
    )


def _sign_flip_test(
    products: Floats, prompts: npt.ArrayLike, generator: np.random.Generator
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

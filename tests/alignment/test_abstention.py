"""Verdicts are withheld so that a promise is kept, on each source of images apart."""

import numpy as np
import pandas as pd
import pytest

from alignment.abstention import (
    NEVER,
    Share,
    conformal_threshold,
    risk_by_source,
    tried_on_halves,
    verdict,
)


@pytest.mark.parametrize("promise", [0.02, 0.05, 0.2])
def test_the_promise_holds_in_expectation_over_samples(promise: float) -> None:
    """The mean of 600 samples errs by 0.002."""
    generator = np.random.default_rng(7)
    wrong = []
    for _ in range(600):
        chances = generator.beta(0.5, 0.5, size=400)
        right = generator.uniform(size=400) < 0.2 + 0.6 * chances
        threshold = conformal_threshold(chances[:200], right[:200], promise)
        given_ = [verdict(chance, threshold) for chance in chances[200:]]
        wrong += [
            each is not None and each != truth
            for each, truth in zip(given_, right[200:], strict=True)
        ]
    assert np.mean(wrong) <= promise + 0.005


def test_a_promise_that_nothing_can_keep_gives_no_verdict() -> None:
    assert conformal_threshold([0.9] * 5, [True] * 5, promise=0.01) == NEVER
    assert verdict(1.0, NEVER) is None


def two_sources(wrong: int) -> pd.DataFrame:
    """Forty pairs of each source, all right: so many of the second have a chance of 0.4."""
    chances = [0.9] * 40 + [0.4] * wrong + [0.9] * (40 - wrong)
    sources = ["a"] * 40 + ["b"] * 40
    return pd.DataFrame({"chance": chances, "right": True, "source": sources, "unit": range(80)})


def test_a_unit_counts_once_however_many_pairs_it_has() -> None:
    """Of twenty units of four pairs one is wrong and another half: 1.5 where 0.1 * 21 - 1 = 1.1 may
    be. Of eighty pairs that are no units six are wrong, and 7.1 may be."""
    chances = [0.4] * 6 + [0.9] * 74
    right, units = [True] * 80, [number // 4 for number in range(80)]
    assert conformal_threshold(chances, right, 0.1, units) == 0.9
    assert conformal_threshold(chances, right, 0.1) == 0.5


def test_what_a_threshold_gives_is_told_of_each_source() -> None:
    """Wilson's interval of 0 of 40 ends at 0.088; of 6 of 40 it is 0.071 to 0.291."""
    generator = np.random.default_rng(7)
    first, second = risk_by_source(two_sources(wrong=6), 0.9, 0.1, generator)
    assert (first.pairs, first.units, first.right) == (40, 40, 1.0)
    assert (first.threshold, first.coverage, first.wrong) == (0.5, 1.0, Share(0.0, 0.0, 0.0876))
    assert (second.threshold, second.coverage, second.wrong.value) == (0.9, 0.85, 0.0)
    assert second.wrong_if_all == Share(0.15, 0.0706, 0.2907)


def test_a_threshold_is_tried_on_units_that_it_was_not_chosen_on() -> None:
    """Where nothing can be promised no verdict is given; where all are right none is wrong."""
    generator = np.random.default_rng(7)
    assert tried_on_halves(two_sources(wrong=0), 0.1, generator) == {"a": 0.0, "b": 0.0}
    assert tried_on_halves(two_sources(wrong=40), 0.01, generator) == {"a": 0.0, "b": 0.0}

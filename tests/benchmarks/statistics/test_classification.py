from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from benchmarks.statistics.classification import (
    _weighted_auc,
    measured_auc,
    roc_auc,
)

PAIRS = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=30)


@given(PAIRS)
def test_turning_the_scores_round_turns_the_auc_round(pairs: list[tuple[bool, int]]) -> None:
    labels, scores = zip(*pairs, strict=True)
    if len(set(labels)) == 2:
        turned = roc_auc(labels, [-score for score in scores])
        assert turned == pytest.approx(1 - roc_auc(labels, scores))


def test_whole_groups_are_drawn_so_that_repeating_images_of_a_prompt_gains_nothing() -> None:
    """Each pair five times under its own prompt: the interval is that of the pairs themselves."""
    rng = np.random.default_rng(7)
    labels = rng.random(40) < 0.5
    scores = labels + rng.normal(size=40)
    once = measured_auc(labels, scores, np.arange(40), np.random.default_rng(1))
    often = [np.repeat(each, 5) for each in (labels, scores, np.arange(40))]
    grouped = measured_auc(*often, np.random.default_rng(1))
    apart = measured_auc(*often[:2], np.arange(200), np.random.default_rng(1))
    assert [*astuple(grouped)] == pytest.approx([*astuple(once)])
    assert apart.high - apart.low < 0.7 * (once.high - once.low)
    assert once.low < once.value == roc_auc(labels, scores) < once.high


def test_a_perfect_separation_of_few_prompts_is_not_certain() -> None:
    found = measured_auc([1, 0], [0.9, 0.1], [0, 1], np.random.default_rng(7))
    assert (found.value, found.high, found.n) == (1.0, 1.0, 2)
    assert found.low < 0.5


def test_pairs_of_one_label_have_no_auc() -> None:
    assert measured_auc([1, 1], [0.9, 0.1], [0, 1], np.random.default_rng(7)) is None


def test_rounding_errors_are_ties() -> None:
    assert roc_auc([1, 0], [0.3, 0.1 + 0.2]) == 0.5


@given(PAIRS, st.integers(0, 99))
def test_the_resampled_auc_is_that_of_scikit_learn_with_weights(
    pairs: list[tuple[bool, int]], seed: int
) -> None:
    labels, scores = map(np.array, zip(*pairs, strict=True))
    weights = np.random.default_rng(seed).integers(0, 4, size=len(pairs))
    if len({*labels[weights > 0].tolist()}) < 2:
        return
    ours = _weighted_auc(labels, np.unique(scores, return_inverse=True)[1], weights)
    assert ours == pytest.approx(roc_auc_score(labels, scores, sample_weight=weights))


def test_the_interval_of_an_auc_covers_it_about_as_often_as_it_says() -> None:
    """Normal scores one standard deviation apart: the AUC is Phi(1 / sqrt 2) = 0.760."""
    generator = np.random.default_rng(2)
    labels, prompts = np.tile([1, 0], 25), np.repeat(np.arange(25), 2)
    covered = 0
    for _ in range(60):
        scores = labels + generator.normal(size=50)
        found = measured_auc(labels, scores, prompts, generator)
        covered += found is not None and found.low <= 0.7602 <= found.high
    assert covered / 60 > 0.88

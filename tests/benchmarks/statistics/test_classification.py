from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from benchmarks.statistics.classification import precision_at_1, roc_auc, roc_auc_interval

PAIRS = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=30)


@given(PAIRS)
def test_the_auc_is_that_of_scikit_learn_ties_included(pairs: list[tuple[bool, int]]) -> None:
    labels, scores = zip(*pairs, strict=True)
    if len(set(labels)) == 2:
        assert roc_auc(labels, scores) == pytest.approx(roc_auc_score(labels, scores))
    else:
        assert np.isnan(roc_auc(labels, scores))


@given(PAIRS)
def test_turning_the_scores_round_turns_the_auc_round(pairs: list[tuple[bool, int]]) -> None:
    labels, scores = zip(*pairs, strict=True)
    if len(set(labels)) == 2:
        turned = roc_auc(labels, [-score for score in scores])
        assert turned == pytest.approx(1 - roc_auc(labels, scores))


def test_whole_groups_are_drawn_so_that_repeating_pictures_of_a_prompt_gains_nothing() -> None:
    """Each pair five times under its own prompt: the interval is that of the pairs themselves."""
    rng = np.random.default_rng(7)
    labels = rng.random(40) < 0.5
    scores = labels + rng.normal(size=40)
    once = roc_auc_interval(labels, scores, np.arange(40), np.random.default_rng(1))
    often = [np.repeat(each, 5) for each in (labels, scores, np.arange(40))]
    grouped = roc_auc_interval(*often, np.random.default_rng(1))
    apart = roc_auc_interval(*often[:2], np.arange(200), np.random.default_rng(1))
    assert grouped == pytest.approx(once)
    assert apart[1] - apart[0] < 0.7 * (once[1] - once[0])
    assert once[0] < roc_auc(labels, scores) < once[1]


def test_draws_without_both_labels_are_left_out() -> None:
    """Of two prompts, one true and one false, half of the draws have only one label."""
    interval = roc_auc_interval([1, 0], [0.9, 0.1], [0, 1], np.random.default_rng(7))
    assert interval == (1.0, 1.0)


@pytest.mark.parametrize(
    ("labels", "scores", "chance"),
    [
        ([0, 1, 0], [0.1, 0.9, 0.2], 1.0),
        ([1, 0, 0], [0.1, 0.9, 0.2], 0.0),
        ([1, 0, 1], [0.9, 0.9, 0.2], 0.5),
        ([1, 1, 0, 1], [0.0, 0.0, 0.0, 0.0], 0.75),
        ([1, 0], [float("-inf"), float("-inf")], 0.5),
    ],
)
def test_the_best_scored_picture_is_right_with_this_chance(
    labels: list[int], scores: list[float], chance: float
) -> None:
    assert precision_at_1(labels, scores) == chance

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.coverage import AUC, KINDS, METHODS, measure
from tests.benchmarks.command import numbers


@pytest.mark.parametrize("kind", KINDS)
def test_the_mean_of_each_distribution_is_the_one_that_is_said(kind: str) -> None:
    draw, mean = KINDS[kind]
    assert draw(np.random.default_rng(7), 200_000).mean() == pytest.approx(mean, abs=0.005)


def test_the_percentile_bootstrap_of_five_values_is_too_narrow_and_ours_is_not() -> None:
    found = measure("skewed, beta(0.5, 0.2)", 5, 100, np.random.default_rng(7))
    shares = dict(zip(METHODS, (number.value for number in found), strict=True))
    assert shares["percentile"] < 0.88 < 0.9 <= shares["ours"]


def test_the_true_auc_is_that_of_two_normal_distributions_one_apart() -> None:
    drawn = np.random.default_rng(7).normal(size=(2, 1_000_000))
    assert (drawn[0] + 1 > drawn[1]).mean() == pytest.approx(AUC, abs=0.002)


def test_the_command_gives_coverage_and_width(capsys: pytest.CaptureFixture[str]) -> None:
    found = numbers(capsys, "coverage", "--draws", 2)
    assert len(found) == len(KINDS) * 3 * len(METHODS) + 6
    assert all("|width:" in name for name in found)

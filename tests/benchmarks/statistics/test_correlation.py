import numpy as np
import pytest

from benchmarks.statistics.correlation import r_squared, rank_correlation


def test_rank_correlation_ignores_the_scale() -> None:
    first = [0.1, 0.4, 0.2, 0.9]
    assert rank_correlation(first, np.exp(first)) == (1, 1)
    assert rank_correlation(first, np.negative(first)) == (-1, -1)


def test_r_squared_is_that_of_a_straight_line() -> None:
    """y = x + e with residuals 1, -1, -1, 1 around a slope of 1: 5 of 9 of the variance."""
    assert r_squared([1, 2, 3, 4], [2, 1, 2, 5]) == pytest.approx(5 / 9)

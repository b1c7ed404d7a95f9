from __future__ import annotations

import numpy as np
import pytest

from benchmarks.statistics.reliability import Level, fleiss_kappa, krippendorff_alpha

# K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011, section C: 4 observers,
# 12 units, 0 for no rating.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ],
    dtype=float,
)
OBSERVERS[OBSERVERS == 0] = np.nan

# The worked table of the article on Fleiss' kappa in Wikipedia: 10 subjects, 14 raters.
RATED = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_krippendorff_s_own_example(level: Level, alpha: float) -> None:
    assert krippendorff_alpha(OBSERVERS, level) == pytest.approx(alpha, abs=5e-4)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_what_one_rater_alone_has_rated_says_nothing_of_agreement(level: Level) -> None:
    alone = np.array([[5.0, np.nan], [np.nan, 1.0], [np.nan] * 2, [np.nan] * 2])
    more = krippendorff_alpha(np.hstack([OBSERVERS, alone]), level)
    assert more == pytest.approx(krippendorff_alpha(OBSERVERS, level), abs=1e-12)
    assert np.isnan(krippendorff_alpha(alone, level))


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_alpha_compares_every_two_ratings_of_a_unit_with_any_two_ratings(level: Level) -> None:
    rated = [unit[~np.isnan(unit)] for unit in OBSERVERS.T if (~np.isnan(unit)).sum() > 1]
    every = np.concatenate(rated)
    observed = sum(differences(unit, level) / (len(unit) - 1) for unit in rated) / len(every)
    expected = differences(every, level) / (len(every) * (len(every) - 1))
    assert krippendorff_alpha(OBSERVERS, level) == pytest.approx(1 - observed / expected)


def differences(ratings: np.ndarray, level: Level) -> float:
    """The squared differences of all ordered pairs."""
    pairs = np.subtract.outer(ratings, ratings)
    return float(((pairs != 0) if level == "nominal" else pairs**2).sum())


def test_fleiss_worked_table() -> None:
    assert fleiss_kappa(RATED) == pytest.approx(0.210, abs=5e-4)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_full_agreement_is_one(level: Level) -> None:
    assert krippendorff_alpha([[1, 2, 5], [1, 2, 5]], level) == pytest.approx(1)
    assert fleiss_kappa([[3, 0], [0, 3]]) == pytest.approx(1)


def test_agreement_on_a_constant_says_nothing() -> None:
    assert np.isnan(krippendorff_alpha([[2, 2], [2, 2]]))
    assert np.isnan(fleiss_kappa([[3, 0], [3, 0]]))


def test_fleiss_needs_as_many_raters_for_each_subject() -> None:
    with pytest.raises(ValueError, match="the same number of raters"):
        fleiss_kappa([[2, 1], [1, 1]])

import numpy as np
import pandas as pd
import pytest

from benchmarks.statistics.reliability import krippendorff_alpha, raters_agreement

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


def test_krippendorff_s_own_example() -> None:
    """Ordinal; of two values, ordinal is nominal."""
    assert krippendorff_alpha(OBSERVERS) == pytest.approx(0.815, abs=5e-4)


def test_what_one_rater_alone_has_rated_says_nothing_of_agreement() -> None:
    alone = np.array([[5.0, np.nan], [np.nan, 1.0], [np.nan] * 2, [np.nan] * 2])
    more = krippendorff_alpha(np.hstack([OBSERVERS, alone]))
    assert more == pytest.approx(krippendorff_alpha(OBSERVERS), abs=1e-12)
    assert np.isnan(krippendorff_alpha(alone))


def test_alpha_compares_every_two_labels_of_a_pair_with_any_two_labels() -> None:
    """Labels 11, 10, 00: raters differ in 1 of 3 pairs, any two of six labels in 9 of 15."""
    assert krippendorff_alpha([[1, 1, 0], [1, 0, 0]]) == pytest.approx(1 - (1 / 3) / (9 / 15))


def test_agreement_on_a_constant_says_nothing() -> None:
    assert np.isnan(krippendorff_alpha([[2, 2], [2, 2]]))


def test_alpha_is_over_all_units_and_people() -> None:
    rows = [("ann", "owl", 2), ("bob", "owl", 2), ("ann", "fox", 1), ("bob", "fox", 0)]
    judged = pd.DataFrame([*rows, ("ann", "elk", 1)], columns=["rater", "prompt", "value"])
    found = raters_agreement(judged, ["prompt"], "value")
    assert (found.units, found.raters) == (3, 2)
    assert found.alpha == pytest.approx(krippendorff_alpha([[2, 1], [2, 0]]))

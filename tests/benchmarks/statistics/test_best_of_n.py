"""The value of the best of n images, in closed form, against every choice of n images."""

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.statistics.best_of_n import best_of_n

IMAGES = st.lists(
    st.tuples(st.sampled_from([0.1, 0.4, 0.4 + 1e-12, 0.9, float("-inf")]), st.floats(0, 1)),
    min_size=1,
    max_size=7,
)


def enumerated(scores: tuple[float, ...], values: tuple[float, ...], n: int) -> float:
    found = []
    for chosen in combinations(range(len(scores)), n):
        best = max(scores[each] for each in chosen)
        first = [values[each] for each in chosen if scores[each] >= best - 1e-9]
        found.append(fmean(first))
    return fmean(found)


@given(IMAGES)
def test_it_is_the_mean_over_all_choices_of_n_images(images: list[tuple[float, float]]) -> None:
    scores, values = zip(*images, strict=True)
    expected = [enumerated(scores, values, n) for n in range(1, len(images) + 1)]
    assert best_of_n(scores, values).tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("labels", "scores", "chance"),
    [
        ([0, 1, 0], [0.1, 0.9, 0.2], 1.0),
        ([1, 0, 0], [0.1, 0.9, 0.2], 0.0),
        ([1, 0, 1], [0.9, 0.9, 0.2], 0.5),
        ([1, 1, 0, 1], [0.0, 0.0, 0.0, 0.0], 0.75),
        ([1, 0], [float("-inf"), float("-inf")], 0.5),
        ([1, 0], [float("nan"), 0.0], 0.0),
        ([1, 0], [float("nan"), float("-inf")], 0.5),
        ([1, 0], [0.3, 0.1 + 0.2], 0.5),
    ],
)
def test_the_best_scored_image_is_right_with_this_chance(
    labels: list[int], scores: list[float], chance: float
) -> None:
    assert best_of_n(scores, labels)[-1] == chance

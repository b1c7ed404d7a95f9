import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.statistics.classification import chance_pair_scores, pair_scores

SCORE = st.floats(0, 1)
EXAMPLES = st.lists(
    st.tuples(st.tuples(SCORE, SCORE), st.tuples(SCORE, SCORE)), min_size=1, max_size=8
)


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        ([[0.9, 0.2], [0.3, 0.8]], [1, 1, 1]),
        ([[0.9, 0.8], [0.3, 0.4]], [0, 1, 0]),
        ([[0.9, 0.3], [0.8, 0.4]], [1, 0, 0]),
        ([[0.2, 0.9], [0.8, 0.3]], [0, 0, 0]),
        ([[0.5, 0.5], [0.5, 0.5]], [0, 0, 0]),
        ([[0.9, float("nan")], [0.3, 0.8]], [0, 0, 0]),
    ],
)
def test_an_example_scores(example: list[list[float]], expected: list[int]) -> None:
    """Rows are captions, columns images; a tie and a missing score are wrong."""
    assert pair_scores([example]).tolist() == [expected]


@given(EXAMPLES)
def test_captions_and_images_are_interchangeable(examples: list[object]) -> None:
    scores = pair_scores(examples)
    turned = pair_scores(np.swapaxes(np.asarray(examples, dtype=float), 1, 2))
    assert turned.tolist() == scores[:, [1, 0, 2]].tolist()


def test_scores_that_know_nothing_reach_what_winoground_gives_for_chance() -> None:
    """25, 25 and 16.67 percent; drawn at random, the same within five standard errors."""
    assert chance_pair_scores() == {"text": 0.25, "image": 0.25, "group": 1 / 6}
    drawn = pair_scores(np.random.default_rng(7).random((40_000, 2, 2))).mean(axis=0)
    assert drawn == pytest.approx([0.25, 0.25, 1 / 6], abs=0.0095)

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.set_metrics.relevance import (
    cosine_similarity,
    diversity,
    relevance_to_targets,
)


def test_an_image_equal_to_one_target_is_fully_relevant() -> None:
    targets = [[3.0, 4.0], [1.0, 0.0]]
    assert relevance_to_targets([[6.0, 8.0]], targets) == pytest.approx([1.0])


def test_an_image_opposed_to_the_target_is_as_irrelevant_as_an_unrelated_one() -> None:
    assert relevance_to_targets([[-1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0]]).tolist() == [0, 0]


@given(seed=st.integers(0, 2**32 - 1))
def test_cosines_do_not_depend_on_length(seed: int) -> None:
    generator = np.random.default_rng(seed)
    first, second = generator.normal(size=(3, 5)), generator.normal(size=(4, 5))
    np.testing.assert_allclose(
        cosine_similarity(first, second), cosine_similarity(9 * first, second / 7), atol=1e-12
    )


def test_twins_have_no_diversity_and_right_angles_have_one() -> None:
    assert diversity(cosine_similarity([[1, 2], [2, 4]], [[1, 2], [2, 4]])) == pytest.approx(0)
    assert diversity(np.eye(5)) == 1


def test_one_picture_has_no_diversity_to_speak_of() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        diversity([[1.0]])

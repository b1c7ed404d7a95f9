from __future__ import annotations

import numpy as np
import pytest

from alignment.set_metrics.relevance import (
    diversity,
    relevance_to_targets,
)


def test_an_image_equal_to_one_target_is_fully_relevant() -> None:
    targets = [[0.6, 0.8], [1.0, 0.0]]
    assert relevance_to_targets([[0.6, 0.8]], targets) == pytest.approx([1.0])


def test_an_image_opposed_to_the_target_is_as_irrelevant_as_an_unrelated_one() -> None:
    assert relevance_to_targets([[-1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0]]).tolist() == [0, 0]


def test_twins_have_no_diversity_and_right_angles_have_one() -> None:
    assert diversity(np.ones((2, 2))) == 0
    assert diversity(np.eye(5)) == 1


def test_one_picture_has_no_diversity_to_speak_of() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        diversity([[1.0]])

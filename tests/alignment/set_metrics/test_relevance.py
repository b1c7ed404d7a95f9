import pytest

from alignment.set_metrics.relevance import diversity


def test_one_image_has_no_diversity_to_speak_of() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        diversity([[1.0]])

"""The embedded text-to-image model as it is shipped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from generation import MODELS, GridRequest, load_pipeline, sample, truncated_words

STICKERS = MODELS["stickers"]

pytestmark = pytest.mark.skipif(
    not (STICKERS.source / "model_index.json").is_file(),
    reason=f"no checkpoint in {STICKERS.source}; `python -m {STICKERS.recipe}` makes it",
)


@pytest.fixture(scope="module")
def pipeline() -> Any:
    return load_pipeline(STICKERS, "cpu")


def test_the_icons_are_drawn_by_a_model_of_their_own():
    spec = MODELS["icons"]
    request = GridRequest("a bus on the grass", 1, 1, 7, "icons")
    *_, last = sample(request, load_pipeline(spec, "cpu"), spec)
    (cell,) = last.cells
    assert cell.image.size == (spec.size, spec.size)
    assert np.asarray(cell.image)[-10:, :10, 1].mean() > 120  # green


def generate(pipeline: Any, seed: int, columns: int) -> list[np.ndarray]:
    request = GridRequest("a black apple and a green backpack", 1, columns, seed)
    *_, last = sample(request, pipeline, STICKERS)
    return [np.asarray(cell.image, dtype=float) for cell in last.cells]


def test_pictures_are_square_coloured_and_not_blank(pipeline: Any):
    first, second = generate(pipeline, seed=7, columns=2)
    assert first.shape == second.shape == (STICKERS.size, STICKERS.size, 3)
    assert first.std() > 10
    assert np.abs(first - second).mean() > 1


def test_a_cell_made_again_alone_shows_the_same_picture(pipeline: Any):
    """Rounding differs with the batch; by eye the images are one."""
    together = generate(pipeline, seed=7, columns=2)[1]
    alone = generate(pipeline, seed=8, columns=1)[0]
    assert np.abs(together - alone).mean() < 1


def test_a_usual_prompt_is_read_to_the_end_and_a_very_long_one_is_not(pipeline: Any):
    assert truncated_words("a black apple and a green backpack on the grass", pipeline) == ()
    assert truncated_words("a red apple " * 80, pipeline)[-3:] == ("a", "red", "apple")

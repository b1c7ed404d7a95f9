"""The embedded text-to-image models as they are shipped."""

import numpy as np

from generation import MODELS, GridRequest, load_pipeline
from tests.generation.conftest import generate, pixels


def test_icons_are_drawn_where_no_model_is_named():
    spec = MODELS["icons"]
    request = GridRequest("a bus on the grass", 1, 1, 7)
    (image,) = pixels(generate(request, load_pipeline(spec, "cpu"), spec))
    assert image.shape == (spec.size, spec.size, 3)
    assert image[-10:, :10, 1].mean() > 120  # green


def test_images_are_square_coloured_and_not_blank():
    spec = MODELS["stickers"]
    request = GridRequest("a black apple and a green backpack", 1, 2, 7, "stickers")
    first, second = pixels(generate(request, load_pipeline(spec, "cpu"), spec))
    assert first.shape == second.shape == (spec.size, spec.size, 3)
    assert first.std() > 10
    assert np.abs(first - second).mean() > 1

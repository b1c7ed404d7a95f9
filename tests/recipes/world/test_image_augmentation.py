"""Images that are shown moved by some pixels."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from recipes.world.image_augmentation import REACH, shift


@given(st.integers(0, 99))
def test_each_image_moves_whole_and_in_its_own_direction(seed: int) -> None:
    pixels = torch.zeros(8, 3, 32, 32)
    pixels[:, :, 16, 16] = 1
    moved = shift(np.random.default_rng(seed), pixels)
    assert moved.shape == pixels.shape
    places = moved[:, 0].nonzero()[:, 1:] - 16
    assert len(places) == 8
    assert places.abs().max() <= REACH
    assert len({tuple(place.tolist()) for place in places}) > 1


def test_an_edge_goes_on_where_nothing_is_known() -> None:
    pixels = torch.rand(1, 3, 1, 1).expand(4, 3, 32, 32)
    assert shift(np.random.default_rng(0), pixels).equal(pixels)

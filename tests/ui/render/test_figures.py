"""The map of visual saliency, and what is said of contributions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from alignment.records import Arrangement
from session.attention import DIMMEST, overlay
from session.state import GridState
from tests.ui.reading import read
from ui.render.figures import largest_contribution, saliency

SHOWN = Arrangement((2, 0, 1, 3), (0.4, 0.3, 0.2, 0.1))
Parts = tuple[float | None, ...]


@given(st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_more_attention_is_never_darker(densities: list[float]):
    lit = overlay(Image.new("RGB", (3, 2), "white"), np.reshape(densities, (2, 3)))
    light = np.asarray(lit)[:, :, 0].ravel()
    by_density = light[np.argsort(densities, kind="stable")]
    assert np.all(np.diff(by_density.astype(int)) >= 0)
    assert light.min() >= int(255 * DIMMEST)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ((0.95, 0.05, 0.0, 0.0), "#1 (seed 9) contributes 95 % of ERR."),
        ((0.05, 0.35, 0.6, None), "#3 (seed 8) contributes 60 % of ERR. 2 images together"),
        ((0.0, None, 0.0, 0.0), "No image contributes to ERR here."),
        ((0.002, 0.001, 0.0, 0.0), "No image contributes to ERR here."),
    ],
)
def test_the_largest_contribution_is_named(state: GridState, parts: Parts, says: str):
    assert largest_contribution(state, SHOWN, parts).startswith(says)


def test_each_place_shows_its_attention_over_the_lit_grid(state: GridState):
    lit = saliency(state, SHOWN, (0.6, 0.3, 0.1, 0.0), "lit.jpeg")
    attention = read(lit).one("span", "attention").all("b")
    assert [each.text for each in attention] == ["40%", "30%", "20%", "10%"]
    assert attention[0]["title"] == "seed 9 draws 0.400000 and contributes 0.600000"

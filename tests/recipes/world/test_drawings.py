"""Drawings of the icon world: every class can be drawn, in every colour, and told apart."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as PillowImage

from recipes.world.classes import CLASSES
from recipes.world.domains import ICONS
from recipes.world.drawings import OWN, rasterise, render, svg
from recipes.world.palette import TARGETS, oklab, recolour, rgb_of, srgb
from recipes.world.scenes import Box, Group, Scene
from recipes.world.worlds import ICON_WORLD
from tests.recipes.art import needs_art

COLOURS = sorted(TARGETS)


@given(st.tuples(*[st.floats(0, 1)] * 3))
def test_oklab_and_back_is_the_same_colour(rgb: tuple[float, float, float]) -> None:
    assert srgb(oklab(np.array(rgb))) == pytest.approx(np.array(rgb), abs=1e-4)


def test_oklab_of_white_and_of_the_published_example() -> None:
    """White has lightness 1 and no chroma (Ottosson, 2020)."""
    assert oklab(np.ones(3)) == pytest.approx([1, 0, 0], abs=1e-4)


@pytest.mark.parametrize("colour", COLOURS)
def test_a_recoloured_disc_is_nearest_to_its_new_colour(colour: str) -> None:
    disc = PillowImage.new("RGBA", (32, 32), "#e0262b")
    mean = np.asarray(recolour(disc, colour))[16, 16, :3] / 255
    distances = {
        name: np.linalg.norm(oklab(mean) - oklab(rgb_of(TARGETS[name]))) for name in COLOURS
    }
    assert min(distances, key=lambda name: distances[name]) == colour


def test_our_own_drawings_can_be_rasterised() -> None:
    pytest.importorskip("resvg_py", reason="pip install -r recipes/requirements.txt")
    for source in OWN.values():
        assert np.asarray(rasterise(source, 32))[..., 3].max() == 255


@needs_art
def test_every_drawing_fills_a_part_of_its_box() -> None:
    for thing in CLASSES:
        for drawing in (d for several in thing.drawings.values() for d in several):
            source = svg(drawing).replace("currentColor", "#000000")
            opaque = np.asarray(rasterise(source, 32))[..., 3].mean() / 255
            assert 0.05 < opaque < 0.95, thing.name


@needs_art
@pytest.mark.parametrize(
    "name", ["dog", "zebra", "banana", "toaster", "tv remote", "traffic light"]
)
def test_a_drawing_looks_different_in_every_colour(name: str) -> None:
    drawing = next(iter(ICON_WORLD.thing(name).drawings.values()))[0]
    drawn = [np.asarray(render(drawing, colour)[32]).astype(int) for colour in COLOURS]
    for i, one in enumerate(drawn):
        assert all(np.abs(one - other).mean() > 2 for other in drawn[i + 1 :])


@needs_art
def test_a_candle_that_is_not_lit_has_no_flame() -> None:
    lit, unlit = (ICON_WORLD.thing("candle").drawings[state][0] for state in ("lit", "unlit"))
    top = np.s_[:10, :, 3]
    assert np.asarray(render(lit, "")[32])[top].max() > 200
    assert (
        np.asarray(render(unlit, "")[32])[top].mean() < np.asarray(render(lit, "")[32])[top].mean()
    )


@needs_art
def test_a_thing_without_colours_covers_what_it_covers_in_any_other() -> None:
    apple = Group("apple", "blue")
    scene = Scene((apple,), ((Box(0, 0, 64),),), "plain")
    faded = replace(scene, groups=(replace(apple, colour=""),))
    assert (ICONS.patch_map(scene) == ICONS.patch_map(faded)).all()
    assert (ICONS.patch_map(faded) == 0).any()

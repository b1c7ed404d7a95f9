"""Several of a kind, one in another colour: what captions say of them is true or false."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recipes.vlm.odd_one_out import odd_examples, odd_scene
from recipes.world.scenes import Box, Group, Scene
from recipes.world.worlds import PRACTICE_WORLD

SEEDS = st.integers(0, 2**32 - 1)
CORNERS = Box(0, 0, 48), Box(64, 0, 48), Box(0, 64, 48)
BLACK = Scene((Group("cat", "black", count=3),), (CORNERS,), "plain")
ONE_BLACK = Scene(
    (Group("cat", "red", count=2), Group("cat", "black")), (CORNERS[:2], CORNERS[2:]), "plain"
)


def said(scene: Scene) -> dict[str, str]:
    rng = np.random.default_rng(0)
    asked = odd_examples(rng, scene, PRACTICE_WORLD, 3000)
    return {each.prompt.split(": ")[1].rstrip("?"): each.answer for each in asked}


def test_of_three_black_cats_not_one_is_the_black_one() -> None:
    told = said(BLACK)
    assert told["three cats, one of them black"] == "no"
    assert told["three black cats"] == "yes"


def test_one_black_cat_of_three_is_the_black_one() -> None:
    told = said(ONE_BLACK)
    assert told["three cats, one of them black"] == "yes"
    assert told["three cats, one of them red"] == "no"
    assert told["two cats, one of them black"] == "no"
    assert told["three black cats"] == "no"


@given(SEEDS)
def test_the_odd_one_has_a_place_and_a_colour_of_its_own(seed: int) -> None:
    scene = odd_scene(np.random.default_rng(seed), PRACTICE_WORLD)
    assert 2 <= sum(group.count for group in scene.groups) <= 4
    assert len({group.colour for group in scene.groups}) == len(scene.groups) <= 2
    places = [(box.x, box.y) for boxes in scene.boxes for box in boxes]
    assert len({*places}) == sum(group.count for group in scene.groups)

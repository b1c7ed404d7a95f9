"""Where groups of things are from one another: what is asked of it has true answers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recipes.vlm.sides import side_examples
from recipes.world.domains import WHOLE_STICKERS_AMONG_ICONS
from recipes.world.scenes import Box, Group, Scene, sample_sides
from recipes.world.worlds import PRACTICE_WORLD

HOUSE, TREES = Group("house"), Group("tree", count=2)
CORNER, BESIDE, BELOW, OPPOSITE = (Box(x, y, 48) for y in (0, 64) for x in (0, 64))


def said(*boxes: Box) -> dict[str, str]:
    """What is asked of a house and two trees, and the answers."""
    scene = Scene((HOUSE, TREES), (boxes[:1], boxes[1:]), "plain")
    asked = side_examples(
        np.random.default_rng(0), scene, WHOLE_STICKERS_AMONG_ICONS, "p" * 300 + "e" * 300
    )
    return {each.prompt: each.answer for each in asked}


def answers(told: dict[str, str], *words: str) -> set[str]:
    """Of the questions with all these words."""
    return {answer for prompt, answer in told.items() if all(word in prompt for word in words)}


def test_a_house_is_above_two_trees_where_it_is_above_both() -> None:
    told = said(CORNER, BELOW, OPPOSITE)
    assert answers(told, "where is the house?", "above two trees") == {"yes"}
    assert answers(told, "where are the trees?", "below a house") == {"yes"}
    assert answers(told, "where is the house?", "below two trees") == {"no"}
    assert answers(told, ": a house above two trees?") == {"yes"}


def test_it_is_not_where_it_is_above_only_one() -> None:
    told = said(CORNER, BESIDE, BELOW)
    assert answers(told, "where is the house?", "above two trees") == {"no"}
    assert answers(told, "where is the house?", "left of two trees") == {"no"}
    assert answers(told, ": a house above two trees?") == {"no"}


@given(st.integers(0, 2**32 - 1))
def test_groups_of_one_or_two_stand_apart_from_each_other(seed: int) -> None:
    scene = sample_sides(np.random.default_rng(seed), PRACTICE_WORLD)
    assert {group.count for group in scene.groups} <= {1, 2}
    boxes = [box for group in scene.boxes for box in group]
    assert all(max(abs(a.x - b.x), abs(a.y - b.y)) >= 48 for a in boxes for b in boxes if a != b)


def test_three_of_four_such_scenes_have_a_side_for_each_group() -> None:
    rng = np.random.default_rng(5)
    scenes = [sample_sides(rng, PRACTICE_WORLD) for _ in range(600)]
    assert 0.7 < np.mean([bool(scene.relation_between(0, 1)) for scene in scenes]) < 0.85

"""The canonical layout: order, place, size and state that prompts leave open are always the same.

"A cat and a dog" may stand in any order anywhere, "three frogs" leave any of four corners free, "an
umbrella" may be open or closed. A model that learns from all of them begins several at once and
leaves smears. So training scenes are in reading order: what is named first comes first, and a
fourth corner stays free; and an umbrella of which nothing is said is open. What differs from that
is learned from captions that say so. Of several drawings of one thing, which no caption tells
apart, only the first is shown.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recipes.world.captions import Description
from recipes.world.classes import AIRBORNE
from recipes.world.scenes import Box, Group, Scene
from recipes.world.things import World

HALF = 64
"""Pixels from one corner of the image's four to the next."""
THIRD = 48
"""Pixels from the first of three in a row to the next."""
FLOOR = 112
"""The lower edge of what stands on the ground, in pixels from the top."""
ROWS = (80, 128)
"""The lower edges of two rows on the ground, one behind the other."""
UNSAID = 0.5
"""How many captions leave out what a thing is by itself: large, of its natural colour, in the first
of its states."""
BESIDE = 0.3
"""How many captions that say where the first of two things is say only that it is beside."""


def canonical_layout(scene: Scene) -> Scene:
    """The scene in reading order, on the ground where no word says that one thing is above."""
    scene = replace(scene, groups=tuple(replace(each, drawing=0) for each in scene.groups))
    counts = [group.count for group in scene.groups]
    if scene.touching or not counts:
        return scene
    boxes = [box for group in scene.boxes for box in group]
    if scene.sided and scene.where:
        sides = tuple(_in_the_middle(scene.where, each) for each in scene.boxes)
        return replace(scene, boxes=sides)
    if sum(counts) > 4:
        boxes = [_cell(index, box) for index, box in enumerate(boxes)]
    elif sum(counts) > 2:
        boxes = [_corner(index, box) for index, box in enumerate(boxes)]
    elif counts == [2]:
        boxes = _at_rest(scene, _side_by_side(*boxes))
    elif len(counts) == 1 or scene.where in ("left", "right"):
        boxes = _at_rest(scene, boxes)
    elif _unsayable(scene):
        return replace(scene, groups=scene.groups[::-1], boxes=scene.boxes[::-1])
    ends = np.cumsum(counts)
    parts = (tuple(boxes[end - n : end]) for n, end in zip(counts, ends, strict=True))
    return replace(scene, boxes=tuple(parts))


def on_the_ground(scene: Scene) -> Scene:
    """The scene with both rows of three or more things on the ground, where there is one.

    What flies in the upper row stays in the sky, and so does what is above other things.
    """
    several = sum(group.count for group in scene.groups) > 2
    if not several or scene.background == "plain" or scene.where in ("above", "below"):
        return scene
    boxes = tuple(
        tuple(_standing(box, group.name in AIRBORNE) for box in each)
        for group, each in zip(scene.groups, scene.boxes, strict=True)
    )
    return replace(scene, boxes=boxes)


def text_to_image_layout(scene: Scene) -> Scene:
    """The scene as the text-to-image model of icons learns to lay it out."""
    return on_the_ground(canonical_layout(scene))


def _standing(box: Box, flies: bool) -> Box:
    row = box.y // HALF
    return box if flies and row == 0 else replace(box, y=ROWS[row] - box.size)


def _at_rest(scene: Scene, boxes: list[Box]) -> list[Box]:
    """The boxes on the ground, or in the sky where all things fly.

    Where only some do, each stays where it is.
    """
    flying = [group.name in AIRBORNE for group in scene.groups]
    if any(flying) != all(flying):
        return boxes
    return [replace(box, y=0 if all(flying) else FLOOR - box.size) for box in boxes]


def _corner(index: int, box: Box) -> Box:
    down, right = divmod(index, 2)
    return Box(HALF * right + box.x % HALF, HALF * down + box.y % HALF, box.size)


def _cell(index: int, box: Box) -> Box:
    """Of five or six, one of two rows of three."""
    down, right = divmod(index, 3)
    return Box(THIRD * right, HALF * down + box.size // 2, box.size)


def _in_the_middle(where: str, boxes: tuple[Box, ...]) -> tuple[Box, ...]:
    """What is alone on its side of a line stands in the middle of it, several all along."""
    if len(boxes) > 1:
        return boxes
    (box,) = boxes
    middle = HALF // 2
    if where in ("left", "right"):
        return (replace(box, y=middle + box.y % middle),)
    return (replace(box, x=middle + box.x % middle),)


def _side_by_side(one: Box, other: Box) -> list[Box]:
    """Two boxes from left to right; those above one another are turned by a quarter."""
    if abs(one.y - other.y) > abs(one.x - other.x):
        one, other = Box(one.y, one.x, one.size), Box(other.y, other.x, other.size)
    return sorted((one, other), key=lambda box: box.x)


def _unsayable(scene: Scene) -> bool:
    """Whether no word says how two things stand, and the first is on the right."""
    (one,), (other,) = scene.boxes
    return one.x > other.x and scene.where is None


def canonical_claim(
    rng: np.random.Generator, scene: Scene, claim: Description, world: World
) -> Description:
    """The claim with all words that tell a scene from the canonical one.

    Small things are called so, and what is closed, unlit or wilted too; a background that is not
    plain is always named. Where two things stand is said if a word fits, unless the first is on
    the left: then it goes unsaid more often than not.
    """
    groups = tuple(
        replace(
            said,
            size="small" if drawn.size == "small" else _seldom(rng, said.size),
            colour=_seldom(rng, said.colour) if natural else said.colour,
            state=_state(rng, drawn, world),
        )
        for drawn, said in zip(scene.groups, claim.groups, strict=True)
        for natural in [_is_natural(scene, drawn, world)]
    )
    background = "" if scene.background == "plain" else scene.background
    return Description(groups, _relation(rng, scene), background)


def _seldom(rng: np.random.Generator, said: str) -> str:
    """What is said of something usual: half as often as of other things."""
    return "" if said and rng.random() < UNSAID else said


def _is_natural(scene: Scene, drawn: Group, world: World) -> bool:
    """Whether a group has the colour that it has by itself, and none is there to tell it from."""
    alone = [group.name for group in scene.groups].count(drawn.name) == 1
    return alone and drawn.colour == world.thing(drawn.name).natural


def _state(rng: np.random.Generator, drawn: Group, world: World) -> str:
    states = world.thing(drawn.name).states
    usual = bool(states) and drawn.state == states[0]
    return _seldom(rng, drawn.state) if usual else drawn.state


def _relation(rng: np.random.Generator, scene: Scene) -> str:
    if scene.touching:
        return "wearing" if scene.touching == "worn" else scene.touching
    if scene.where != "left":
        return scene.where or ""
    if not scene.sided and rng.random() >= 0.35:
        return ""
    return "beside" if rng.random() < BESIDE else "left"

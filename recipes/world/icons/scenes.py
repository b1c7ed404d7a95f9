"""The icon world and its scenes: any class in any colour, also two of one class that differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from recipes.world.icons.classes import CLASSES, IconClass
from recipes.world.icons.palette import TARGETS
from recipes.world.icons.splits import Split, compositions, split_of_all
from recipes.world.scenes import Group, Scene, crowded_boxes, place_boxes
from recipes.world.things import BACKGROUNDS, RELATIONS, SIZES, World

ICON_BACKGROUNDS: Mapping[str, tuple[str, ...]] = {
    **BACKGROUNDS,
    "room": ("in a room", "indoors"),
    "street": ("on the street", "on the road"),
    "water": ("in the water", "on the water"),
}

ICON_RELATIONS: Mapping[str, tuple[str, ...]] = {
    **RELATIONS,
    "beside": ("next to", "beside", "next to", "by"),
}
"""Beside is to the left or to the right."""

ICON_WORLD = World(
    CLASSES, tuple(TARGETS), ICON_BACKGROUNDS, tuple(SIZES), relations=ICON_RELATIONS
)

NATURAL_SHARE = 0.3
"""How many groups have the colour that their class has when nobody asks for one."""
TWIN_SHARE = 0.07
"""How many pictures of two single things show one class twice, in different looks."""

_SHAPES = ((1,), (1, 1), (2,), (3,), (4,), (1, 2), (2, 1), (1, 1, 1), (2, 2), (1, 3), (3, 1))
_CHANCES = np.array([24, 38, 8, 8, 8, 3, 3, 4, 2, 1, 1]) / 100


def sample_icon_scene(
    rng: np.random.Generator, split: Split | None = "train", world: World = ICON_WORLD
) -> Scene:
    """Draw a scene.

    Args:
        split: of which the scene is; None for any.
    """
    while True:
        groups = _sample_groups(rng, world)
        background = str(rng.choice(list(world.backgrounds)))
        scene = Scene(groups, place_boxes(rng, groups), background)
        if split is None or split_of_all(compositions(scene)) == split:
            return scene


def _sample_groups(rng: np.random.Generator, world: World) -> tuple[Group, ...]:
    counts = _SHAPES[rng.choice(len(_SHAPES), p=_CHANCES)]
    sizes = world.sizes if sum(counts) <= 2 else ()
    if counts == (1, 1) and rng.random() < TWIN_SHARE:
        return _twins(rng, world, sizes)
    chosen = rng.choice(len(CLASSES), len(counts), replace=False)
    return tuple(
        dress(rng, world, CLASSES[i], count, sizes) for i, count in zip(chosen, counts, strict=True)
    )


def _twins(rng: np.random.Generator, world: World, sizes: tuple[str, ...]) -> tuple[Group, ...]:
    """One class twice, in two colours."""
    thing = CLASSES[int(rng.integers(len(CLASSES)))]
    first, second = (dress(rng, world, thing, 1, sizes) for _ in range(2))
    colours = rng.choice(world.colours, 2, replace=False)
    return replace(first, colour=str(colours[0])), replace(second, colour=str(colours[1]))


def dress(
    rng: np.random.Generator, world: World, thing: IconClass, count: int, sizes: tuple[str, ...]
) -> Group:
    """A group of a class in looks drawn at random."""
    natural = rng.random() < NATURAL_SHARE
    colour = thing.natural if natural else str(rng.choice(world.colours))
    state = str(rng.choice(list(thing.drawings)))
    size = str(rng.choice(sizes, p=(0.7, 0.3))) if sizes else ""
    drawing = int(rng.integers(len(thing.drawings[state])))
    return Group(thing.name, colour, state, count, size, drawing)


def sample_crowded_icons(rng: np.random.Generator) -> Scene:
    """Four different things in colours that training may show."""
    while True:
        chosen = rng.choice(len(CLASSES), 4, replace=False)
        groups = tuple(dress(rng, ICON_WORLD, CLASSES[i], 1, ()) for i in chosen)
        background = str(rng.choice(list(ICON_WORLD.backgrounds)))
        scene = Scene(groups, crowded_boxes(rng), background)
        if split_of_all(c for c in compositions(scene) if c[0] == "colour") == "train":
            return scene

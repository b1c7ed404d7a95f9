"""A random generator becomes a scene: what is where, exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from recipes.world.splits import Composition, is_held_out
from recipes.world.things import SIZES, WORLD, Thing, World

SIZE = 128
"""Pixels along a side of a picture."""
LATTICE = 16
"""Every sticker's corner is a multiple of this, so that it always meets the latents alike."""


@dataclass(frozen=True)
class Box:
    """The square a sticker fills, in pixels from the top left."""

    x: int
    y: int
    size: int


@dataclass(frozen=True)
class Group:
    """One or more stickers of the same looks."""

    name: str
    colour: str = ""
    state: str = ""
    count: int = 1
    size: str = ""
    """One of `things.SIZES`, or "" where it is nothing special."""


@dataclass(frozen=True)
class Scene:
    """A picture's ground truth."""

    groups: tuple[Group, ...]
    boxes: tuple[tuple[Box, ...], ...]
    """For each group, the box of each of its stickers."""
    background: str

    def group(self, name: str) -> Group | None:
        """The group of that thing, if it is there; no thing appears in two groups."""
        return next((group for group in self.groups if group.name == name), None)

    @property
    def where(self) -> str | None:
        """Where the first of two things is from the second, if that is plain to see."""
        return self.relation(*(g.name for g in self.groups)) if len(self.groups) == 2 else None

    def relation(self, first: str, second: str) -> str | None:
        """Where the only `first` is from the only `second`, if that is plain to see."""
        names = [group.name for group in self.groups]
        one, other = (self.boxes[names.index(name)] for name in (first, second))
        if len(one) != 1 or len(other) != 1:
            return None
        return _relation(one[0], other[0])


def _relation(one: Box, other: Box) -> str | None:
    right = one.x + one.size / 2 - other.x - other.size / 2
    down = one.y + one.size / 2 - other.y - other.size / 2
    if abs(right) > 2 * abs(down):
        return "right" if right > 0 else "left"
    if abs(down) > 2 * abs(right):
        return "below" if down > 0 else "above"
    return None


def sample_scene(
    rng: np.random.Generator, world: World = WORLD, held_out: bool | None = False
) -> Scene:
    """Draw a scene.

    Args:
        held_out: False for a training scene (none of its compositions is held out), True for a
            test scene (at least one is), None for either.
    """
    while True:
        groups = _sample_groups(rng, world)
        boxes = _place(rng, groups)
        scene = Scene(groups, boxes, str(rng.choice(list(world.backgrounds))))
        if held_out is None or held_out == any(map(is_held_out, compositions(scene))):
            return scene


def compositions(scene: Scene) -> tuple[Composition, ...]:
    """What a test may hold out of training: colours and counts of things, pairs in relation."""
    found: list[Composition] = [("colour", g.name, g.colour) for g in scene.groups if g.colour]
    found += [("count", g.name, str(g.count)) for g in scene.groups if g.count > 1]
    if scene.where:
        first, second = (group.name for group in scene.groups)
        found.append((scene.where, first, second))
    return tuple(found)


_SHAPES = ((1,), (1, 1), (2,), (3,), (4,), (1, 2), (2, 1), (1, 1, 1), (2, 2), (1, 3), (3, 1))
_SHAPE_CHANCES = np.array([24, 38, 7, 7, 6, 4, 4, 4, 2, 2, 2]) / 100


def _sample_groups(rng: np.random.Generator, world: World) -> tuple[Group, ...]:
    counts = _SHAPES[rng.choice(len(_SHAPES), p=_SHAPE_CHANCES)]
    things = [world.things[i] for i in rng.choice(len(world.things), len(counts), replace=False)]
    sizes = world.sizes if sum(counts) <= 2 else ()
    return tuple(
        _dress(rng, world, thing, n, sizes) for thing, n in zip(things, counts, strict=True)
    )


def _dress(
    rng: np.random.Generator, world: World, thing: Thing, count: int, sizes: tuple[str, ...]
) -> Group:
    colour = str(rng.choice(world.colours)) if thing.hue is not None else ""
    state = str(rng.choice(thing.states)) if thing.states else ""
    size = str(rng.choice(sizes, p=(0.7, 0.3))) if sizes else ""
    return Group(thing.name, colour, state, count, size)


def _place(rng: np.random.Generator, groups: tuple[Group, ...]) -> tuple[tuple[Box, ...], ...]:
    counts = [group.count for group in groups]
    boxes = (_one, _two, _several, _several)[sum(counts) - 1](rng, sum(counts))
    ends = np.cumsum(counts)
    return tuple(
        tuple(_shrink(rng, box, group.size) for box in boxes[end - group.count : end])
        for group, end in zip(groups, ends, strict=True)
    )


def _shrink(rng: np.random.Generator, box: Box, size: str) -> Box:
    """The box of that size inside the box that there is room for."""
    pixels = SIZES.get(size, box.size)
    if pixels == box.size:
        return box
    right, down = rng.choice((0, 16, 32), 2)
    return Box(box.x + int(right), box.y + int(down), pixels)


def _one(rng: np.random.Generator, total: int) -> list[Box]:
    x, y = rng.choice((16, 32, 48), 2)
    return [Box(int(x), int(y), 64)]


def _two(rng: np.random.Generator, total: int) -> list[Box]:
    across = int(rng.choice((16, 32, 48)))
    along = int(np.clip(across + rng.choice((-16, 0, 0, 16)), 16, 48))
    pairs = [(0, across), (64, along)]
    if rng.random() < 0.5:
        pairs = [(y, x) for x, y in pairs]
    return [Box(pairs[i][0], pairs[i][1], 64) for i in rng.permutation(2)]


def _several(rng: np.random.Generator, total: int) -> list[Box]:
    corners = rng.permutation([(0, 0), (64, 0), (0, 64), (64, 64)])[:total]
    shifts = rng.choice((0, 16), (total, 2))
    return [Box(int(x), int(y), 48) for x, y in corners + shifts]

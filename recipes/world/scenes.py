"""Scenes: what is where in an image, exactly, and how they are sampled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.stickers.geometry import LATTICE, SIZE, Box, relation
from recipes.world.splits import Composition, Split, hardest
from recipes.world.things import SIZES, Thing, World
from recipes.world.worlds import WORLD

__all__ = ["LATTICE", "SIZE", "Box", "Group", "Scene", "sample_scene"]


@dataclass(frozen=True)
class Group:
    """One or more stickers of the same looks."""

    name: str
    colour: str = ""
    state: str = ""
    count: int = 1
    size: str = ""
    """One of `things.SIZES`, or "" where it is nothing special."""
    drawing: int = 0
    """Which of the class's drawings, in the icon world."""


@dataclass(frozen=True)
class Scene:
    """An image's ground truth."""

    groups: tuple[Group, ...]
    boxes: tuple[tuple[Box, ...], ...]
    """For each group, the box of each of its stickers."""
    background: str
    sided: bool = False
    """Whether two groups of things are placed on either side of a line, for a caption to say so."""
    touching: str = ""
    """How the upper of two groups touches the lower: "on" it or "worn" by it, drawn in front of it,
    or "in" it, drawn behind it; "" where none does."""

    def group(self, name: str) -> Group | None:
        """The first group of that thing, if it is there; twins are two groups."""
        return next((group for group in self.groups if group.name == name), None)

    @property
    def where(self) -> str | None:
        """Where the first of two is from the second, if that is plain to see.

        Of more than two things in all it is asked only where they are placed so.
        """
        single = [group.count for group in self.groups] == [1, 1]
        return self.relation_between(0, 1) if single or self.sided or self.touching else None

    @property
    def upper(self) -> int:
        """Which of two groups that touch is the upper one."""
        return int(self.touching == "worn" and not self.hangs)

    @property
    def layers(self) -> tuple[int, ...]:
        """Its groups by index, from the back to the front."""
        if not self.touching:
            return tuple(range(len(self.groups)))
        order = (1 - self.upper, self.upper)
        return order[::-1] if self.touching == "in" or self.hangs else order

    @property
    def hangs(self) -> bool:
        """Whether what is worn is below the head of its wearer, and drawn in front of it."""
        return self.touching == "worn" and self.groups[1].name in HANGING

    @property
    def compositions(self) -> tuple[Composition, ...]:
        """What of it a test may hold out of training."""
        return compositions(self.groups, self.where)

    def relation(self, first: str, second: str) -> str | None:
        """Where all that is called `first` is from all of `second`, if that is plain to see."""
        names = [group.name for group in self.groups]
        return self.relation_between(names.index(first), names.index(second))

    def relation_between(self, first: int, second: int) -> str | None:
        """Where one group is from another, by their indices."""
        if self.touching:
            return "above" if first == self.upper else "below"
        return relation(self.boxes[first], self.boxes[second]) or None


def sample_scene(
    rng: np.random.Generator, world: World = WORLD, split: Split | None = "train"
) -> Scene:
    """Draw a scene of a split, or any where that is None."""
    while True:
        groups = _sample_groups(rng, world)
        scene = _placed(rng, world, groups, place_boxes(rng, groups))
        if split is None or hardest(map(world.split_of, scene.compositions)) == split:
            return scene


def compositions(groups: Sequence[Group], relation: str | None) -> tuple[Composition, ...]:
    """What a test may hold out of training: colours, counts, pairs of things, and their places.

    Args:
        groups: of a scene, or of what is said of one.
        relation: where the first group is from the second.
    """
    found: list[Composition] = [("colour", g.name, g.colour) for g in groups if g.colour]
    found += [("count", g.name, str(g.count)) for g in groups if g.count > 1]
    names = [group.name for group in groups]
    found += [("pair", one, other) for i, one in enumerate(names) for other in names[i + 1 :]]
    if relation:
        found.append((relation, names[0], names[1]))
    return tuple(found)


_SHAPES = ((1,), (1, 1), (2,), (3,), (4,), (1, 2), (2, 1), (1, 1, 1), (2, 2), (1, 3), (3, 1))
_SHAPE_CHANCES = np.array([24, 38, 7, 7, 6, 4, 4, 4, 2, 2, 2]) / 100
_FOUR_THINGS = ((1, 1, 2), (1, 2, 1), (2, 1, 1), (1, 1, 1, 1))
_SEVERAL = (*_FOUR_THINGS, (1, 1, 1), (1, 2), (2, 1), (1, 3), (3, 1))
_SIDES = ((1, 2), (2, 1), (1, 2), (2, 1), (2, 2))
_MANY = ((5,), (6,), (5,), (6,), (4, 1), (1, 4), (5, 1), (1, 5), (3, 2), (2, 3), (3, 3))
_SEVERAL_OF_TWO = ((2, 2), (3, 2), (2, 3), (3, 3), (4, 2), (2, 4))
SIDED = 0.25
"""How many scenes of `sample_sides` are placed on either side of a line; of the others two in three
happen to be."""
ALIKE = 0.3
"""How many scenes of several kinds have one colour, so that a number is not of a colour but of a
thing."""
SMALL_AMONG = 0.2
"""How many kinds among several are small, so that small things are not always five or six."""


Touch = Callable[[Group, int, Group, int], int]
"""One group and the side of its box, and the same of another below it -> how many pixels
the boxes overlap where what is drawn in them touches."""
DEPTH = 0.2
"""How much lower a thing is in another than on it, as a share of its side."""
WORN = ("cap", "crown")
CONTAINERS = ("bowl", "cup", "bucket", "vase", "boat", "sink", "handbag", "backpack")
HANGING = ("tie", "dress", "shirt")
"""What is worn below the head."""
HIDDEN = 0.5
"""How much of its wearer it hides, as a share of the side."""


@dataclass(frozen=True)
class Touching:
    """What touches what in scenes of `sample_touching`."""

    containers: tuple[str, ...] = CONTAINERS
    worn: tuple[str, ...] = WORN
    wearers: tuple[str, ...] = ()
    """Of which categories they are; of any where it names none."""
    several: tuple[str, ...] = ("on",)
    """How those touch of which there may be several."""
    chances: tuple[float, float, float] = (0.6, 0.2, 0.2)
    """Of things on, in and worn by another."""

    def fits(self, wearer: Thing) -> bool:
        """Whether it may wear something."""
        return not self.wearers or wearer.category in self.wearers


HATS_AND_BOWLS = Touching()
"""What generated pairs were read of."""
OFTEN_ASKED = Touching(
    (
        *(*CONTAINERS, *CONTAINERS, "tent", "house", "castle", "oven", "refrigerator", "rocket"),
        *("car", "truck", "bus", "shoe", "suitcase", "wine glass", "toilet"),
    ),
    worn=(*WORN, *HANGING),
    wearers=("animal", "person"),
    several=("on", "in"),
    chances=(0.4, 0.35, 0.25),
)
"""What people type, the usual containers twice."""


def sample_empty(rng: np.random.Generator, world: World) -> Scene:
    """A background, and nothing before it."""
    return Scene(
        (), (), str(rng.choice([name for name, said in world.backgrounds.items() if said]))
    )


def sample_several(rng: np.random.Generator, world: World = WORLD) -> Scene:
    """Three or four things of two to four kinds, some of compositions that are held out."""
    counts = _SEVERAL[rng.integers(len(_SEVERAL))]
    groups = _dressed(rng, world, counts)
    groups = tuple(
        replace(each, size="small") if rng.random() < SMALL_AMONG else each for each in groups
    )
    if rng.random() < ALIKE:
        colour = str(rng.choice(world.colours))
        groups = tuple(replace(each, colour=colour if each.colour else "") for each in groups)
    return _placed(rng, world, groups, place_boxes(rng, groups))


def sample_sides(rng: np.random.Generator, world: World = WORLD, sided: float = SIDED) -> Scene:
    """One or two things and one or two of another, three times of four on either side of a line.

    Else a thing may be above only one of two others.

    Args:
        sided: how many are placed so on purpose.
    """
    counts = _SIDES[rng.integers(len(_SIDES))]
    groups = _dressed(rng, world, counts)
    on_purpose = rng.random() < sided
    boxes = (_sided_boxes if on_purpose else place_boxes)(rng, groups)
    return replace(_placed(rng, world, groups, boxes), sided=on_purpose)


def sample_many(rng: np.random.Generator, world: World = WORLD) -> Scene:
    """Five or six small things of one or two kinds."""
    return _counted(rng, world, _MANY)


def sample_several_of_two(rng: np.random.Generator, world: World) -> Scene:
    """Two to four things of one kind and two to four of another, six at most."""
    return _counted(rng, world, _SEVERAL_OF_TWO)


def _counted(rng: np.random.Generator, world: World, numbers: tuple[tuple[int, ...], ...]) -> Scene:
    counts = numbers[rng.integers(len(numbers))]
    return _placed(rng, world, groups := _dressed(rng, world, counts), place_boxes(rng, groups))


def _sided_boxes(
    rng: np.random.Generator, groups: tuple[Group, ...]
) -> tuple[tuple[Box, ...], ...]:
    """The first group on one side, the second on the other."""
    across = bool(rng.integers(2))
    sides = []
    for side, group in zip(rng.permutation(2), groups, strict=True):
        if group.count == 1:
            along = [int(rng.choice((0, 16, 32, 48, 64, 80)))]
        else:
            along = [int(start + rng.choice((0, 16))) for start in rng.permutation((0, 64))]
        places = [(64 * int(side) + int(rng.choice((0, 16))), place) for place in along]
        sides.append(tuple(Box(*(xy if across else xy[::-1]), 48) for xy in places))
    return tuple(sides)


def sample_touching(
    rng: np.random.Generator, world: World, touch: Touch, among: Touching = HATS_AND_BOWLS
) -> Scene:
    """One to three things on another, one in another, or something worn by its wearer.

    Args:
        touch: how far what is upper sinks into what is lower.
    """
    while True:
        way = str(rng.choice(("on", "in", "worn"), p=among.chances))
        groups = _sample_pair(rng, world, way, among)
        hangs = way == "worn" and groups[0].name in HANGING
        upper, lower = groups[::-1] if hangs else groups
        boxes = _stacked(rng, "hanging" if hangs else way, upper, lower, touch)
        if upper.name != lower.name and boxes[0][0].y >= 0:
            break
    if way == "worn":  # its wearer comes first
        groups, boxes = groups[::-1], boxes if hangs else boxes[::-1]
    return replace(_placed(rng, world, groups, boxes), touching=way)


def _sample_pair(
    rng: np.random.Generator, world: World, way: str, among: Touching
) -> tuple[Group, Group]:
    """What is on, in or worn by another, and that other."""
    count = int(rng.choice((1, 2, 3), p=(0.7, 0.2, 0.1))) if way in among.several else 1
    dressed = _dressed(rng, world, (count, 1))
    while way == "worn" and not among.fits(world.thing(dressed[1].name)):
        dressed = _dressed(rng, world, (count, 1))
    upper, lower = (replace(group, drawing=0) for group in dressed)
    upper = _as(rng, world, upper, among.worn) if way == "worn" else upper
    lower = _as(rng, world, lower, among.containers) if way == "in" else replace(lower, size="")
    return upper, lower


def sample_apart(rng: np.random.Generator, world: World, among: Touching = HATS_AND_BOWLS) -> Scene:
    """One thing, and something that it does not wear or is not in."""
    while True:
        one, other = _dressed(rng, world, (1, 1))
        other = _as(rng, world, other, (*among.worn, *among.containers))
        if one.name != other.name:
            return _placed(rng, world, (one, other), place_boxes(rng, (one, other)))


def _stacked(
    rng: np.random.Generator, way: str, upper: Group, lower: Group, touch: Touch
) -> tuple[tuple[Box, ...], ...]:
    """A group in a row on one thing, which stands on the ground.

    All stand on the lattice, the upper ones as near as they can to where they touch: what is drawn
    elsewhere is hard to learn, and no word tells where.
    """
    side = SIZES.get(upper.size, (64, 48, 32)[upper.count - 1])
    step = max(side - LATTICE, 32)
    width = side + step * (upper.count - 1)
    base = Box(int(rng.choice((16, 32, 48))) if width <= 64 else 32, 48, 64)
    left = base.x + (base.size - width) // 2 // LATTICE * LATTICE
    overlap = touch(upper, side, lower, base.size) + (DEPTH * side if way == "in" else 0)
    overlap = HIDDEN * side if way == "hanging" else overlap
    down = base.y - side + LATTICE * round(overlap / LATTICE)
    row = (Box(left + step * index, down, side) for index in range(upper.count))
    return tuple(row), (base,)


def _as(rng: np.random.Generator, world: World, group: Group, names: tuple[str, ...]) -> Group:
    """A group of one of some things instead."""
    thing = world.thing(str(rng.choice(names)))
    return replace(_dress(rng, world, thing, group.count, sized=False), drawing=0)


def crowded_scene(rng: np.random.Generator, world: World = WORLD) -> Scene:
    """Four different things, so that every part of the image teaches something.

    Training may show their colours; pairs and places in a crowd are not held out.
    """
    while True:
        groups = _dressed(rng, world, (1, 1, 1, 1))
        shown = [("colour", group.name, group.colour) for group in groups if group.colour]
        if hardest(map(world.split_of, shown)) == "train":
            return _placed(rng, world, groups, _crowded_boxes(rng))


def _placed(
    rng: np.random.Generator,
    world: World,
    groups: tuple[Group, ...],
    boxes: tuple[tuple[Box, ...], ...],
) -> Scene:
    return Scene(groups, boxes, str(rng.choice(list(world.backgrounds))))


def _sample_groups(rng: np.random.Generator, world: World) -> tuple[Group, ...]:
    counts = _SHAPES[rng.choice(len(_SHAPES), p=_SHAPE_CHANCES)]
    if world.twin_share and counts == (1, 1) and rng.random() < world.twin_share:
        return _twins(rng, world)
    return _dressed(rng, world, counts)


def _twins(rng: np.random.Generator, world: World) -> tuple[Group, ...]:
    """One class twice, in two colours."""
    thing = world.things[int(rng.integers(len(world.things)))]
    colours = rng.choice(world.colours, 2, replace=False)
    return tuple(
        replace(_dress(rng, world, thing, 1, sized=True), colour=str(colour)) for colour in colours
    )


def _dressed(rng: np.random.Generator, world: World, counts: tuple[int, ...]) -> tuple[Group, ...]:
    things = [world.things[i] for i in rng.choice(len(world.things), len(counts), replace=False)]
    sized = sum(counts) <= 2
    return tuple(
        _dress(rng, world, thing, n, sized) for thing, n in zip(things, counts, strict=True)
    )


def _dress(rng: np.random.Generator, world: World, thing: Thing, count: int, sized: bool) -> Group:
    colour = str(rng.choice(world.colours)) if thing.recolourable else ""
    if world.natural_share and rng.random() < world.natural_share:
        colour = thing.natural
    state = str(rng.choice(thing.states)) if thing.states else ""
    size = str(rng.choice([*SIZES], p=(0.7, 0.3))) if sized else ""
    ways = len(thing.drawings[state])
    return Group(thing.name, colour, state, count, size, int(rng.integers(ways)) if ways > 1 else 0)


def place_boxes(rng: np.random.Generator, groups: tuple[Group, ...]) -> tuple[tuple[Box, ...], ...]:
    """Room for every sticker: for each group, the boxes of its stickers."""
    counts = [group.count for group in groups]
    total = sum(counts)
    boxes = (_one, _two, _several, _several, _many, _many)[total - 1](rng, total)
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
    right, down = rng.choice(range(0, box.size - pixels + 1, 16), 2)
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


def _many(rng: np.random.Generator, total: int) -> list[Box]:
    """Small ones in two rows of three, or in two columns."""
    cells = rng.permutation(6)[:total]
    across = bool(rng.integers(2))
    boxes = []
    for row, column in zip(*np.divmod(cells, 3), strict=True):
        along = int(48 * column + (rng.choice((0, 16)) if column < 2 else 0))
        other = int(64 * row + rng.choice((0, 16, 32)))
        boxes.append(Box(along, other, 32) if across else Box(other, along, 32))
    return boxes


def _crowded_boxes(rng: np.random.Generator) -> tuple[tuple[Box, ...], ...]:
    """Room for four stickers of one size, each in its corner of the image."""
    size = int(rng.choice((64, 64, 48, 32)))
    corners = [(0, 0), (64, 0), (0, 64), (64, 64)]
    shifts = rng.choice((0, 64 - size), (4, 2))
    return tuple(
        (Box(x + int(right), y + int(down), size),)
        for (x, y), (right, down) in zip(corners, shifts, strict=True)
    )

"""Several things of a kind, one of them in another colour: images of that, and what is said."""

from __future__ import annotations

import numpy as np

from recipes.vlm.examples import TEMPLATES, VqaExample
from recipes.world.scenes import Group, Scene, place_boxes
from recipes.world.things import NUMBERS, World

ODD = 0.6
"""How many of the images have an odd one."""
WAYS = (
    "{many}, one of them {colour}",
    "{many}, one of them is {colour}",
    "{many}, one of which is {colour}",
    "{many} of which one is {colour}",
    "{many} and one of them is {colour}",
    "{many}, one {colour}",
)
ALIKE = "{number} {colour} {name}"


def odd_scene(rng: np.random.Generator, world: World) -> Scene:
    """Two to four of a thing; in most images one has a colour of its own."""
    things = [each for each in world.things if each.recolourable and not each.states]
    name, count = str(rng.choice([each.name for each in things])), int(rng.integers(2, 5))
    usual, other = (str(colour) for colour in rng.choice(world.colours, 2, replace=False))
    groups: tuple[Group, ...] = (Group(name, usual, count=count),)
    if rng.random() < ODD:
        groups = Group(name, usual, count=count - 1), Group(name, other)
    return Scene(groups, place_boxes(rng, groups), str(rng.choice([*world.backgrounds])))


def odd_examples(
    rng: np.random.Generator, scene: Scene, world: World, count: int
) -> list[VqaExample]:
    """Whether captions of such an image hold: of its number, of its odd one, of all alike."""
    return [_example(rng, scene, world) for _ in range(count)]


def _example(rng: np.random.Generator, scene: Scene, world: World) -> VqaExample:
    there = [group.colour for group in scene.groups for _ in range(group.count)]
    near = rng.random() < 0.8
    number = len(there) if near else int(rng.integers(2, world.most + 1))
    colour = str(rng.choice(there if rng.random() < 0.7 else list(world.colours)))
    thing = world.thing(scene.groups[0].name)
    many = f"{NUMBERS[number]} {thing.plural_name}"
    if rng.random() < 0.2:
        text = ALIKE.format(number=NUMBERS[number], colour=colour, name=thing.plural_name)
        holds = there.count(colour) == len(there)
    else:
        text = str(rng.choice(WAYS)).format(many=many, colour=colour)
        holds = there.count(colour) == 1
    true = holds and number == len(there)
    return VqaExample(TEMPLATES.entailment.format(text=text), "yes" if true else "no")

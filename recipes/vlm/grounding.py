"""What each noun of a prompt points at in the picture: where it is, how many, in which colour.

The labels with which a scene teaches a reader to look up each thing it reads of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from recipes.parser.phrases import pluralise
from recipes.world.art import patch_map
from recipes.world.patches import COLOURS
from recipes.world.scenes import Scene
from recipes.world.things import PRACTICE_WORLD

THINGS = tuple(thing.name for thing in PRACTICE_WORLD.things)
STATES = ("", *sorted({state for thing in PRACTICE_WORLD.things for state in thing.states}))
PATCHES = 64
PARTS = (PRACTICE_WORLD.most + 1, len(COLOURS), len(STATES), PATCHES)
"""Widths of what is said of a noun: how many, colour, state, and the patches it covers."""


def nouns(text: str) -> Iterator[tuple[int, int]]:
    """The last character of each noun in a text, and the index of its thing.

    >>> [(end, THINGS[thing]) for end, thing in nouns("two apples above a car")]
    [(9, 'apple'), (21, 'car')]
    """
    for match in re.finditer(r"[a-z]+", text.lower()):
        if match[0] in _names():
            yield match.end() - 1, _names()[match[0]]


@cache
def _names() -> dict[str, int]:
    things = list(enumerate(PRACTICE_WORLD.things))
    singular = {name: i for i, thing in things for name in (thing.name, *thing.synonyms)}
    plural = {pluralise(name): i for name, i in singular.items()}
    return {**singular, **plural, **{thing.plural_name: i for i, thing in things}}


def ground(scenes: list[Scene]) -> Tensor:
    """For every scene and thing: count, colour, state, patches; shape (n, things, 3 + 64)."""
    table = np.zeros((len(scenes), len(THINGS), 3 + PATCHES), int)
    for row, scene in zip(table, scenes, strict=True):
        covered = patch_map(scene).reshape(-1)
        for index, group in enumerate(scene.groups):
            looks = (group.count, COLOURS.index(group.colour), STATES.index(group.state))
            row[THINGS.index(group.name)] = [*looks, *(covered == index)]
    return torch.from_numpy(table)


def ground_loss(said: Tensor, truth: Tensor) -> Tensor:
    """How badly nouns are looked up; of a thing that is not there only that counts.

    Args:
        said: (nouns, sum(PARTS)) logits.
        truth: (nouns, 3 + 64), rows of `ground`.
    """
    count, colour, state, patches = said.float().split(PARTS, dim=-1)
    there = truth[:, 0] > 0
    number = functional.cross_entropy(count, truth[:, 0])
    if not there.any():
        return number
    looks = functional.cross_entropy(colour[there], truth[there, 1])
    looks = looks + functional.cross_entropy(state[there], truth[there, 2])
    covered = truth[there, 3:] / truth[there, 3:].sum(dim=1, keepdim=True)
    return number + looks + functional.cross_entropy(patches[there], covered)

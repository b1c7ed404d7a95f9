"""What each noun of a prompt points at in the image: where it is, how many, in which colour.

The labels of an auxiliary loss with which a scene teaches a model to look up each thing it reads
of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from recipes.world.domains import Domain
from recipes.world.plural import pluralise
from recipes.world.scenes import Scene
from recipes.world.things import MOST

PATCHES = 64


@dataclass(frozen=True, eq=False)
class NounLabels:
    """What nouns can point at in images of a world, as indices."""

    domain: Domain

    @cached_property
    def things(self) -> tuple[str, ...]:
        """Names of classes."""
        return tuple(thing.name for thing in self.domain.world.things)

    @property
    def parts(self) -> tuple[int, ...]:
        """Widths of what is said of a noun: how many, colour, state, the patches it covers."""
        world = self.domain.world
        return MOST + 1, len(world.said_colours), len(world.states), PATCHES

    def nouns(self, text: str) -> Iterator[tuple[int, int]]:
        """The last character of each noun in a text, and the index of its class.

        >>> from recipes.world.domains import PRACTICE_STICKERS
        >>> labels = NounLabels(PRACTICE_STICKERS)
        >>> [(end, labels.things[at]) for end, at in labels.nouns("two apples above a car")]
        [(9, 'apple'), (21, 'car')]
        """
        for match in self._pattern.finditer(text.lower()):
            yield match.end() - 1, self._names[match[0]]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Every name, long ones before the names that they begin with."""
        names = sorted(self._names, key=len, reverse=True)
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")

    @cached_property
    def _names(self) -> Mapping[str, int]:
        things = list(enumerate(self.domain.world.things))
        singular = {name: i for i, t in things for name in t.synonyms}
        singular |= {thing.name: i for i, thing in things}
        plural = {pluralise(name): i for name, i in singular.items()}
        return {**plural, **singular, **{thing.plural_name: i for i, thing in things}}

    def of(self, scenes: list[Scene]) -> Tensor:
        """For every scene and class: count, colour, state, patches; (n, classes, 3 + 64).

        A class that is there in two looks has the colour and state -100, which no loss counts.
        """
        world = self.domain.world
        table = np.zeros((len(scenes), len(self.things), 3 + PATCHES), int)
        for row, scene in zip(table, scenes, strict=True):
            covered = self.domain.patch_map(scene).reshape(-1)
            for index, group in enumerate(scene.groups):
                entry = row[self.things.index(group.name)]
                looks = world.said_colours.index(group.colour), world.states.index(group.state)
                entry[1:3] = looks if entry[0] == 0 else -100
                entry[0] += group.count
                entry[3:] |= covered == index
        return torch.from_numpy(table)

    def loss(self, said: Tensor, truth: Tensor) -> Tensor:
        """How badly nouns are looked up; of a thing that is not there only that counts.

        Args:
            said: (nouns, sum(parts)) logits.
            truth: (nouns, 3 + 64), rows of `of`.
        """
        count, colour, state, patches = said.float().split(self.parts, dim=-1)
        there = (truth[:, 0] > 0) & (truth[:, 3:].sum(dim=1) > 0)
        number = functional.cross_entropy(count, truth[:, 0])
        alike = there & (truth[:, 1] >= 0)
        if not alike.any():
            return number
        looks = functional.cross_entropy(colour[alike], truth[alike, 1])
        looks = looks + functional.cross_entropy(state[alike], truth[alike, 2])
        covered = truth[there, 3:] / truth[there, 3:].sum(dim=1, keepdim=True)
        return number + looks + functional.cross_entropy(patches[there], covered)

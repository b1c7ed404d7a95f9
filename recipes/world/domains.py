"""The worlds that recipes train on: what there is, how it is drawn, which scenes are sampled.

`STICKERS` is the smaller world; in `FREE_STICKERS` and `PRACTICE_STICKERS` many of its scenes pair
things and colours freely. `ICONS` is the larger one, of which it is a part, and `TELLING_ICONS` the
same with longer captions and more natural colours. In those called `WHOLE` no composition is held
out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from recipes.world.art import Stamp, icon, patch_map, photographs, sticker
from recipes.world.captions import Description, describe, everything, unnamed_icon
from recipes.world.labels import PatchLabels
from recipes.world.scenes import Scene, crowded_scene, sample_scene, sample_several
from recipes.world.splits import Composition, Split, either_split, sticker_split
from recipes.world.things import World
from recipes.world.worlds import FREE_WORLD, ICON_WORLD, PRACTICE_WORLD, WORLD

SEVERAL_SHARE = 0.3
"""How many sticker scenes of a last phase show several kinds."""
FREE_SHARE = 0.4
"""How many sticker scenes of `FREE_STICKERS` pair things and colours freely."""


@dataclass(frozen=True, eq=False)
class Domain:
    """A world with what the recipes of pictures need of it."""

    world: World
    sample: Callable[[np.random.Generator, Split | None], Scene]
    """A scene of a split, or any for None: one of training has no held-out composition."""
    describe: Callable[[np.random.Generator, Scene], Description]
    """What a caption says of a scene."""
    stamp: Stamp = sticker
    """How one thing of a group is drawn, as RGBA of some pixels square."""

    def is_held_out(self, composition: Composition) -> bool:
        """Whether training shows no scene with a composition."""
        return self.world.split_of(composition) != "train"

    def sample_crowded(self, rng: np.random.Generator) -> Scene:
        """A training scene of four different things."""
        return crowded_scene(rng, self.world)

    def photographs(self, scenes: Sequence[Scene]) -> Tensor:
        """Pictures, shape (n, 3, 128, 128), in [-1, 1], channels last in memory."""
        return photographs(scenes, self.stamp)

    def patch_map(self, scene: Scene) -> NDArray[Any]:
        """Which group covers each patch, -1 where none does."""
        return patch_map(scene, self.stamp)

    @property
    def labels(self) -> PatchLabels:
        """Labels of what covers each patch."""
        return PatchLabels(self.world, self.patch_map)


def _sampler(world: World) -> Callable[[np.random.Generator, Split | None], Scene]:
    return lambda rng, split: sample_scene(rng, world, split)


def _sample_free(
    rng: np.random.Generator,
    split: Split | None,
    split_of: Callable[[Composition], Split] = sticker_split,
) -> Scene:
    world = FREE_WORLD if rng.random() < FREE_SHARE else WORLD
    return sample_scene(rng, replace(world, split_of=split_of), split)


def _sample_practice(rng: np.random.Generator, split: Split | None) -> Scene:
    """Half as the world is, half with its things recoloured; nearly half show two things.

    Where two things are is what is judged worst.
    """
    world = (WORLD, PRACTICE_WORLD)[int(rng.integers(2))]
    scene = sample_scene(rng, world, split)
    pair = [group.count for group in scene.groups] == [1, 1]
    return scene if pair or rng.random() > 0.4 else sample_scene(rng, world, split)


def _describe_stickers(rng: np.random.Generator, scene: Scene) -> Description:
    """Unusual colours are always named: without a word of it, a cat is as cats are."""
    unusual = any(g.colour and not WORLD.thing(g.name).recolourable for g in scene.groups)
    return describe(rng, scene, terse=0.0 if unusual else 0.08)


def _describe_icons(rng: np.random.Generator, scene: Scene) -> Description:
    return describe(rng, scene, terse=0.1, unsaid=unnamed_icon)


def _tell_all(rng: np.random.Generator, scene: Scene) -> Description:
    """Half of the captions say everything that is drawn."""
    return _describe_icons(rng, scene) if rng.random() < 0.5 else everything(scene)


def _whole(domain: Domain) -> Domain:
    """The same with nothing held out."""
    world = replace(domain.world, split_of=lambda _: "train")
    return replace(domain, world=world, sample=lambda rng, _: domain.sample(rng, None))


def _with_several(domain: Domain) -> Domain:
    """The same with more scenes of several kinds, up to four."""

    def sample(rng: np.random.Generator, split: Split | None) -> Scene:
        if rng.random() >= SEVERAL_SHARE:
            return domain.sample(rng, split)
        return sample_several(rng, (WORLD, domain.world)[int(rng.integers(2))])

    return replace(domain, sample=sample)


STICKERS = Domain(WORLD, _sampler(WORLD), _describe_stickers)
FREE_STICKERS = Domain(FREE_WORLD, _sample_free, _describe_stickers)
PRACTICE_STICKERS = Domain(PRACTICE_WORLD, _sample_practice, partial(describe, terse=0.12))
WHOLE_STICKERS = _with_several(_whole(PRACTICE_STICKERS))
WHOLE_FREE_STICKERS = _with_several(_whole(FREE_STICKERS))
ICONS = Domain(ICON_WORLD, _sampler(ICON_WORLD), _describe_icons, icon)
STICKERS_AMONG_ICONS = replace(
    FREE_STICKERS,
    world=replace(ICON_WORLD, split_of=either_split),
    sample=lambda rng, split: _sample_free(rng, split, either_split),
)
"""Scenes of stickers, described with the words of the icon world, of which they are a part."""
WHOLE_STICKERS_AMONG_ICONS = _whole(STICKERS_AMONG_ICONS)
WHOLE_ICONS = _whole(ICONS)
NATURAL_ICON_WORLD = replace(ICON_WORLD, natural_share=0.6)
"""Things mostly come as they are by themselves, which is how most prompts mean them."""
TELLING_ICONS = replace(
    ICONS, world=NATURAL_ICON_WORLD, sample=_sampler(NATURAL_ICON_WORLD), describe=_tell_all
)
WHOLE_TELLING_ICONS = _whole(TELLING_ICONS)

"""The worlds that recipes train on: what there is, how it is drawn, which scenes are sampled.

`STICKERS` is the world of the published checkpoints; in `FREE_STICKERS` and `PRACTICE_STICKERS`
many of its scenes pair things and colours freely. `ICONS` is the larger world that comes next, and
`TELLING_ICONS` the same with longer captions. In those called `WHOLE` no composition is held out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from recipes.world.art import Stamp, patch_map, photographs, stamp
from recipes.world.captions import Description, describe
from recipes.world.icons.art import sticker
from recipes.world.icons.captions import describe_icons
from recipes.world.icons.scenes import ICON_WORLD, sample_crowded_icons, sample_icon_scene
from recipes.world.icons.splits import split_of
from recipes.world.labels import PatchLabels
from recipes.world.scenes import Scene, crowded_scene, sample_scene, sample_several
from recipes.world.splits import Composition, is_held_out
from recipes.world.things import FREE_WORLD, PRACTICE_WORLD, SECOND_WORLD, WORLD, World

Split = Literal["train", "development", "test"] | None
"""Which compositions scenes have; None for any."""

SEVERAL_SHARE = 0.3
"""How many sticker scenes of a last phase show several kinds."""
FREE_SHARE = 0.4
"""How many sticker scenes of `FREE_STICKERS` pair things and colours freely."""


@dataclass(frozen=True, eq=False)
class Domain:
    """A world with what the recipes of pictures need of it."""

    world: World
    sample: Callable[[np.random.Generator, Split], Scene]
    """A scene of a split: one of training has no held-out composition."""
    sample_crowded: Callable[[np.random.Generator], Scene]
    """A training scene of four different things."""
    describe: Callable[[np.random.Generator, Scene], Description]
    """What a caption says of a scene."""
    stamp: Stamp
    """How one thing of a group is drawn, as RGBA of some pixels square."""
    is_held_out: Callable[[Composition], bool]
    """Whether training shows no scene with a composition."""

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


def _sampler(world: World) -> Callable[[np.random.Generator, Split], Scene]:
    """Scenes of one sticker world; it has no development split."""
    held_out = {"train": False, "test": True, "development": True, None: None}
    return lambda rng, split: sample_scene(rng, world, held_out[split])


def _sample_free(rng: np.random.Generator, split: Split) -> Scene:
    return _sampler(FREE_WORLD if rng.random() < FREE_SHARE else WORLD)(rng, split)


def _sample_practice(rng: np.random.Generator, split: Split) -> Scene:
    """Half as the world is, half with its things recoloured; nearly half show two things.

    Where two things are is what is judged worst.
    """
    sample = _sampler((SECOND_WORLD, PRACTICE_WORLD)[int(rng.integers(2))])
    scene = sample(rng, split)
    pair = [group.count for group in scene.groups] == [1, 1]
    return scene if pair or rng.random() > 0.4 else sample(rng, split)


def _describe_stickers(rng: np.random.Generator, scene: Scene) -> Description:
    """Unusual colours are always named: without a word of it, a cat is as cats are."""
    unusual = any(g.colour and not WORLD.thing(g.name).recolourable for g in scene.groups)
    return describe(rng, scene, terse=0.0 if unusual else 0.08)


def _stickers(world: World, sample: Callable[[np.random.Generator, Split], Scene]) -> Domain:
    return Domain(world, sample, crowded_scene, _describe_stickers, stamp, is_held_out)


STICKERS = _stickers(WORLD, _sampler(WORLD))
FREE_STICKERS = _stickers(FREE_WORLD, _sample_free)
PRACTICE_STICKERS = replace(
    _stickers(PRACTICE_WORLD, _sample_practice), describe=partial(describe, terse=0.12)
)


def _whole(domain: Domain) -> Domain:
    """The same with nothing held out."""
    return replace(
        domain, sample=lambda rng, _: domain.sample(rng, None), is_held_out=lambda _: False
    )


def _with_several(domain: Domain) -> Domain:
    """The same with more scenes of several kinds, up to four."""

    def sample(rng: np.random.Generator, split: Split) -> Scene:
        if rng.random() >= SEVERAL_SHARE:
            return domain.sample(rng, split)
        return sample_several(rng, (WORLD, domain.world)[int(rng.integers(2))])

    return replace(domain, sample=sample)


WHOLE_STICKERS = _with_several(_whole(PRACTICE_STICKERS))
WHOLE_FREE_STICKERS = _with_several(_whole(FREE_STICKERS))
ICONS = Domain(
    ICON_WORLD,
    sample_icon_scene,
    sample_crowded_icons,
    describe_icons,
    sticker,
    lambda composition: split_of(composition) != "train",
)


def _tell_all(rng: np.random.Generator, scene: Scene) -> Description:
    """Half of the captions say everything that is drawn."""
    if rng.random() < 0.5:
        return describe_icons(rng, scene)
    background = scene.background if ICON_WORLD.backgrounds[scene.background] else ""
    return Description(scene.groups, scene.where or "", background)


WHOLE_ICONS = _whole(ICONS)
TELLING_ICONS = replace(ICONS, describe=_tell_all)
WHOLE_TELLING_ICONS = _whole(TELLING_ICONS)

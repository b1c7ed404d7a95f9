"""The worlds that recipes train on: what there is, how it is drawn, which scenes are sampled.

`STICKERS` is the smaller world; in `FREE_STICKERS` and `PRACTICE_STICKERS` many of its scenes pair
things and colours freely. `ICONS` is the larger one, of which it is a part, and `TELLING_ICONS` the
same with longer captions and more natural colours. In those called `WHOLE` no composition is held
out, and those of icons have more scenes of several things. `ASKED_ICONS` is what the VLM is asked
about at last, `TEXT_TO_IMAGE_ICONS` what the text-to-image model draws: in both, things also touch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from recipes.world.art import PATCH, Stamp, draw, icon, opacity, plain, sticker, touch
from recipes.world.captions import Description, describe, everything, unnamed_icon
from recipes.world.prompt_augmentation import READINGS, TEXT_TO_IMAGE_READINGS, Changes
from recipes.world.scenes import (
    HATS_AND_BOWLS,
    OFTEN_ASKED,
    SIZE,
    Scene,
    Touching,
    sample_apart,
    sample_empty,
    sample_many,
    sample_scene,
    sample_several,
    sample_several_of_two,
    sample_sides,
    sample_touching,
)
from recipes.world.splits import Composition, Split, either_split, sticker_split
from recipes.world.things import World
from recipes.world.truth import distort
from recipes.world.worlds import (
    FREE_WORLD,
    ICON_PLACES,
    ICON_WORLD,
    PRACTICE_WORLD,
    TEXT_TO_IMAGE_RELATIONS,
    WORLD,
)

SEVERAL_SHARE = 0.3
"""How many scenes of a last phase show several kinds."""
MANY_SHARE = 0.1
"""How many scenes of icons, in a last phase, show five or six things."""
COUNTED_SHARE = 0.25
"""The same where a model is to count them, as the VLM and the detector do."""
SIDED_SHARE = 0.2
"""How many scenes of icons show several things on one side of others."""
TOUCHING_SHARE = 0.15
"""How many show things on, in or worn by another."""
ASKED_TOUCHING_SHARE = 0.25
"""The same where a model is asked about them, which is harder to learn than to draw one."""
APART_SHARE = 0.1
"""How many show what may be worn or hold things and a thing that does not touch it, for the VLM."""
TWO_KINDS_SHARE = 0.1
"""How many show several of one kind and several of another."""
APART_AMONG_TOUCHING = 0.2
"""The same among pairs that are generated for readers to say whether they touch."""
EMPTY_SHARE = 0.03
"""How many show a place alone."""
FREE_SHARE = 0.4
"""How many sticker scenes of `FREE_STICKERS` pair things and colours freely."""
COVERED = 1 / 6
"""Share of a patch that must be opaque for a sticker to cover it."""


@dataclass(frozen=True, eq=False)
class Domain:
    """A world with what the recipes of images need of it."""

    world: World
    sample: Callable[[np.random.Generator, Split | None], Scene]
    """A scene of a split, or any for None: one of training has no held-out composition."""
    describe: Callable[[np.random.Generator, Scene], Description]
    """What a caption says of a scene."""
    stamp: Stamp = sticker
    """How one thing of a group is drawn, as RGBA of some pixels square."""
    readings: Changes = READINGS
    """How captions are changed to what only a text-to-image model reads so."""

    def is_held_out(self, composition: Composition) -> bool:
        """Whether training shows no scene with a composition."""
        return self.world.split_of(composition) != "train"

    def distort(self, rng: np.random.Generator, claim: Description) -> tuple[Description, str, int]:
        """A description with one claim changed, as `truth.distort` does, to what training shows."""
        changed = distort(rng, claim, self.world)
        while any(map(self.is_held_out, changed[0].compositions)):
            changed = distort(rng, claim, self.world)
        return changed

    def photographs(self, scenes: Sequence[Scene]) -> Tensor:
        """Images, shape (n, 3, 128, 128), in [-1, 1], channels last in memory."""
        stack = np.stack([np.asarray(draw(scene, self.stamp)) for scene in scenes])
        return torch.from_numpy(stack).permute(0, 3, 1, 2).float() / 127.5 - 1

    def patch_map(self, scene: Scene) -> NDArray[Any]:
        """Which group covers each patch, shape (8, 8); -1 where only background is seen."""
        covered = np.full((SIZE // PATCH, SIZE // PATCH), -1)
        for index in scene.layers:
            group = scene.groups[index]
            for box in scene.boxes[index]:
                row, column, n = box.y // PATCH, box.x // PATCH, box.size // PATCH
                view = covered[row : row + n, column : column + n]
                view[opacity(self.stamp, plain(group), box.size) > COVERED] = index
        return covered

    @property
    def patch_logits(self) -> int:
        """How many logits say what covers a patch: its look or background, and its colour."""
        return len(self.world.looks) + len(self.world.backgrounds) + len(self.world.said_colours)

    def patch_labels(self, scene: Scene) -> NDArray[np.int_]:
        """Shape (2, 8, 8): look or background, and colour."""
        looks, covered = self.world.looks, self.patch_map(scene)
        background = len(looks) + [*self.world.backgrounds].index(scene.background)
        look, colour = np.full(covered.shape, background), np.zeros(covered.shape, int)
        for index, group in enumerate(scene.groups):
            look[covered == index] = looks.index((group.name, group.state))
            colour[covered == index] = self.world.said_colours.index(group.colour)
        return np.stack([look, colour])

    def patch_loss(self, logits: Tensor, scenes: list[Scene]) -> Tensor:
        """Cross-entropy of looks plus that of colours.

        Args:
            logits: (n, 64, patch_logits).
        """
        truth = np.stack([self.patch_labels(scene) for scene in scenes])
        labels = torch.from_numpy(truth).flatten(2).to(logits.device)
        colours = len(self.world.said_colours)
        look, colour = logits.split([self.patch_logits - colours, colours], dim=-1)
        return cross_entropy(look.flatten(0, 1), labels[:, 0].flatten()) + cross_entropy(
            colour.flatten(0, 1), labels[:, 1].flatten()
        )


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


def _describe_touching(rng: np.random.Generator, scene: Scene) -> Description:
    """Most of what may be in or worn by another is said to be, true or not."""
    said = _describe_icons(rng, scene)
    relation = _possible_touch(rng, said)
    return replace(said, relation=relation) if relation and rng.random() < 0.7 else said


def _possible_touch(rng: np.random.Generator, said: Description) -> str:
    """How the first of two may touch the second, by what the second is."""
    name = said.groups[1].name if len(said.groups) == 2 else ""
    if name in OFTEN_ASKED.worn:
        return "in" if rng.random() < 0.3 else "wearing"
    return "in" if name in OFTEN_ASKED.containers else ""


def _tell_all(rng: np.random.Generator, scene: Scene) -> Description:
    """Half of the captions say everything that is drawn."""
    return _describe_icons(rng, scene) if rng.random() < 0.5 else everything(scene)


def _whole(domain: Domain) -> Domain:
    """The same with nothing held out."""
    world = replace(domain.world, split_of=lambda _: "train")
    return replace(domain, world=world, sample=lambda rng, _: domain.sample(rng, None))


Sample: TypeAlias = Callable[[np.random.Generator], Scene]


def _mixed(domain: Domain, *others: tuple[float, Sample]) -> Domain:
    """The same with other scenes among its own.

    Args:
        others: how many scenes are of a kind, and how one of it is drawn.
    """

    def sample(rng: np.random.Generator, split: Split | None) -> Scene:
        chance = rng.random()
        for share, drawn in others:
            if chance < share:
                return drawn(rng)
            chance -= share
        return domain.sample(rng, split)

    return replace(domain, sample=sample)


def _several_of(*worlds: World) -> Sample:
    return lambda rng: sample_several(rng, worlds[int(rng.integers(len(worlds)))])


def _crowded(world: World, many: float) -> tuple[tuple[float, Sample], ...]:
    """Scenes of several kinds, of several things on one side of others, of five or six things."""
    return (
        (SEVERAL_SHARE, _several_of(world)),
        (SIDED_SHARE, partial(sample_sides, world=world, sided=1.0)),
        (many, partial(sample_many, world=world)),
    )


def _together(
    world: World, touching: float, among: Touching = HATS_AND_BOWLS
) -> tuple[tuple[float, Sample], ...]:
    """Scenes of icons of which one is on, in or worn by another, and of several of two kinds."""
    return (
        (touching, partial(sample_touching, world=world, touch=partial(touch, icon), among=among)),
        (TWO_KINDS_SHARE, partial(sample_several_of_two, world=world)),
    )


def _sample_pair_that_touches(rng: np.random.Generator) -> Scene:
    """One thing on, in or worn by one other."""
    while True:
        scene = sample_touching(rng, NATURAL_ICON_WORLD, partial(touch, icon))
        if all(group.count == 1 for group in scene.groups):
            return scene


STICKERS = Domain(WORLD, _sampler(WORLD), _describe_stickers)
FREE_STICKERS = Domain(FREE_WORLD, _sample_free, _describe_stickers)
PRACTICE_STICKERS = Domain(PRACTICE_WORLD, _sample_practice, partial(describe, terse=0.12))
WHOLE_FREE_STICKERS = _mixed(_whole(FREE_STICKERS), (SEVERAL_SHARE, _several_of(WORLD, FREE_WORLD)))
ICONS = Domain(ICON_WORLD, _sampler(ICON_WORLD), _describe_icons, icon)
MANY_ICONS = replace(ICONS, sample=lambda rng, _: sample_many(rng, ICON_WORLD))
"""Five or six things in each scene; nothing is held out."""
STICKERS_AMONG_ICONS = replace(
    FREE_STICKERS,
    world=replace(ICON_WORLD, split_of=either_split),
    sample=lambda rng, split: _sample_free(rng, split, either_split),
)
"""Scenes of stickers, described with the words of the icon world, of which they are a part."""
WHOLE_STICKERS_AMONG_ICONS = _whole(STICKERS_AMONG_ICONS)
WHOLE_ICONS = _mixed(_whole(ICONS), *_crowded(ICON_WORLD, COUNTED_SHARE))
ASKED_ICONS = _mixed(
    replace(WHOLE_ICONS, describe=_describe_touching),
    *_together(ICON_WORLD, ASKED_TOUCHING_SHARE, OFTEN_ASKED),
    (APART_SHARE, partial(sample_apart, world=ICON_WORLD, among=OFTEN_ASKED)),
)
NATURAL_ICON_WORLD = replace(ICON_WORLD, natural_share=0.6, relations=TEXT_TO_IMAGE_RELATIONS)
"""Things mostly come as they are by themselves, which is how most prompts mean them."""
TELLING_ICONS = replace(
    ICONS, world=NATURAL_ICON_WORLD, sample=_sampler(NATURAL_ICON_WORLD), describe=_tell_all
)
WHOLE_TELLING_ICONS = _mixed(_whole(TELLING_ICONS), *_crowded(NATURAL_ICON_WORLD, MANY_SHARE))
TEXT_TO_IMAGE_ICONS = _mixed(
    replace(
        WHOLE_TELLING_ICONS,
        world=replace(WHOLE_TELLING_ICONS.world, places=ICON_PLACES),
        readings=TEXT_TO_IMAGE_READINGS,
    ),
    *_together(NATURAL_ICON_WORLD, TOUCHING_SHARE, OFTEN_ASKED),
    (EMPTY_SHARE, partial(sample_empty, world=NATURAL_ICON_WORLD)),
)
TOUCHING_ICONS = replace(
    _mixed(
        replace(TEXT_TO_IMAGE_ICONS, sample=lambda rng, _: _sample_pair_that_touches(rng)),
        (APART_AMONG_TOUCHING, partial(sample_apart, world=NATURAL_ICON_WORLD)),
    ),
    readings=(),
)
"""Pairs of which one is on, in or worn by the other, as a rule: what readers tell of such images is
what the VLM learns about them."""

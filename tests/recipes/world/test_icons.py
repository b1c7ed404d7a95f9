"""The icon world: what it holds, what its splits keep apart, what its captions say."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recipes.diffusion.canonical_layout import canonical_claim, canonical_layout
from recipes.world.captions import Description, write_caption
from recipes.world.classes import CLASSES, GENEVAL_CLASSES, STICKER_CLASSES
from recipes.world.domains import ICONS
from recipes.world.scenes import Box, Group, Scene, crowded_scene, sample_scene
from recipes.world.splits import Split, geneval_compositions, hardest, icon_split, normal
from recipes.world.things import World
from recipes.world.truth import distort, entailed, holds
from recipes.world.worlds import ICON_WORLD, WORLD

SEEDS = st.integers(0, 2**32 - 1)
SPLITS = [
    *product([ICON_WORLD], ["train", "development", "test"]),
    (WORLD, "train"),
    (WORLD, "test"),
]
RED, BLUE = Group("heart", "red"), Group("heart", "blue")
HEARTS = Scene((RED, BLUE), ((Box(0, 32, 64),), (Box(64, 32, 64),)), "plain")
"""A red heart to the left of a blue heart."""


def test_it_has_the_classes_of_geneval_and_all_stickers() -> None:
    assert len(GENEVAL_CLASSES) == 80
    names = [each.name for each in CLASSES]
    assert len(set(names)) == len(names) == 156
    assert {thing.name for thing in WORLD.things} <= set(names)
    assert len(STICKER_CLASSES) + 16 == len(WORLD.things)


def test_no_name_or_synonym_means_two_classes() -> None:
    said = [name for each in CLASSES for name in {each.name, each.plural_name, *each.synonyms}]
    assert sorted(set(said)) == sorted(said)


@given(SEEDS, st.sampled_from(SPLITS))
def test_a_scene_is_of_the_split_that_was_asked_for(seed: int, asked: tuple[World, Split]) -> None:
    world, split = asked
    scene = sample_scene(np.random.default_rng(seed), world, split)
    found = {world.split_of(each) for each in scene.compositions}
    assert hardest(found) == split
    assert found <= {"train", split} or split == "test"


@given(SEEDS)
def test_crowded_scenes_show_no_held_out_colour(seed: int) -> None:
    scene = crowded_scene(np.random.default_rng(seed), ICON_WORLD)
    assert all(
        not g.colour or icon_split(("colour", g.name, g.colour)) == "train" for g in scene.groups
    )


def test_the_held_out_parts_of_geneval_are_in_the_test_split() -> None:
    assert len(geneval_compositions()) == 535
    assert all(icon_split(each) == "test" for each in geneval_compositions())


@given(SEEDS)
def test_mirrored_compositions_are_of_one_split(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = (str(name) for name in rng.choice([c.name for c in CLASSES], 2, replace=False))
    assert icon_split(("left", first, second)) == icon_split(("right", second, first))
    assert icon_split(("pair", first, second)) == icon_split(("pair", second, first))
    assert normal(("below", first, second)) == ("above", second, first)


@given(SEEDS)
def test_a_colour_goes_unsaid_only_where_it_can_be_told(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = sample_scene(rng, ICON_WORLD)
    claim = ICONS.describe(rng, scene)
    names = [group.name for group in scene.groups]
    for drawn, said in zip(scene.groups, claim.groups, strict=True):
        assert said.colour in ("", drawn.colour)
        if drawn.colour and not said.colour:
            natural = ICON_WORLD.thing(drawn.name).natural
            hidden = natural and icon_split(("colour", drawn.name, natural)) != "train"
            assert names.count(drawn.name) == 1
            assert drawn.colour == natural or hidden


@given(SEEDS)
def test_what_a_caption_says_is_true_and_what_is_distorted_is_false(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = canonical_layout(sample_scene(rng, ICON_WORLD))
    claim = canonical_claim(rng, scene, ICONS.describe(rng, scene), ICON_WORLD)
    assert entailed(claim, scene)
    assert write_caption(rng, claim, ICON_WORLD).text
    assert not entailed(distort(rng, claim, ICON_WORLD)[0], scene)


def test_of_two_things_of_one_name_each_has_its_place() -> None:
    assert HEARTS.where == "left"
    assert holds(Description((RED, BLUE), "left"), "relation", 0, HEARTS)
    assert not holds(Description((BLUE, RED), "left"), "relation", 0, HEARTS)
    assert holds(Description((BLUE, RED), "beside"), "relation", 0, HEARTS)
    assert holds(Description((BLUE,)), "colour", 0, HEARTS)
    assert not holds(Description((Group("heart", "green"),)), "phrase", 0, HEARTS)

"""Scenes in which things touch, and places where nothing is."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from recipes.diffusion.canonical_layout import canonical_claim, canonical_layout
from recipes.diffusion.text_encoder import caption_of
from recipes.world.art import CONTACT, draw, touch
from recipes.world.art import icon as stamp
from recipes.world.captions import Description, write_caption
from recipes.world.domains import ASKED_ICONS, TEXT_TO_IMAGE_ICONS
from recipes.world.questions import ask_about
from recipes.world.scenes import (
    CONTAINERS,
    DEPTH,
    HATS_AND_BOWLS,
    LATTICE,
    OFTEN_ASKED,
    WORN,
    Box,
    Group,
    Scene,
    Touching,
    sample_apart,
    sample_empty,
    sample_several_of_two,
    sample_touching,
)
from recipes.world.truth import holds
from recipes.world.worlds import ICON_WORLD
from tests.recipes.art import needs_art

SEEDS = st.integers(0, 2**32 - 1)
GENERATED = TEXT_TO_IMAGE_ICONS.world
CAT, SOFA = Group("cat"), Group("couch")
ON_A_SOFA = Scene((CAT, SOFA), ((Box(32, 0, 64),), (Box(32, 48, 64),)), "plain", touching="on")


def touching(seed: int, among: Touching = HATS_AND_BOWLS) -> Scene:
    rng = np.random.default_rng(seed)
    return sample_touching(rng, GENERATED, lambda *_: int(rng.choice((16, 32))), among)


def relation_said(scene: Scene) -> str:
    rng = np.random.default_rng(0)
    return canonical_claim(rng, scene, TEXT_TO_IMAGE_ICONS.describe(rng, scene), GENERATED).relation


def rows(group: Group, *, half_as_wide: bool = False) -> NDArray[np.int_]:
    """The rows of a large sticker that show something."""
    widths = (np.asarray(stamp(group, 64))[..., 3] > 128).sum(1)
    return np.nonzero(widths >= widths.max() / 2 if half_as_wide else widths)[0]


@given(SEEDS, st.sampled_from((HATS_AND_BOWLS, OFTEN_ASKED)))
def test_what_touches_is_above_what_it_touches_and_inside_the_image(
    seed: int, among: Touching
) -> None:
    scene = touching(seed, among)
    assert canonical_layout(scene).boxes == scene.boxes
    upper, lower = scene.boxes[scene.upper], scene.boxes[1 - scene.upper]
    assert len(lower) == 1
    base = lower[0]
    assert all(base.y < box.y + box.size < base.y + base.size for box in upper)
    for box in (*upper, *lower):
        assert 0 <= box.x <= 128 - box.size
        assert 0 <= box.y <= 128 - box.size
        assert (box.x % LATTICE, box.y % LATTICE) == (0, 0)


@given(SEEDS)
def test_a_caption_says_how_they_touch(seed: int) -> None:
    scene = touching(seed)
    assert relation_said(scene) == {"worn": "wearing"}.get(scene.touching, scene.touching)
    assert scene.upper == (scene.touching == "worn")


@given(SEEDS)
def test_only_hats_are_worn_and_only_containers_hold_things(seed: int) -> None:
    scene = touching(seed)
    upper, lower = scene.groups[scene.upper].name, scene.groups[1 - scene.upper].name
    assert scene.touching != "worn" or upper in WORN
    assert scene.touching != "in" or lower in CONTAINERS


@given(SEEDS)
def test_who_wears_something_in_what_people_type_is_an_animal_or_a_person(seed: int) -> None:
    scene = touching(seed, OFTEN_ASKED)
    one, other = scene.groups
    if scene.touching == "worn":
        assert GENERATED.thing(one.name).category in ("animal", "person")
        assert other.name in OFTEN_ASKED.worn
    if scene.touching == "in":
        assert other.name in OFTEN_ASKED.containers
    assert one.count == 1 or scene.touching in ("on", "in")


@given(SEEDS)
def test_a_tie_hangs_before_its_wearer_and_a_cap_sits_on_it(seed: int) -> None:
    scene = touching(seed, Touching(worn=("tie", "cap"), chances=(0, 0, 1)))
    (wearer,), (worn,) = scene.boxes
    assert scene.layers == (0, 1)
    assert (worn.y > wearer.y) == (scene.groups[1].name == "tie")


def test_what_is_on_a_thing_is_before_it_and_what_is_in_one_behind_it() -> None:
    assert ON_A_SOFA.layers == (1, 0)
    assert replace(ON_A_SOFA, touching="in").layers == (0, 1)
    assert relation_said(ON_A_SOFA) == "on"


@given(SEEDS, st.sampled_from((HATS_AND_BOWLS, OFTEN_ASKED)))
def test_it_is_true_of_a_scene_how_its_things_touch(seed: int, among: Touching) -> None:
    scene = touching(seed, among)
    one, other = scene.groups[scene.upper], scene.groups[1 - scene.upper]
    upper_first = {
        relation: holds(Description((one, other), relation), "relation", 0, scene)
        for relation in ("above", "below", "left", "in", "wearing")
    }
    assert upper_first == {
        "above": True,
        "below": False,
        "left": False,
        "in": scene.touching == "in",
        "wearing": False,
    }
    lower_first = {
        relation: holds(Description((other, one), relation), "relation", 0, scene)
        for relation in ("above", "below", "in", "wearing")
    }
    worn = scene.touching == "worn"
    assert lower_first == {"above": False, "below": True, "in": worn, "wearing": worn}


@given(SEEDS, st.sampled_from((HATS_AND_BOWLS, OFTEN_ASKED)))
def test_a_hat_or_a_container_that_nothing_touches_is_neither_worn_nor_full(
    seed: int, among: Touching
) -> None:
    scene = sample_apart(np.random.default_rng(seed), ICON_WORLD, among)
    assert scene.groups[1].name in {*among.worn, *among.containers}
    for relation in ("in", "wearing"):
        assert not holds(Description(scene.groups, relation), "relation", 0, scene)


def test_what_somebody_wears_is_asked_so_and_what_it_is_in_as_a_place() -> None:
    claim = Description((Group("dog"), Group("cap")), "wearing")
    assert ask_about(claim, "relation", 0, ICON_WORLD) == "what is the dog wearing?"
    assert (
        ask_about(replace(claim, relation="in"), "relation", 0, ICON_WORLD) == "where is the dog?"
    )


@given(SEEDS)
def test_a_judge_is_asked_about_what_is_in_or_worn_be_it_so_or_not(seed: int) -> None:
    """Half or more of what may be said to be in or worn by another is said to be."""
    rng = np.random.default_rng(seed)
    scenes = [sample_apart(rng, ICON_WORLD, OFTEN_ASKED) for _ in range(200)]
    said = [ASKED_ICONS.describe(rng, scene).relation in ("in", "wearing") for scene in scenes]
    assert 0.5 < np.mean(said) < 0.9


@given(SEEDS)
def test_scenes_of_two_kinds_show_several_of_each_and_six_at_most(seed: int) -> None:
    scene = sample_several_of_two(np.random.default_rng(seed), ICON_WORLD)
    counts = [group.count for group in scene.groups]
    assert len(counts) == 2
    assert min(counts) >= 2
    assert sum(counts) <= 6


@needs_art
def test_patches_are_of_what_is_seen_in_front() -> None:
    boxes = ((Box(32, 16, 64),), (Box(32, 48, 64),))
    before = Scene((Group("apple"), Group("bucket")), boxes, "plain", touching="on")
    behind = replace(before, touching="in")
    on, within = (TEXT_TO_IMAGE_ICONS.patch_map(scene) for scene in (before, behind))
    assert (on == 0).sum() > (within == 0).sum()
    assert (on == 1).sum() < (within == 1).sum()
    assert draw(before, stamp).tobytes() != draw(behind, stamp).tobytes()


@needs_art
def test_feet_reach_what_they_stand_on() -> None:
    overlap = touch(stamp, CAT, 64, SOFA, 64)
    feet = rows(CAT).max()
    back = rows(SOFA, half_as_wide=True).min()
    assert feet + 1 - (back + 64 - overlap) == CONTACT


@needs_art
def test_things_touch_as_nearly_as_the_lattice_lets_them_and_deeper_in_another() -> None:
    for seed in range(60):
        scene = sample_touching(np.random.default_rng(seed), GENERATED, partial(touch, stamp))
        worn = scene.touching == "worn"
        upper, lower = scene.boxes[::-1] if worn else scene.boxes
        thing, holder = scene.groups[::-1] if worn else scene.groups
        on = lower[0].y - upper[0].size + touch(stamp, thing, upper[0].size, holder, 64)
        wanted = on + (DEPTH * upper[0].size if scene.touching == "in" else 0)
        assert abs(upper[0].y - wanted) <= LATTICE / 2
        assert all(box.y % LATTICE == 0 for box in upper)


@needs_art
def test_what_is_in_a_cup_reaches_its_rim_and_not_only_its_steam() -> None:
    cup = Group("cup")
    rim = rows(cup, half_as_wide=True).min()
    assert rim > rows(cup).min()
    assert rows(CAT).max() + 1 - (rim + 64 - touch(stamp, CAT, 64, cup, 64)) >= CONTACT


@given(SEEDS)
def test_a_place_where_nothing_is_is_called_by_its_name(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = canonical_layout(sample_empty(rng, GENERATED))
    claim = canonical_claim(rng, scene, TEXT_TO_IMAGE_ICONS.describe(rng, scene), GENERATED)
    text = write_caption(rng, claim, GENERATED).text.lower().rstrip(".")
    assert text in GENERATED.places[scene.background]


def test_of_a_place_where_nothing_is_half_of_the_captions_rule_a_thing_out() -> None:
    scene = Scene((), (), "street")
    texts = [
        caption_of(np.random.default_rng(seed), scene, TEXT_TO_IMAGE_ICONS).text
        for seed in range(300)
    ]
    denied = [text for text in texts if re.search(r"\b(no|without)\b", text, re.IGNORECASE)]
    assert 120 < len(denied) < 220

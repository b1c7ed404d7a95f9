"""The world of stickers: captions quote themselves, truth is exact, tests stay out of training."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipes.world.art import backdrop, draw, sticker
from recipes.world.captions import Description, SceneCaption, describe, write_caption
from recipes.world.domains import STICKERS, WHOLE_TELLING_ICONS
from recipes.world.questions import ask, ask_about
from recipes.world.scenes import (
    LATTICE,
    SIZE,
    Box,
    Group,
    Scene,
    sample_scene,
    sample_several,
)
from recipes.world.splits import SHARE, is_held_out
from recipes.world.things import BACKGROUNDS, MOST, NUMBERS, RELATIONS, World
from recipes.world.truth import answer, distort, entailed, holds
from recipes.world.worlds import ICON_WORLD, PRACTICE_WORLD, WORLD
from tests.recipes.art import needs_art

seeds = st.integers(0, 2**32 - 1)

worlds = st.sampled_from([WORLD, ICON_WORLD])

LEFT, RIGHT = (Box(0, 32, 64),), (Box(64, 32, 64),)
APPLE, BACKPACK = Group("apple", "black"), Group("backpack", "green")
MARKET = Scene((APPLE, BACKPACK), (LEFT, RIGHT), "grass")
"""A black apple to the left of a green backpack, on the grass."""


def caption_of(seed: int) -> tuple[Scene, SceneCaption]:
    rng = np.random.default_rng(seed)
    scene = sample_scene(rng)
    return scene, write_caption(rng, describe(rng, scene), formal=0.3)


def test_the_world_is_as_large_as_was_asked_for() -> None:
    assert len(WORLD.things) >= 48
    assert sum(thing.recolourable for thing in WORLD.things) >= 20
    assert sum(len(thing.states) == 2 for thing in WORLD.things) >= 6
    assert (len(WORLD.colours), len(WORLD.backgrounds)) == (9, 6)


@given(seeds)
def test_large_things_fill_more_than_small_ones(seed: int) -> None:
    scene = sample_scene(np.random.default_rng(seed), WORLD, split=None)
    for group, boxes in zip(scene.groups, scene.boxes, strict=True):
        assert {box.size for box in boxes} == {{"large": 64, "small": 32}.get(group.size, 48)}


@given(seeds)
def test_spans_quote_the_claims_they_make(seed: int) -> None:
    _, caption = caption_of(seed)
    for span in caption.spans:
        said = caption.claim.groups[span.group]
        words = caption.quote(span).lower()
        thing = WORLD.thing(said.name)
        expected = {
            "object": thing.name if said.count == 1 else thing.plural_name,
            "colour": said.colour,
            "state": said.state,
            "count": NUMBERS[said.count],
        }
        assert words == expected.get(span.kind, words)


@given(seeds)
def test_every_claim_of_a_description_is_written_down(seed: int) -> None:
    _, caption = caption_of(seed)
    kinds = {(span.kind, span.group) for span in caption.spans}
    for index, group in enumerate(caption.claim.groups):
        assert {("phrase", index), ("object", index)} <= kinds
        assert (("colour", index) in kinds) == bool(group.colour)
        assert (("state", index) in kinds) == bool(group.state)
        assert ("count", index) in kinds or group.count == 1
    assert (("relation", 0) in kinds) == bool(caption.claim.relation)
    assert (("background", -1) in kinds) == bool(caption.claim.background)


@given(seeds)
def test_relations_and_places_are_said_in_the_words_of_the_world(seed: int) -> None:
    _, caption = caption_of(seed)
    for span in caption.spans:
        words = caption.quote(span).lower()
        if span.kind == "relation":
            assert words.startswith(RELATIONS[caption.claim.relation])
            assert caption.claim.groups[1].name in words
        if span.kind == "background":
            assert words in BACKGROUNDS[caption.claim.background]


@given(seeds)
def test_captions_are_tidy(seed: int) -> None:
    text = caption_of(seed)[1].text
    assert text == text.strip()
    assert "  " not in text
    assert " ," not in text
    assert not {" a a", " a e", " a o", " a u"} & {text[i : i + 4] for i in range(len(text))}


@given(seeds)
def test_a_description_of_a_scene_is_true_of_it(seed: int) -> None:
    scene, caption = caption_of(seed)
    assert entailed(caption.claim, scene)
    assert all(holds(caption.claim, s.kind, s.group, scene) for s in caption.spans)


def test_things_are_counted_whatever_they_look_like_where_a_claim_leaves_that_open() -> None:
    boxes = (Box(0, 0, 48), Box(64, 0, 48)), (Box(0, 64, 48),)
    scene = Scene((Group("rose", "red", count=2), Group("rose", "brown")), boxes, "snow")
    assert entailed(Description((Group("rose", count=3),)), scene)
    assert entailed(Description((Group("rose", "red", count=2),)), scene)
    assert not entailed(Description((Group("rose", count=2),)), scene)


@given(seeds)
def test_a_distorted_description_is_false_exactly_where_it_was_changed(seed: int) -> None:
    scene, caption = caption_of(seed)
    distorted, kind, index = distort(np.random.default_rng(seed), caption.claim)
    changed = "colour" if kind == "binding" else kind
    assert not entailed(distorted, scene)
    assert not holds(distorted, changed, index, scene)


@pytest.mark.parametrize(
    ("kind", "index", "question", "seen"),
    [
        ("colour", 0, "what color is the apple?", "black"),
        ("object", 0, "what fruit is there?", "apple"),
        ("phrase", 1, "what object is there?", "backpack"),
        ("count", 1, "how many backpacks are there?", "one"),
        ("relation", 0, "where is the apple?", "to the left of the backpack"),
        ("background", -1, "where does this take place?", "on the grass"),
    ],
)
def test_questions_and_what_a_person_would_answer(
    kind: str, index: int, question: str, seen: str
) -> None:
    claim = Description(MARKET.groups, relation="left", background="grass")
    assert ask_about(claim, kind, index) == question
    assert answer(claim, kind, index, MARKET) == seen


@pytest.mark.parametrize(
    ("claim", "kind", "index", "seen"),
    [
        (Description((Group("apple", "red"),)), "colour", 0, "black"),
        (Description((Group("book", "red"),)), "colour", 0, "no book"),
        (Description((Group("owl"),)), "object", 0, "apple"),
        (Description((Group("backpack"),)), "relation", 0, "to the right of the apple"),
        (Description((APPLE,), background="night"), "background", -1, "on the grass"),
    ],
)
def test_of_a_false_claim_a_person_says_what_is_there(
    claim: Description, kind: str, index: int, seen: str
) -> None:
    assert answer(claim, kind, index, MARKET) == seen


def test_nothing_can_be_said_of_the_colour_of_what_is_not_there() -> None:
    claim = Description((Group("book", "red"),))
    assert holds(claim, "colour", 0, MARKET) is None
    assert holds(claim, "object", 0, MARKET) is False


def test_exchanged_colours_are_no_longer_true() -> None:
    swapped = Description((Group("apple", "green"), Group("backpack", "black")))
    assert entailed(Description(MARKET.groups), MARKET)
    assert not entailed(swapped, MARKET)


@given(seeds)
def test_two_things_of_a_kind_are_told_apart_by_their_neighbour(seed: int) -> None:
    _, caption = caption_of(seed)
    categories = [WORLD.thing(group.name).category for group in caption.claim.groups]
    for span in caption.spans:
        if span.kind == "object":
            alone = categories.count(categories[span.group]) == 1
            assert ("next to" in ask(caption, span)) != alone


def test_scenes_of_several_kinds_have_three_or_four_things_and_some_have_one_colour() -> None:
    rng = np.random.default_rng(7)
    scenes = [sample_several(rng, PRACTICE_WORLD) for _ in range(300)]
    counts = {tuple(group.count for group in scene.groups) for scene in scenes}
    assert {(1, 1, 2), (1, 2, 1), (2, 1, 1), (1, 1, 1, 1)} <= counts
    assert {sum(each) for each in counts} == {3, 4}
    assert min(map(len, counts)) == 2
    assert all(len({group.name for group in scene.groups}) == len(scene.groups) for scene in scenes)
    colours = [{group.colour for group in scene.groups} for scene in scenes]
    assert 0.2 < np.mean([len(each - {""}) == 1 for each in colours]) < 0.5


def test_the_icons_that_ship_learn_from_many_kinds_and_from_several_things_on_one_side() -> None:
    rng = np.random.default_rng(3)
    scenes = [WHOLE_TELLING_ICONS.sample(rng, "train") for _ in range(400)]
    counts = {tuple(group.count for group in scene.groups) for scene in scenes}
    assert {(1,), (1, 1), (2,), (1, 1, 2), (1, 1, 1, 1)} <= counts
    assert 0.15 < np.mean([scene.sided for scene in scenes]) < 0.25
    assert {scene.where for scene in scenes if scene.sided} == set(RELATIONS)


def test_about_the_said_share_of_compositions_is_held_out() -> None:
    coloured = [thing.name for thing in WORLD.things if thing.recolourable]
    colours = [("colour", *pair) for pair in product(coloured, WORLD.colours)]
    names = [thing.name for thing in WORLD.things]
    related = [(relation, *pair) for relation in RELATIONS for pair in product(names, names)]
    assert np.mean(list(map(is_held_out, related))) == pytest.approx(SHARE, abs=0.02)
    assert np.mean(list(map(is_held_out, colours))) == pytest.approx(SHARE, abs=0.06)


@given(seeds, worlds)
def test_stickers_stand_on_the_lattice_apart_from_each_other(seed: int, world: World) -> None:
    scene = sample_scene(np.random.default_rng(seed), world, split=None)
    boxes = [box for group in scene.boxes for box in group]
    assert len(boxes) == sum(group.count for group in scene.groups) <= MOST
    taken = np.zeros((SIZE, SIZE), dtype=int)
    for box in boxes:
        assert box.x % LATTICE == box.y % LATTICE == box.size % LATTICE == 0
        assert box.x + box.size <= SIZE
        assert box.y + box.size <= SIZE
        taken[box.y : box.y + box.size, box.x : box.x + box.size] += 1
    assert taken.max() == 1


@given(seeds, worlds)
def test_a_relation_is_the_opposite_seen_from_the_other_side(seed: int, world: World) -> None:
    scene = sample_scene(np.random.default_rng(seed), world, split=None)
    opposite = {"left": "right", "right": "left", "above": "below", "below": "above", None: None}
    names = [group.name for group in scene.groups]
    for first, second in product(names, names):
        if first != second:
            there, back = scene.relation(first, second), scene.relation(second, first)
            assert there == opposite[back]


@needs_art
def test_an_image_shows_the_colour_it_claims() -> None:
    red = np.asarray(sticker(Group("balloon", "red"), 64)).astype(int)
    blue = np.asarray(sticker(Group("balloon", "blue"), 64)).astype(int)
    inside = red[..., 3] == 255
    assert red[inside][:, 0].mean() > red[inside][:, 2].mean() + 50
    assert blue[inside][:, 2].mean() > blue[inside][:, 0].mean() + 50


@needs_art
def test_every_sticker_has_its_art_and_looks_like_no_other() -> None:
    looks = {
        sticker(Group(thing.name, "red", state), 48).tobytes()
        for thing in WORLD.things
        for state in thing.drawings
    }
    assert len(looks) == sum(len(thing.drawings) for thing in WORLD.things)


@needs_art
def test_the_patch_map_says_which_group_covers_which_patch() -> None:
    covered = STICKERS.patch_map(MARKET)
    assert covered.shape == (8, 8)
    assert covered[4, 2] == 0
    assert covered[4, 6] == 1
    assert set(covered[:2].ravel()) == set(covered[6:].ravel()) == {-1}
    assert not (covered[:, :4] == 1).any()
    assert not (covered[:, 4:] == 0).any()


@needs_art
def test_an_image_differs_from_its_backdrop_only_where_stickers_stand() -> None:
    changed = np.asarray(draw(MARKET)) != np.asarray(backdrop("grass"))
    assert changed[32:96].any()
    assert not changed[:32].any()
    assert not changed[96:].any()

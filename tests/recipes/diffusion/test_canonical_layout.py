"""Order and size in training scenes, where captions leave them open."""

from dataclasses import replace
from itertools import chain, combinations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from recipes.diffusion.canonical_layout import (
    HALF,
    ROWS,
    canonical_claim,
    canonical_layout,
    on_the_ground,
)
from recipes.world.captions import describe, everything
from recipes.world.classes import AIRBORNE
from recipes.world.scenes import (
    Box,
    Group,
    Scene,
    sample_many,
    sample_scene,
    sample_several,
    sample_sides,
)
from recipes.world.splits import hardest
from recipes.world.things import World
from recipes.world.worlds import ICON_WORLD, WORLD

SEEDS = st.integers(0, 2**32 - 1)
CAT, DOG = Group("cat"), Group("dog")


def pair(one: Box, other: Box) -> Scene:
    return Scene((CAT, DOG), ((one,), (other,)), "plain")


@given(SEEDS, st.sampled_from([WORLD, ICON_WORLD]))
def test_settling_a_scene_keeps_what_is_in_it_and_inside_the_image(seed: int, world: World) -> None:
    scene = sample_scene(np.random.default_rng(seed), world)
    after = canonical_layout(scene)
    assert {*after.groups} == {replace(group, drawing=0) for group in scene.groups}
    assert hardest(map(world.split_of, after.compositions)) == "train"
    for group, boxes in zip(after.groups, after.boxes, strict=True):
        assert len(boxes) == group.count
        assert all(0 <= b.x <= 128 - b.size and 0 <= b.y <= 128 - b.size for b in boxes)
    assert canonical_layout(after) == after


def test_of_several_drawings_of_one_thing_the_first_is_shown() -> None:
    scene = Scene((replace(CAT, drawing=2),), ((Box(32, 48, 64),),), "plain")
    assert canonical_layout(scene).groups == (CAT,)


@given(SEEDS)
def test_three_or_more_stand_in_reading_order(seed: int) -> None:
    scene = canonical_layout(sample_scene(np.random.default_rng(seed)))
    boxes = [box for group in scene.boxes for box in group]
    assume(len(boxes) > 2)
    corners = [(box.y // HALF, box.x // HALF) for box in boxes]
    assert corners == [(0, 0), (0, 1), (1, 0), (1, 1)][: len(boxes)]


@given(SEEDS)
def test_five_or_six_stand_in_two_rows_of_three_and_none_on_another(seed: int) -> None:
    drawn = sample_many(np.random.default_rng(seed), ICON_WORLD)
    assert sum(group.count for group in drawn.groups) in (5, 6)
    for scene in (drawn, canonical_layout(drawn)):
        boxes = [box for group in scene.boxes for box in group]
        assert all(0 <= b.x <= 128 - b.size and 0 <= b.y <= 128 - b.size for b in boxes)
        assert not any(
            abs(one.x - other.x) < one.size and abs(one.y - other.y) < one.size
            for one, other in combinations(boxes, 2)
        )
    assert boxes == sorted(boxes, key=lambda box: (box.y, box.x))


def test_two_alike_above_one_another_come_to_stand_side_by_side() -> None:
    boxes = (Box(32, 64, 64), Box(16, 0, 64))
    scene = Scene((replace(CAT, count=2),), (boxes,), "plain")
    assert canonical_layout(scene).boxes == ((Box(0, 48, 64), Box(64, 48, 64)),)


def test_two_things_stay_where_a_word_says_they_are() -> None:
    above = pair(Box(16, 0, 64), Box(16, 64, 64))
    assert canonical_layout(above) == above
    right = pair(Box(64, 16, 64), Box(0, 32, 64))
    assert canonical_layout(right) == pair(Box(64, 48, 64), Box(0, 48, 64))
    askew = pair(Box(80, 64, 32), Box(16, 0, 64))
    assert canonical_layout(askew).groups == (DOG, CAT)


@given(SEEDS)
def test_what_is_alone_on_its_side_of_others_is_in_the_middle_of_it_and_is_said_to_be(
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    scene = canonical_layout(sample_sides(rng, ICON_WORLD, sided=1.0))
    assert scene.where
    assert canonical_layout(scene) == scene
    claim = canonical_claim(rng, scene, everything(scene), ICON_WORLD)
    assert claim.relation in {scene.where, "beside"}
    across = scene.where in ("left", "right")
    for group, boxes in zip(scene.groups, scene.boxes, strict=True):
        along = sorted(box.y if across else box.x for box in boxes)
        assert group.count > 1 or along[0] in (32, 48)
        assert group.count == 1 or along[0] < HALF <= along[1]


def test_what_flies_is_in_the_sky_and_what_does_not_stands_on_the_ground() -> None:
    def height(*names: str) -> set[int]:
        boxes = ((Box(0, 32, 64),), (Box(64, 32, 64),))[: len(names)]
        scene = Scene(tuple(map(Group, names)), boxes, "grass")
        return {box.y for group in canonical_layout(scene).boxes for box in group}

    assert height("star") == height("star", "moon") == {0}
    assert height("cat") == height("cat", "dog") == {48}
    assert height("cat", "star") == {32}


@given(SEEDS, st.booleans(), st.sampled_from(["grass", "plain"]))
def test_several_things_stand_on_the_ground_and_none_before_another(
    seed: int, many: bool, background: str
) -> None:
    sample = sample_many if many else sample_several
    drawn = sample(np.random.default_rng(seed), ICON_WORLD)
    scene = canonical_layout(replace(drawn, background=background))
    after = on_the_ground(scene)
    if background == "plain":
        assert after == scene
        return
    assert on_the_ground(after) == after
    for group, before, boxes in zip(scene.groups, scene.boxes, after.boxes, strict=True):
        for old, box in zip(before, boxes, strict=True):
            in_the_sky = group.name in AIRBORNE and old.y < HALF
            assert box == old if in_the_sky else box.y + box.size in ROWS
    assert not any(
        abs(one.x - other.x) < one.size and abs(one.y - other.y) < one.size
        for one, other in combinations(chain.from_iterable(after.boxes), 2)
    )


def test_what_a_word_says_is_above_others_stays_above_them() -> None:
    birds = (Box(0, 0, 48), Box(64, 0, 48))
    scene = Scene((replace(DOG, count=2), CAT), (birds, (Box(32, 64, 48),)), "grass", sided=True)
    assert scene.where == "above"
    assert on_the_ground(scene) == scene


def test_where_things_are_goes_unsaid_only_where_the_first_is_on_the_left() -> None:
    rng = np.random.default_rng(0)
    left = pair(Box(0, 16, 64), Box(64, 16, 64))
    above = pair(Box(16, 0, 64), Box(16, 64, 64))

    def said(scene: Scene) -> set[str]:
        claims = (describe(rng, scene) for _ in range(40))
        return {canonical_claim(rng, scene, claim, WORLD).relation for claim in claims}

    assert said(left) == {"left", "beside", ""}
    assert said(above) == {"above"}


def test_only_the_state_that_a_thing_is_in_by_itself_goes_unsaid() -> None:
    rng, box = np.random.default_rng(0), ((Box(0, 0, 64),),)

    def said(name: str, state: str) -> set[str]:
        scene = Scene((Group(name, state=state),), box, "plain")
        claims = (describe(rng, scene, terse=0.5) for _ in range(40))
        return {canonical_claim(rng, scene, c, WORLD).groups[0].state for c in claims}

    assert said("umbrella", "open") == {"open", ""}
    assert said("umbrella", "closed") == {"closed"}
    assert said("cat", "") == {""}


@given(SEEDS)
def test_what_is_small_is_called_so_and_a_background_is_named(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = sample_scene(rng)
    claim = canonical_claim(rng, scene, describe(rng, scene), WORLD)
    for drawn, described in zip(scene.groups, claim.groups, strict=True):
        assert (described.size == "small") == (drawn.size == "small")
    assert claim.background == ("" if scene.background == "plain" else scene.background)


def test_half_of_what_is_usual_goes_unsaid_and_nothing_else_does() -> None:
    rng, box = np.random.default_rng(0), ((Box(0, 0, 64),),)

    def said(group: Group) -> set[tuple[str, str]]:
        scene = Scene((group,), box, "plain")
        claims = (canonical_claim(rng, scene, everything(scene), ICON_WORLD) for _ in range(60))
        return {(claim.groups[0].colour, claim.groups[0].size) for claim in claims}

    orange, purple = (Group("carrot", colour, size="large") for colour in ("orange", "purple"))
    assert said(orange) == {("orange", "large"), ("orange", ""), ("", "large"), ("", "")}
    assert said(purple) == {("purple", "large"), ("purple", "")}
    assert said(replace(purple, size="small")) == {("purple", "small")}

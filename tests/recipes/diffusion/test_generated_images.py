"""Generated images with labels: what looks as it is drawn is there, a smear is not."""

from dataclasses import replace
from itertools import chain, product
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from recipes.diffusion import generated_images
from recipes.diffusion.generated_images import (
    GeneratedSet,
    GeneratedSettings,
    RecognisedImage,
    mirror,
    read_set,
    write_set,
)
from recipes.diffusion.read_things import TOUCHING, ReadThing, read_things
from recipes.diffusion.recognition import recognise, recognise_pair
from recipes.world.captions import Description
from recipes.world.domains import (
    FREE_STICKERS,
    STICKERS,
    TELLING_ICONS,
    TOUCHING_ICONS,
    WHOLE_FREE_STICKERS,
    Domain,
)
from recipes.world.scenes import Box, Group, Scene
from tests.recipes.art import needs_art

pytestmark = needs_art

CAT = Group("cat", size="large")
SCENE = Scene((CAT,), ((Box(32, 32, 64),),), "grass")


@pytest.mark.parametrize("domain", [WHOLE_FREE_STICKERS, TELLING_ICONS], ids=["stickers", "icons"])
def test_what_is_drawn_is_recognised_with_its_colours_and_counts(domain: Domain) -> None:
    rng = np.random.default_rng(0)
    scenes = [domain.sample(rng, None) for _ in range(3)]
    for scene, image in zip(scenes, domain.photographs(scenes), strict=True):
        shown = recognise(image, scene.groups, domain)
        assert shown is not None
        looks = {(group.name, group.colour, group.state, group.count) for group in scene.groups}
        assert {(g.name, g.colour, g.state, g.count) for g in shown.groups} == looks
        assert shown.background == scene.background
        assert {*chain(*shown.boxes)} == {*chain(*scene.boxes)}


def test_an_icon_is_known_in_each_of_the_ways_it_is_drawn() -> None:
    car = Group("car", "blue", size="large")
    for way in range(len(TELLING_ICONS.world.thing("car").drawings[""])):
        scene = replace(SCENE, groups=(replace(car, drawing=way),))
        (image,) = TELLING_ICONS.photographs([scene])
        shown = recognise(image, [Group("car")], TELLING_ICONS)
        assert shown == replace(SCENE, groups=(car,))


def test_a_thing_that_is_not_there_is_not_shown() -> None:
    (image,) = STICKERS.photographs([SCENE])
    shown = recognise(image, [Group("dog")], FREE_STICKERS)
    assert shown == Scene((), (), "grass")


@pytest.mark.parametrize("side", [64, 32], ids=["large", "small"])
def test_of_a_smear_nothing_is_there(side: int) -> None:
    scene = replace(SCENE, boxes=((Box(32, 32, side),),))
    shown = recognise(_smeared(scene, pixels=8), [replace(CAT, size="small")], FREE_STICKERS)
    assert shown == Scene((), (), "grass")


def test_of_half_a_smear_nothing_is_said() -> None:
    assert recognise(_smeared(SCENE, pixels=32), [Group("cat")], FREE_STICKERS) is None


@pytest.mark.parametrize(("letter", "shown"), [("r", (CAT,)), ("s", ()), ("u", None)])
def test_what_a_reader_saw_of_half_a_smear_counts(
    letter: str, shown: tuple[Group, ...] | None
) -> None:
    image = _smeared(SCENE, pixels=32)
    read = [ReadThing("dog", 32, 32, "r"), ReadThing("cat", 33, 30, letter)]
    found = recognise(image, [Group("cat")], FREE_STICKERS, read=read)
    assert (found.groups if found else None) == shown


def test_a_clear_thing_that_a_reader_did_not_recognise_is_none() -> None:
    (image,), read = STICKERS.photographs([SCENE]), [ReadThing("cat", 32, 32, "s")]
    found = [
        recognise(image, [Group("cat")], FREE_STICKERS, read=letters) for letters in ([], read)
    ]
    assert [each.groups for each in found if each] == [(CAT,), ()]


def test_beside_a_clear_thing_a_smeared_one_leaves_their_number_in_doubt() -> None:
    two = replace(
        SCENE, groups=(replace(CAT, count=2),), boxes=((Box(0, 32, 64), Box(64, 32, 64)),)
    )
    (image,) = STICKERS.photographs([two])
    shown = recognise(image, [Group("cat")], FREE_STICKERS)
    assert shown is not None
    assert shown.groups == two.groups
    image[..., 64:] = _smeared(two, pixels=24)[..., 64:]
    assert recognise(image, [Group("cat")], FREE_STICKERS) is None


WORN = Scene(
    (Group("dog", "brown", size="large"), Group("cap", "red", size="large")),
    ((Box(32, 48, 64),), (Box(32, 16, 64),)),
    "grass",
    touching="worn",
)
DOG, CAP = ReadThing("dog", 32, 50, "r"), ReadThing("cap", 33, 16, "r")


def _touch(letter: str) -> ReadThing:
    return ReadThing(TOUCHING, 0, 0, letter)


@pytest.mark.parametrize(
    ("read", "shown"),
    [
        ([CAP, DOG, _touch("r")], WORN),
        ([CAP, DOG, _touch("s")], replace(WORN, touching="")),
        ([DOG, _touch("r")], Scene(WORN.groups[:1], WORN.boxes[:1], "grass")),
        ([_touch("s")], Scene((), (), "grass")),
        ([replace(DOG, x=64), _touch("s")], None),
        ([], None),
    ],
    ids=["worn", "apart", "no cap", "smears", "none found there", "not read"],
)
def test_of_a_pair_that_is_there_which_readers_named_and_it_touches_where_they_say_so(
    read: list[ReadThing], shown: Scene | None
) -> None:
    (image,) = TOUCHING_ICONS.photographs([WORN])
    assert recognise_pair(image, WORN, TOUCHING_ICONS, read) == shown


def test_most_pairs_for_readers_touch_and_are_of_one_thing_each() -> None:
    rng = np.random.default_rng(0)
    scenes = [TOUCHING_ICONS.sample(rng, None) for _ in range(60)]
    assert {scene.touching for scene in scenes} == {"", "on", "in", "worn"}
    assert sum(bool(scene.touching) for scene in scenes) > 40
    assert all([group.count for group in scene.groups] == [1, 1] for scene in scenes)


def _smeared(scene: Scene, pixels: int) -> Tensor:
    small = functional.interpolate(STICKERS.photographs([scene]), size=pixels, mode="area")
    (smear,) = functional.interpolate(small, size=128, mode="bilinear")
    return smear


def test_what_is_written_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated_images, "AT_ONCE", 2)
    folder = write_set(GeneratedSettings(tmp_path / "set", count=2))
    first = read_set(folder)
    assert first.pixels.shape == (2, 3, 128, 128)
    assert all(each.asked.groups for each in first.images)
    images, pixels = first.draw(np.random.default_rng(0), 3)
    assert len(images) == len(pixels) == 3
    assert -1 <= float(pixels.min()) <= float(pixels.max()) <= 1


def test_the_shards_of_the_recipe_and_its_labelled_pairs_are_read() -> None:
    stickers = *(f"stickers-{number:02}" for number in range(9)), "stickers-labelled"
    icons = "touching-00", "touching-05", "icons-labelled"
    for images, low, high in (*product(stickers, [0.3], [0.8]), *product(icons, [0.5], [0.9])):
        things = [each for own in read_things(images).values() for each in own]
        recognised = sum(each.letter == "r" for each in things) / len(things)
        assert low < recognised < high, images


def test_half_of_those_drawn_lack_something_and_half_are_mirrored() -> None:
    bird = Group("bird")
    right = RecognisedImage(Description((CAT,)), SCENE)
    lacking = RecognisedImage(Description((CAT, bird)), SCENE)
    pixels = torch.zeros(10, 3, 128, 128, dtype=torch.uint8)
    pixels[:, :, :, 0] = 255
    drawn, shown = GeneratedSet((lacking, *[right] * 9), pixels).draw(np.random.default_rng(0), 400)
    assert 160 < sum(each.lacks for each in drawn) < 240
    assert 160 < int((shown[:, 0, 0, -1] > 0).sum()) < 240


def test_a_mirrored_scene_has_its_relations_turned_round() -> None:
    first, second = Box(0, 40, 48), Box(70, 40, 48)
    scene = Scene((Group("cat"), Group("bird")), ((first,), (second,)), "grass")
    assert (scene.where, mirror(scene).where) == ("left", "right")
    assert mirror(mirror(scene)) == scene

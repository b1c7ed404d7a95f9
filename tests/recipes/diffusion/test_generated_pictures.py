"""Generated pictures with labels: what looks as it is drawn is there, a smear is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from benchmarks.stickers.detector import DetectedScene, Sticker
from recipes.diffusion import generated_pictures
from recipes.diffusion.generated_pictures import (
    GeneratedPicture,
    GeneratedSet,
    GeneratedSettings,
    mirror,
    read_set,
    write_set,
)
from recipes.diffusion.recognition import drawn_there, likeness, recognise
from recipes.world.art import draw, photographs
from recipes.world.captions import Description
from recipes.world.domains import FREE_STICKERS
from recipes.world.domains import ICONS as ICON_DOMAIN
from recipes.world.scenes import Box, Group, Scene
from tests.recipes.art import needs_art

pytestmark = needs_art

CAT = Group("cat", size="large")
PICTURE = Scene((CAT,), ((Box(32, 32, 64),),), "grass")
SEEN = Sticker("cat", "", "", 64, 32, 32)
BOUNDS = GeneratedSettings().bounds


def test_a_sticker_looks_like_its_drawing_and_not_like_another() -> None:
    pixels = np.asarray(draw(PICTURE), np.float32)
    assert likeness(pixels, SEEN, "grass", FREE_STICKERS) > 0.99
    dog = Sticker("dog", "", "", 64, 32, 32)
    assert likeness(pixels, dog, "grass", FREE_STICKERS) < 0.55


def test_of_a_clear_thing_its_scene_is_told() -> None:
    (picture,) = photographs([PICTURE])
    found = recognise(
        picture, DetectedScene((SEEN,), "grass"), Description((CAT,)), FREE_STICKERS, BOUNDS
    )
    assert found == PICTURE


def test_without_a_detector_things_are_where_they_were_drawn() -> None:
    assert drawn_there(PICTURE) == DetectedScene((SEEN,), "grass")
    twice = replace(PICTURE, groups=(replace(CAT, count=2),), boxes=(PICTURE.boxes[0] * 2,))
    assert drawn_there(twice).stickers == (SEEN, SEEN)


def test_a_thing_that_the_detector_calls_otherwise_is_known_by_what_was_asked_for() -> None:
    (picture,) = photographs([PICTURE])
    misread = DetectedScene((Sticker("dog", "", "", 64, 32, 32),), "grass")
    assert recognise(picture, misread, Description((CAT,)), FREE_STICKERS, BOUNDS) == PICTURE


def test_an_icon_is_known_in_each_of_the_ways_it_is_drawn() -> None:
    car = Group("car", "blue")
    ways = range(len(ICON_DOMAIN.world.thing("car").drawings[""]))
    for way in ways:
        scene = replace(PICTURE, groups=(replace(car, drawing=way),))
        (picture,) = ICON_DOMAIN.photographs([scene])
        seen = DetectedScene((replace(SEEN, name="car", colour="blue"),), "grass")
        found = recognise(picture, seen, Description((car,)), ICON_DOMAIN, BOUNDS)
        assert [(group.name, group.colour) for group in found.groups] == [("car", "blue")]


def test_of_a_smear_nothing_is_there() -> None:
    smeared = functional.interpolate(photographs([PICTURE]), size=8, mode="area")
    (picture,) = functional.interpolate(smeared, size=128, mode="bilinear")
    found = recognise(
        picture, DetectedScene((SEEN,), "grass"), Description((CAT,)), FREE_STICKERS, BOUNDS
    )
    assert not found.groups


def test_what_is_written_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated_pictures, "AT_ONCE", 2)
    folder = write_set(GeneratedSettings(tmp_path / "set", count=2))
    first = read_set(folder)
    assert first.pixels.shape == (2, 3, 128, 128)
    assert all(each.asked.groups for each in first.pictures)
    pictures, pixels = first.draw(np.random.default_rng(0), 3)
    assert len(pictures) == len(pixels) == 3
    assert -1 <= float(pixels.min()) <= float(pixels.max()) <= 1


def test_half_of_those_drawn_lack_something_and_half_are_mirrored() -> None:
    bird = Group("bird")
    right = GeneratedPicture(Description((CAT,)), PICTURE, "whole")
    lacking = GeneratedPicture(Description((CAT, bird)), PICTURE, "short")
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

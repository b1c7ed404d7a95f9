"""Labelled pairs are drawn the same again, half of them right."""

from dataclasses import replace
from pathlib import Path

import pytest

from alignment.labelled_pairs import read_labelled_pairs
from benchmarks.stickers.generated import LoadedGenerator
from recipes.world import labelled_pairs
from recipes.world.captions import Description
from recipes.world.domains import ICONS, STICKERS, Domain
from recipes.world.labelled_pairs import write_drawn_pairs, write_recognised_pairs
from recipes.world.scenes import Box, Group, Scene
from tests.recipes.art import needs_art

pytestmark = needs_art


@pytest.mark.parametrize("domain", [STICKERS, ICONS], ids=["stickers", "icons"])
def test_every_scene_has_a_caption_that_is_right_and_a_foil_that_is_not(
    tmp_path: Path, domain: Domain
):
    first = read_labelled_pairs(write_drawn_pairs(tmp_path / "a", 7, 5, domain))
    again = read_labelled_pairs(write_drawn_pairs(tmp_path / "b", 7, 5, domain))
    assert [*first["right"]] == [True, False] * 5
    assert [*first["text"]] == [*again["text"]]
    assert all(Path(image).is_file() for image in first["image"])
    assert all(first["text"].to_numpy()[::2] != first["text"].to_numpy()[1::2])


def test_recognised_pairs_are_labelled_by_what_is_there_and_doubt_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    apple, nothing = Scene((Group("apple", "red"),), ((Box(32, 32, 64),),), "plain"), None
    shown = iter([apple, nothing, replace(apple, groups=(Group("apple", "blue"),)), nothing])
    monkeypatch.setattr(labelled_pairs, "shown_in", lambda *_: next(shown))
    blue = Description((Group("apple", "blue"),))
    monkeypatch.setattr(labelled_pairs, "distort", lambda *_: (blue, "colour", 0))
    domain = replace(ICONS, sample=lambda *_: apple, describe=lambda *_: Description(apple.groups))
    pairs = read_labelled_pairs(
        write_recognised_pairs(
            tmp_path / "generated", 7, 1, domain, LoadedGenerator.of("icons"), "icons"
        )
    )
    assert [Path(image).stem for image in pairs["image"]] == ["0000-0"] * 2 + ["0000-2"] * 2
    assert [*pairs["right"]] == [True, False, False, True]

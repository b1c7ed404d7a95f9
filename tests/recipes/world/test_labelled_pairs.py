"""Labelled pairs are drawn the same again, half of them right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from alignment.labelled_pairs import read_labelled_pairs
from recipes.world import labelled_pairs
from recipes.world.captions import Description
from recipes.world.domains import ICONS
from recipes.world.labelled_pairs import write_drawn_pairs, write_recognised_pairs
from recipes.world.scenes import Box, Group, Scene
from tests.recipes.art import needs_art

pytestmark = needs_art


def test_every_scene_has_a_caption_that_is_right_and_a_foil_that_is_not(tmp_path: Path):
    first = read_labelled_pairs(write_drawn_pairs(tmp_path / "a", 7, 5))
    again = read_labelled_pairs(write_drawn_pairs(tmp_path / "b", 7, 5))
    assert [pair.right for pair in first] == [True, False] * 5
    assert [pair.text for pair in first] == [pair.text for pair in again]
    assert all(pair.image.is_file() for pair in first)
    assert all(
        caption.text != foil.text for caption, foil in zip(first[::2], first[1::2], strict=True)
    )


def test_pairs_of_icons_are_drawn_as_icons(tmp_path: Path):
    icons = read_labelled_pairs(write_drawn_pairs(tmp_path / "icons", 7, 3, ICONS))
    assert [pair.right for pair in icons] == [True, False] * 3


def test_recognised_pairs_are_labelled_by_what_is_there_and_doubt_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    apple, nothing = Scene((Group("apple", "red"),), ((Box(32, 32, 64),),), "plain"), None
    shown = iter([apple, nothing, replace(apple, groups=(Group("apple", "blue"),)), nothing])
    monkeypatch.setattr(labelled_pairs, "recognise", lambda *_: next(shown))
    blue = Description((Group("apple", "blue"),))
    monkeypatch.setattr(labelled_pairs, "distort", lambda *_: (blue, "colour", 0))
    domain = replace(ICONS, sample=lambda *_: apple, describe=lambda *_: Description(apple.groups))
    pairs = read_labelled_pairs(
        write_recognised_pairs(tmp_path / "generated", 7, 1, domain, "icons")
    )
    assert [pair.image.stem for pair in pairs] == ["0000-0"] * 2 + ["0000-2"] * 2
    assert [pair.right for pair in pairs] == [True, False, False, True]

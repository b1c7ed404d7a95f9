"""Labelled pairs are drawn the same again, half of them right."""

from __future__ import annotations

from pathlib import Path

from alignment.labelled_pairs import read_labelled_pairs
from recipes.world.labelled_pairs import write_drawn_pairs
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

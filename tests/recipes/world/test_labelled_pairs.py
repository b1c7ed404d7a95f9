"""Labelled pairs are drawn the same again, half of them right."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from alignment.labelled_pairs import read_labelled_pairs
from benchmarks.read_by_eye import ReadPrompt
from recipes.world import labelled_pairs
from recipes.world.domains import ICONS
from recipes.world.labelled_pairs import (
    prompts_of_several,
    write_drawn_pairs,
    write_generated_pairs,
    write_read_pairs,
)
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


def test_what_a_person_read_labels_a_prompt_and_its_foil(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    read = [ReadPrompt("calibration", "a cat", 5, "rsuw", "two cats")]
    read.append(ReadPrompt("test", "a dog", 9, "rrrr", "two dogs"))
    monkeypatch.setattr(labelled_pairs, "read_prompts", lambda model: read)
    pairs = read_labelled_pairs(write_read_pairs(tmp_path / "read", "stickers"))
    right, smear, wrong = pairs[:2], pairs[2:4], pairs[4:]
    assert [pair.right for pair in right] == [True, False]
    assert [pair.right for pair in (*smear, *wrong)] == [False] * 4
    assert [pair.text for pair in pairs] == ["a cat", "two cats"] * 3


def test_prompts_of_several_things_have_four_images_each_and_as_many_of_a_foil(tmp_path: Path):
    prompts = [*islice(prompts_of_several(np.random.default_rng(7)), 2)]
    assert all(sum(group.count for group in claim.groups) in (3, 4) for _, claim in prompts)
    pairs = read_labelled_pairs(write_generated_pairs(tmp_path / "composed", prompts, 7))
    texts = [*dict.fromkeys(pair.text for pair in pairs)]
    assert (len(pairs), len(texts)) == (16, 4)
    assert [text for text, _ in prompts] == texts[::2]
    assert all(pair.image.is_file() for pair in pairs)

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image as PillowImage

from alignment.loading import Models
from alignment.records import ImageScore
from benchmarks.painter import (
    ACROSS,
    COLOURED,
    LABEL,
    PROMPTS,
    SINGLES,
    Painted,
    contact_sheet,
    judge,
    main,
    paint,
)
from generation import ModelSpec
from tests.alignment.tiny_judges import TEXT

VOCABULARY = json.loads((Path(__file__).parents[2] / "assets" / "vocabulary.json").read_text())


def test_36_prompts_are_of_one_thing_and_none_is_said_twice() -> None:
    assert len(SINGLES) == 36
    assert len(set(PROMPTS)) == len(PROMPTS) == 48


def test_prompts_cover_all_colours_evenly_and_every_thing_that_has_them() -> None:
    colours = Counter(colour for each in COLOURED.values() for colour in each.split())
    assert set(colours) == set(VOCABULARY["colours"])
    assert set(colours.values()) == {4, 5}
    assert set(COLOURED) == {n for n, thing in VOCABULARY["classes"].items() if thing["colours"]}


def test_every_word_is_in_the_vocabulary() -> None:
    assert {word for prompt in PROMPTS for word in prompt.split()} <= set(VOCABULARY["words"])


def test_a_prompt_is_painted_from_the_same_seed_whatever_comes_before_it(
    tiny_painter: ModelSpec,
) -> None:
    _, second = paint(["black apple", "green apple"], tiny_painter, seed=3)
    (alone,) = paint(["green apple"], tiny_painter, seed=4)
    assert second.tobytes() == alone.tobytes()


def test_a_picture_is_asked_the_questions_of_its_own_prompt(models: Models) -> None:
    judged = judge(TEXT, PillowImage.new("RGB", (32, 32), "red"), models)
    assert "black" in [entry.pair.answer.text for entry in judged.score.evidence]


def test_the_sheet_shows_each_picture_above_its_words() -> None:
    colours = ["red", "green", "navy", "pink", "gold", "teal", "gray"]
    painted = [
        Painted(f"a {name} apple", PillowImage.new("RGB", (128, 128), name), ImageScore("vq2", 0.5))
        for name in colours
    ]
    sheet = contact_sheet(painted)
    assert sheet.size == (ACROSS * 128, 2 * (128 + LABEL))
    last = sheet.crop((0, 128 + LABEL, 128, 2 * 128 + LABEL))
    assert last.getcolors() == [(128 * 128, (128, 128, 128))]
    label = sheet.crop((0, 128, 128, 128 + LABEL)).convert("L")
    assert label.getextrema()[0] < 64
    assert sheet.crop((128, 128 + LABEL, 256, 2 * (128 + LABEL))).getcolors() == [
        (128 * (128 + LABEL), (255, 255, 255))
    ]


def test_without_a_place_for_the_sheet_the_command_says_what_to_give(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "--out" in capsys.readouterr().err

"""Images of icons read for GenEval: right, wrong, or in doubt."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.stickers.generated import LoadedGenerator
from recipes.geneval import GenevalPrompt, measure, read_prompts
from recipes.world.art import draw
from recipes.world.domains import ICONS
from recipes.world.scenes import Box, Group, Scene
from tests.recipes.art import needs_art

pytestmark = needs_art

LEFT, RIGHT = Box(0, 32, 64), Box(64, 32, 64)
CLOCK = {"class": "clock", "count": 1}
APPLE = {"class": "apple", "count": 1, "color": "red", "position": ["left of", 0]}
LINE = {"tag": "position", "include": [CLOCK, APPLE], "prompt": "a photo of a red apple ..."}
SCENE = Scene((Group("apple", "red"), Group("clock")), ((LEFT,), (RIGHT,)), "plain")
TURNED = replace(SCENE, boxes=((RIGHT,), (LEFT,)))
GREEN = replace(SCENE, groups=(Group("apple", "green"), Group("clock")))
ALONE = Scene(SCENE.groups[:1], ((LEFT,),), "plain")


@pytest.mark.parametrize(
    ("scene", "right"), [(SCENE, True), (TURNED, False), (GREEN, False), (ALONE, False)]
)
def test_things_colours_and_places_must_be_as_asked(scene: Scene, right: bool) -> None:
    assert GenevalPrompt.of(LINE).is_right(draw(scene, ICONS.stamp)) is right


def test_a_number_of_things_must_be_exact() -> None:
    clocks = {"class": "clock", "count": 2}
    two = GenevalPrompt.of({"tag": "counting", "include": [clocks], "prompt": "two clocks"})
    scene = Scene((Group("clock", count=2),), ((LEFT, RIGHT),), "plain")
    assert two.is_right(draw(scene, ICONS.stamp)) is True
    one = GenevalPrompt.of({**LINE, "include": [CLOCK]})
    assert one.is_right(draw(scene, ICONS.stamp)) is False


def test_what_is_half_clear_is_in_doubt_and_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = draw(ALONE, ICONS.stamp)
    blurred = image.resize((20, 20)).resize(image.size)
    apple = {"tag": "colors", "include": [{"class": "apple", "count": 1}], "prompt": "an apple"}
    file = tmp_path / "prompts.jsonl"
    file.write_text(json.dumps(apple) + "\n")
    (prompt,) = read_prompts(file)
    assert prompt.is_right(blurred) is None

    images = [image, blurred, blurred, draw(SCENE, ICONS.stamp)]
    monkeypatch.setattr(LoadedGenerator, "grid", lambda *_: images)
    found = [*measure([prompt], LoadedGenerator.of("icons"))]
    assert [(n.name, n.value) for n in found[:2]] == [("right", 0.5), ("in doubt", 0.5)]
    assert np.allclose([n.value for n in found[2:]], 0.5)

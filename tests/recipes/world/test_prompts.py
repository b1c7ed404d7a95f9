"""The prompts as people type them, and what of each a model of stickers should understand."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from recipes.world.things import RELATIONS, SIZES
from recipes.world.worlds import WORLD
from ui.render.vocabulary import unknown_words

FILE = Path(__file__).parents[3] / "assets" / "benchmarks" / "prompts" / "prompts.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def test_there_are_a_hundred_different_prompts() -> None:
    assert len({line["prompt"] for line in LINES}) == 100


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["prompt"])
def test_what_a_prompt_asks_for_can_be_shown(line: dict[str, Any]) -> None:
    assert line["background"] in ("", *WORLD.backgrounds)
    assert line["relation"] in ("", *RELATIONS)
    assert line["groups"]
    for group in line["groups"]:
        thing = WORLD.thing(group["name"])
        assert group.get("colour", "") in (("", *WORLD.colours) if thing.recolourable else ("",))
        assert group.get("state", "") in ("", *thing.states)
        assert group.get("size", "") in ("", *SIZES)


LEARNED = {"very", "spaceship"}
"""A word that no image could miss; and another name of the rocket, since these were written."""


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["prompt"])
def test_the_page_names_the_unknown_words(line: dict[str, Any]) -> None:
    assert all(word in line["prompt"].lower() for word in line["unknown"])
    named = {*unknown_words(line["prompt"], "", "stickers")}
    assert {word for word in line["unknown"] if word.isalpha()} - LEARNED <= named
    assert len(named - {*line["unknown"], *re.findall("[a-z]+", " ".join(line["unknown"]))}) <= 1

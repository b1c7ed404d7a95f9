"""What a person saw in generated images against what the scores say."""

from __future__ import annotations

import json

import pytest

from benchmarks.read_by_eye import KINDS, PROMPTS, JudgedImage
from tests.benchmarks.command import numbers


def test_every_prompt_was_read_in_each_of_its_four_images() -> None:
    lines = [json.loads(line) for line in PROMPTS.read_text("utf-8").splitlines()]
    assert all(len(line["read"]) == 4 and {*line["read"]} <= {*KINDS} for line in lines)
    seeds = [line["seed"] for line in lines]
    assert len({*seeds}) == len(seeds)


def test_a_right_image_is_condemned_and_a_smear_praised_at_one_half() -> None:
    right = JudgedImage("hard", "right", {"vq2": 0.4, "vnli": 0.5})
    assert (right.mistaken("vq2"), right.mistaken("vnli")) == (True, False)
    smear = JudgedImage("hard", "smear", {"vq2": None, "vnli": 0.5})
    assert (smear.mistaken("vq2"), smear.mistaken("vnli")) == (None, True)


def test_images_are_generated_again_and_judged(capsys: pytest.CaptureFixture[str]) -> None:
    found = numbers(capsys, "read_by_eye", "--limit", 1)
    right = found["right condemned|part:held out|method:vnli|n:4"]
    assert (right["value"], right["units"]) == (0.0, 4)

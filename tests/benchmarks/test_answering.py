from __future__ import annotations

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.models.adapters import adapter_of
from alignment.models.spec import Templates
from alignment.models.vlm import VisionLanguageModel
from benchmarks.answering import QUESTIONS, TEMPLATES, answers_here, compare
from benchmarks.data.random_vlms import FAMILIES, random_vlm
from tests.benchmarks.command import numbers


@pytest.fixture
def images() -> list[Image]:
    return [PillowImage.new("RGB", (48, 48), name) for name in ("red", "green", "navy", "pink")]


@pytest.mark.parametrize("family", FAMILIES)
def test_one_reading_of_each_picture_changes_no_answer(family: str, images: list[Image]) -> None:
    found = compare(family, images, 64, 2, QUESTIONS[:3])
    assert found["P(yes) differs"] < 1e-4
    assert found["MB kept of an image"] > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_random_models_tell_pictures_and_questions_apart(family: str, images: list[Image]) -> None:
    templates = TEMPLATES.get(family, Templates(question="{question}"))
    spoken = [templates.question.format(question=question) for question in QUESTIONS]
    model = VisionLanguageModel(adapter_of(*random_vlm(family, spoken, 64, 2)), templates)
    assert len(set(answers_here(model, images, QUESTIONS[:3]))) == 12


def test_the_last_line_holds_every_number(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--images", 1, "--side", 32, "--width", 64, "--layers", 1)
    found = numbers(capsys, "answering", *options)
    for family in FAMILIES:
        here, published, times = (
            found[f"{name}|family:{family}|images:1|width:64|layers:1"]["value"]
            for name in ("s here", "s published", "times")
        )
        assert times == published / here

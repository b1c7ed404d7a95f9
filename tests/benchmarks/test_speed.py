from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.models.adapters import adapter_of
from alignment.models.image_models import STICKER_CLIP, STICKER_VLM
from alignment.models.spec import Templates
from alignment.models.text_models import STICKER_T5
from alignment.models.vlm import VisionLanguageModel
from benchmarks.speed import (
    QUESTIONS,
    TEMPLATE,
    answers_here,
    compare,
    random_blip2,
)
from tests.benchmarks.command import run

STAGES = ["questions", "vq2", "vnli", "clip", "saliency", "metrics"]


@pytest.fixture
def images() -> list[Image]:
    return [PillowImage.new("RGB", (48, 48), name) for name in ("red", "green", "navy", "pink")]


@pytest.fixture(scope="module")
def blip2() -> tuple[Any, Any, VisionLanguageModel]:
    network, processor = random_blip2(QUESTIONS, width=64, layers=1, side=28)
    family = adapter_of(network, processor)
    return network, processor, VisionLanguageModel(family, Templates(question=TEMPLATE))


def test_one_encoding_for_each_picture_changes_no_answer(
    blip2: tuple[Any, Any, VisionLanguageModel], images: list[Image]
) -> None:
    found = compare(*blip2, images, QUESTIONS[:3])
    assert (found.images, found.questions) == (4, 3)
    assert found.difference < 1e-4


def test_the_random_blip2_tells_pictures_and_questions_apart(
    blip2: tuple[Any, Any, VisionLanguageModel], images: list[Image]
) -> None:
    assert len(set(answers_here(blip2[-1], images, QUESTIONS[:3]))) == 12


def test_the_last_line_holds_every_number(capsys: pytest.CaptureFixture[str]) -> None:
    for spec in (STICKER_T5, STICKER_VLM, STICKER_CLIP):
        if not Path(spec.source).is_dir():
            pytest.skip(f"no trained {spec.name}")
    small = ("--rows", 1, "--columns", 2, "--width", 64, "--layers", 1)
    result = run(capsys, "speed", *small)
    assert [stage for stage in result["seconds"] if stage != "generate"] == STAGES
    assert result["answering"]["difference"] < 1e-4
    assert result["answering"]["questions"] == 10
    answering = result["answering"]
    assert answering["ratio"] == answering["published_s"] / answering["here_s"]

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.loading import Models
from alignment.models import STICKER_CLIP, STICKER_T5, STICKER_VLM
from benchmarks.speed import (
    compare_encodings,
    held_out_pictures,
    main,
    paint,
    stage_seconds,
    timed,
)
from generation import GridRequest, ModelSpec
from tests.alignment.tiny_judges import TEXT

STAGES = ["questions", "vq2", "vnli", "clip", "saliency", "metrics"]


@pytest.fixture
def images() -> list[Image]:
    return [PillowImage.new("RGB", (48, 48), name) for name in ("red", "green", "navy", "pink")]


def test_one_encoding_for_each_picture_changes_no_answer(
    models: Models, images: list[Image]
) -> None:
    predicates = ["is black true for what color is the apple?", "is green true?", "you see"]
    found = compare_encodings(models.answerer, images, predicates)
    assert (found.pictures, found.questions) == (4, 3)
    assert found.difference < 1e-4
    assert found.ratio == found.each_s / found.once_s


def test_every_stage_of_an_evaluation_is_timed(models: Models, images: list[Image]) -> None:
    seconds = stage_seconds(TEXT, images, 2, 2, models)
    assert [*seconds] == STAGES
    assert min(seconds.values()) >= 0


def test_a_painting_is_timed_and_handed_on(tiny_painter: ModelSpec) -> None:
    request = GridRequest("black apple", rows=1, columns=3, model="tiny")
    seconds, images = paint(request, tiny_painter)
    assert seconds > 0
    assert len(images) == 3


def test_timing_gives_back_what_the_work_gave() -> None:
    seconds, result = timed(lambda: 7)
    assert result == 7
    assert 0 <= seconds < 1


def test_pictures_of_the_test_set_stand_in_for_painted_ones() -> None:
    assert [image.size for image in held_out_pictures(9)] == [(128, 128)] * 9


def test_the_last_line_holds_every_number(capsys: pytest.CaptureFixture[str]) -> None:
    for spec in (STICKER_T5, STICKER_VLM, STICKER_CLIP):
        if not Path(spec.source).is_dir():
            pytest.skip(f"no trained {spec.name}")
    main(["--rows", "1", "--columns", "2"])
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [stage for stage in result["seconds"] if stage != "paint"] == STAGES
    assert result["encodings"]["difference"] < 1e-4

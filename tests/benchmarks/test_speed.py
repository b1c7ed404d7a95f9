from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.loading import Models
from alignment.models import STICKER_CLIP, STICKER_T5, STICKER_VLM
from benchmarks.speed import (
    Encodings,
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


def test_the_ratio_says_how_many_times_longer_an_encoding_for_each_question_takes() -> None:
    assert Encodings(9, 5, once_s=0.5, each_s=2, difference=0).ratio == 4


def test_every_stage_of_an_evaluation_is_timed(models: Models, images: list[Image]) -> None:
    assert [*stage_seconds(TEXT, images, 2, 2, models)] == STAGES


def test_a_painting_is_timed_and_handed_on(tiny_painter: ModelSpec) -> None:
    request = GridRequest("black apple", rows=1, columns=3, model="tiny")
    (_, first), (seconds, again) = (paint(request, tiny_painter) for _ in range(2))
    assert 0 < seconds < 60
    assert [image.tobytes() for image in first] == [image.tobytes() for image in again]
    assert len({image.tobytes() for image in first}) == 3


def test_timing_gives_back_what_the_work_gave_and_how_long_it_took() -> None:
    seconds, result = timed(lambda: time.sleep(0.02) or 7)
    assert result == 7
    assert 0.02 <= seconds < 2


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

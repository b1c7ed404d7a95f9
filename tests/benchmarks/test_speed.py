from __future__ import annotations

from pathlib import Path

import pytest

from alignment.models.image_models import STICKER_CLIP, STICKER_VLM
from alignment.models.text_models import STICKER_T5
from alignment.scorers import GRID_METHODS
from tests.benchmarks.command import numbers

STAGES = ["generate", "questions", *GRID_METHODS, "saliency", "metrics"]


def test_the_last_line_holds_the_seconds_of_every_stage(capsys: pytest.CaptureFixture[str]) -> None:
    for spec in (STICKER_T5, STICKER_VLM, STICKER_CLIP):
        if not Path(spec.source).is_dir():
            pytest.skip(f"no trained {spec.name}")
    found = numbers(capsys, "speed", "--rows", 1, "--columns", 2)
    *seconds, together = (each["value"] for each in found.values())
    assert [*found] == [f"seconds|stage:{stage}" for stage in (*STAGES, "together")]
    assert all(each > 0 for each in seconds)
    assert together == pytest.approx(sum(seconds))

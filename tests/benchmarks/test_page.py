from pathlib import Path

import pytest

from alignment.models.image_models import ICON_CLIP, ICON_VLM
from alignment.models.text_models import STICKER_T5
from alignment.scorers import GRID_METHODS
from benchmarks.page import PROMPT, job

STAGES = ["reading", "generating", "questions", *GRID_METHODS, "saliency", "metrics"]


def test_the_job_says_the_seconds_of_every_stage() -> None:
    for spec in (STICKER_T5, ICON_VLM, ICON_CLIP):
        if not Path(spec.source).is_dir():
            pytest.skip(f"no trained {spec.name}")
    found = job(PROMPT, 1, 7)
    assert [*found] == STAGES
    assert all(seconds > 0 for stage, seconds in found.items() if stage != "questions")

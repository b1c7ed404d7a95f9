"""What is done for one prompt and one text-to-image model."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

import hub
from alignment.report import stored_report
from alignment.scorers import GRID_METHODS
from generation import find_model
from session.batch.ledger import pictures_of
from session.batch.units import TargetImage, Unit
from session.batch.work import score
from session.png_text import read_settings
from tests.session.batch.conftest import Tiny
from tests.tiny_models import known
from tests.tiny_pipelines import save_stable_diffusion


def test_a_record_is_a_report_that_can_be_read_again(units: tuple[Unit, ...], tmp_path: Path):
    record = score(units[0], tmp_path)
    stored = stored_report(json.loads(json.dumps(record)))
    assert record["id"] == units[0].id
    assert stored.report.prompt == units[0].request.prompt
    assert [len(scores) for scores in stored.report.scores.values()] == [2] * 3
    assert all((tmp_path / str(file)).is_file() for file in stored.images)
    assert read_settings(tmp_path / stored.images[1]).request.grid == units[0].request.grid
    assert stored.report.set_scores == (), "nobody has calibrated these models"
    assert stored.asked["revision"] == hub.revision(find_model("tiny").source)


def test_images_are_scored_by_how_close_they_come_to_targets_too(
    units: tuple[Unit, ...], tmp_path: Path
):
    """The first image is the target itself; a record says which images were wanted."""
    home = pictures_of(tmp_path, score(units[0], tmp_path)["id"])
    wanted = TargetImage(home / "cell-00.png", "3a7b")
    record = score(replace(units[0], targets=(wanted,)), tmp_path)
    report = stored_report(json.loads(json.dumps(record))).report
    first, second = report.relevance["targets"]
    assert first == pytest.approx(1)
    assert second < first
    assert record["targets"] == ["3a7b"]


def test_a_filtered_picture_is_kept_nowhere_and_not_judged(
    units: tuple[Unit, ...],
    tiny: Tiny,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
):
    source = tmp_path_factory.mktemp("prudish")
    save_stable_diffusion(source, checker_verdict=True)
    (pipeline, _), bundle = tiny
    prudish = replace(pipeline, name="prudish", source=source, safety=True)
    Image.new("RGB", (8, 8)).save(tmp_path / "wanted.png")
    targets = (TargetImage(tmp_path / "wanted.png", "3a7b"),)
    unit = replace(units[0], request=replace(units[0].request, model="prudish"), targets=targets)
    with known([prudish], bundle):
        record = score(unit, tmp_path)
    assert [*pictures_of(tmp_path, record["id"]).glob("*.png")] == []
    assert [each["filtered"] for each in record["pictures"]] == [True, True]
    assert [cell["image"] for cell in record["cells"]] == [None, None]
    assert all(score is None for cell in record["cells"] for score in cell["scores"].values())
    assert [*record["cells"][0]["scores"]] == [*GRID_METHODS, "targets"]

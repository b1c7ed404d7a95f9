"""Uploaded images, scored like generated ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from generation import InvalidRequestError
from session.errors import UnusableFileError
from session.state import GridState
from session.storage import report_text
from tests.tiny_models import PROMPT
from ui.render.words import image_name
from ui.tabs.your_pictures import scored

COLOURS = ("navy", "pink", "olive")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("uploaded")
    for colour in COLOURS:
        Image.new("RGB", (64, 48), colour).save(folder / f"{colour}.png")
    return [str(folder / f"{colour}.png") for colour in COLOURS]


@pytest.fixture(scope="module")
def states(
    models: None, files: list[str], tmp_path_factory: pytest.TempPathFactory
) -> list[GridState]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADIO_TEMP_DIR", str(tmp_path_factory.mktemp("cache")))
        return list(scored(PROMPT, files, [files[2]], "targets", "tiny"))


def test_they_are_known_by_their_names_and_the_last_place_stays_empty(states: list[GridState]):
    state = states[-1]
    assert [image_name(state, cell) for cell in range(state.size)] == [
        "navy.png",
        "pink.png",
        "olive.png",
    ]
    assert (state.request.rows, state.request.columns, state.size) == (2, 2, 3)


def test_the_questions_are_known_before_any_score(states: list[GridState]):
    first = next(state for state in states if state.questions)
    assert not first.scores


def test_they_are_ranked_by_closeness_to_the_target(states: list[GridState]):
    report = states[-1].report
    assert report is not None
    assert report.ranked_by == "targets"
    assert report.ranking.order[0] == 2
    assert set(report.rankings) == {"vq2", "vnli", "clip", "mean", "targets"}


def test_their_report_has_names_and_no_seed(states: list[GridState]):
    state = states[-1]
    assert state.report is not None
    plain = json.loads(report_text(state, state.report))
    assert [cell["image"] for cell in plain["cells"]] == ["navy.png", "pink.png", "olive.png"]
    assert [plain["seed"], *(cell["seed"] for cell in plain["cells"])] == [None] * 4


def test_no_picture_is_a_mistake():
    with pytest.raises(UnusableFileError, match="there are no pictures; add some"):
        next(scored(PROMPT, None, None, "vq2", "tiny"))


def test_an_empty_prompt_is_a_mistake(
    files: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    with pytest.raises(InvalidRequestError, match="the prompt is empty"):
        next(scored(" ", files, None, "vq2", "tiny"))


def test_ranking_by_targets_needs_some(files: list[str]):
    with pytest.raises(UnusableFileError, match="there are no targets to rank by; add"):
        next(scored(PROMPT, files, None, "targets", "tiny"))

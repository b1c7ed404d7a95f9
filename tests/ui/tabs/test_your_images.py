"""Uploaded images, scored like generated ones."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gradio as gr
import pytest
from PIL import Image

from alignment.ranking import METHODS
from generation import InvalidRequestError
from session.errors import UnusableFileError
from session.limits import Runs
from session.offer import Offer
from session.state import GridState
from session.storage import report_text
from session.uploads import read_uploads
from tests.tiny_models import PROMPT
from tests.ui.reading import read
from ui.render.words import image_name
from ui.tabs.your_images import (
    YourImages,
    example_files,
    files_as_html,
    on_example,
    scored,
)

COLOURS = ("navy", "pink", "olive")


@pytest.fixture(scope="module", autouse=True)
def _stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where the page keeps what visitors upload."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADIO_TEMP_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("uploaded")
    for colour in COLOURS:
        Image.new("RGB", (64, 48), colour).save(folder / f"{colour}.png")
    return [str(folder / f"{colour}.png") for colour in COLOURS]


@pytest.fixture(scope="module")
def states(models: None, files: list[str]) -> list[GridState]:
    return list(scored(files, [files[2]], PROMPT, "targets", "tiny"))


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
    assert report.ranked_by == "targets"
    assert report.ranking.order[0] == 2
    assert set(report.rankings) == {*METHODS, "targets"}


def test_their_report_has_names_and_no_seed(states: list[GridState]):
    state = states[-1]
    plain = json.loads(report_text(state, state.report))
    assert [cell["name"] for cell in plain["cells"]] == ["navy.png", "pink.png", "olive.png"]
    assert [plain["seed"], *(cell["seed"] for cell in plain["cells"])] == [None] * 4


def test_no_image_and_an_empty_prompt_are_mistakes(files: list[str]):
    with pytest.raises(UnusableFileError, match="there are no images; add some"):
        next(scored(None, None, PROMPT, "vq2", "tiny"))
    with pytest.raises(InvalidRequestError, match="the prompt is empty"):
        next(scored(files, None, " ", "vq2", "tiny"))


def test_what_was_picked_is_shown_as_thumbnails_and_reasons(files: list[str], tmp_path: Path):
    (tmp_path / "<b>.png").write_bytes(b"no image")
    found = read(files_as_html([*files, str(tmp_path / "<b>.png")], "images"))
    assert [each.text for each in found.one("ul", "picked").all("span")] == [
        f"{colour}.png" for colour in COLOURS
    ]
    assert '"<b>.png" is not' in found.one("ul", "left-out").text


def test_the_worked_example_is_there():
    _, images, _ = on_example()
    assert len(read_uploads(images).images) == len(images) == 4


def test_without_targets_images_are_scored_and_the_page_says_what_ranks_them(
    models: None, files: list[str]
):
    *_, last = scored(files, None, PROMPT, "targets", "tiny")
    assert last.report.ranked_by == "vq2"
    with gr.Blocks():
        panel = YourImages(Offer(), Runs()).panel
    shown = panel.rank("targets", last, 1, "reranked", "positional", 0.8, False)
    assert 'data-cell="2"' in shown[panel.grid]
    assert read(shown[panel.reasons]).one("section", "evidence")["data-cell"] == "1"
    said = "were scored without targets, so VQ2 ranks them"
    assert said in shown[panel.controls.status]


def test_the_example_is_whole_while_another_visitor_asks_for_it():
    def refused(_: int) -> int:
        return len(read_uploads(example_files()).refused)

    with ThreadPoolExecutor(4) as visitors:
        assert sum(visitors.map(refused, range(60))) == 0

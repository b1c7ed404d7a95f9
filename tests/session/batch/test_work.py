"""What is done for one prompt and one text-to-image model: a grid, or a search for one image."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

import hub
from alignment.report import stored_report
from alignment.scorers import GRID_METHODS
from generation import InvalidRequestError, find_model
from search import Budget
from session.batch.ledger import RESULTS, finalise, images_of
from session.batch.units import Search, TargetImage, Unit
from session.batch.work import run, score
from session.png_text import read_settings
from tests.session.batch.conftest import Tiny
from tests.tiny_models import known
from tests.tiny_pipelines import save_stable_diffusion

BUDGET = Budget(evaluations=12)


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
    home = images_of(tmp_path, score(units[0], tmp_path)["id"])
    wanted = TargetImage(home / "cell-00.png", "3a7b")
    record = score(replace(units[0], targets=(wanted,)), tmp_path)
    report = stored_report(json.loads(json.dumps(record))).report
    first, second = report.relevance["targets"]
    assert first == pytest.approx(1)
    assert second < first
    assert record["targets"] == ["3a7b"]


def test_a_filtered_image_is_kept_nowhere_and_not_judged(
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
    assert [*images_of(tmp_path, record["id"]).glob("*.png")] == []
    assert [each["filtered"] for each in record["pictures"]] == [True, True]
    assert [cell["image"] for cell in record["cells"]] == [None, None]
    assert all(score is None for cell in record["cells"] for score in cell["scores"].values())
    assert [*record["cells"][0]["scores"]] == [*GRID_METHODS, "targets"]


@pytest.fixture(scope="module")
def searches(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The same prompt from two seeds, and one about which the tiny models ask nothing."""
    first, silent = (replace(each, request=replace(each.request, columns=1)) for each in units[:2])
    seeds = [replace(first, request=replace(first.request, seed=seed)) for seed in (7, 20)]
    return tuple(replace(each, search=Search(BUDGET)) for each in (*seeds, silent))


def test_each_prompt_has_one_image_and_all_its_attempts_and_is_done_once(
    searches: tuple[Unit, ...], tmp_path: Path
):
    first = run(searches, tmp_path)
    assert [next(first), next(first)] == [0, 1]
    first.close()
    assert [*run(searches, tmp_path)] == [1, 2, 3]
    assert finalise(tmp_path, {each.id: "" for each in searches})
    lines = [json.loads(line) for line in (tmp_path / RESULTS).read_text().splitlines()]
    assert [line["prompt"] for line in lines] == [each.request.prompt for each in searches]
    *found, silent = lines
    assert (silent["attempts"], silent["right"], silent["pictures"]) == ([], None, [])
    assert silent["reason"].startswith('VQ2 can ask nothing of an image about "2 apples"')
    for line in found:
        assert (tmp_path / "images" / line["id"] / "cell-00.png").is_file()
        attempts = line["attempts"]
        assert sum(each["evaluations"] for each in attempts) <= BUDGET.evaluations
        assert attempts[line["best"]]["right"] == line["right"]


def test_another_budget_or_strategy_is_other_work(searches: tuple[Unit, ...]):
    ways = None, Search(BUDGET), Search(Budget(seconds=9)), Search(BUDGET, "repair")
    assert len({replace(searches[0], search=each).id for each in ways}) == 4


def test_a_strategy_that_is_none_is_refused_before_any_work():
    with pytest.raises(InvalidRequestError, match="no strategy 'hope'; known: route"):
        Search(BUDGET, "hope")


def test_a_prompt_whose_search_cannot_begin_says_why_and_the_others_go_on(
    searches: tuple[Unit, ...], tmp_path: Path
):
    few = [replace(each, search=Search(Budget(questions=1))) for each in searches[:2]]
    assert [*run(few, tmp_path)][-1] == len(few)
    assert finalise(tmp_path, {each.id: "" for each in few})
    for line in map(json.loads, (tmp_path / RESULTS).read_text().splitlines()):
        assert line["reason"].startswith("the budget is 1 questions; one image of")

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image as PillowImage

from alignment import load_report, measured
from alignment.models.loading import Models
from alignment.records import AnswerSpan, Evidence, GridReport, ImageScore, QuestionAnswer
from benchmarks.examples import (
    PROMPTS,
    SIDE,
    STORED,
    WorkedGrid,
    disagreements,
    is_undenied,
    last_images,
    layout_gain,
    misleads,
    preferred,
    row_of,
    store,
    work_out,
)
from generation import ModelSpec, load_pipeline
from tests.alignment.tiny_evaluators import TEXT

VOCABULARY = json.loads((Path(__file__).parents[2] / "assets" / "vocabulary.json").read_text())


@pytest.fixture(scope="module")
def worked(tiny_pipeline: ModelSpec, models: Models) -> WorkedGrid:
    report, images, seed, _ = work_out(TEXT, load_pipeline(tiny_pipeline), models)
    chances = {method: ranking.values for method, ranking in report.rankings.items()}
    return WorkedGrid(measured(replace(report, relevance=chances)), images, seed)


def test_no_prompt_is_said_twice_and_every_word_is_in_the_vocabulary() -> None:
    prompts = [each.prompt for each in PROMPTS]
    words = {word.strip(",") for prompt in prompts for word in prompt.split()}
    assert len(set(prompts)) == len(prompts) > STORED
    assert words <= set(VOCABULARY["words"])


def test_an_example_is_a_grid_judged_and_ranked(worked: WorkedGrid) -> None:
    report, images, *_ = worked
    assert len(images) == report.rows * report.columns == SIDE * SIDE
    assert sorted(report.ranking.order) == list(range(SIDE * SIDE))


def test_a_row_tells_what_the_last_picture_misses_most(
    worked: WorkedGrid,
) -> None:
    report = worked.report
    row = row_of(report)
    values = [score.value for score in report.scores["vq2"]]
    weakest = report.scores["vq2"][values.index(min(values))].weakest
    assert (row.probability, row.expected) == (weakest.probability, weakest.pair.answer.text)


def graded(report: GridReport, seen_right: bool) -> GridReport:
    """The grid, its last image failing in one pair; its free answer agrees, or does not."""
    pair = QuestionAnswer("what color is it?", AnswerSpan("red", 2, 5), 1.0)
    good = ImageScore("vq2", 0.9, evidence=(Evidence(pair, 0.9, agrees=True),))
    bad = ImageScore("vq2", 0.1, evidence=(Evidence(pair, 0.1, agrees=seen_right),))
    last = report.ranking.order[-1]
    scores = tuple(bad if cell == last else good for cell in range(SIDE * SIDE))
    chances = tuple(score.value for score in scores)
    return replace(report, scores={"vq2": scores}, relevance={report.ranked_by: chances})


def test_an_example_claims_nothing_that_the_detector_denies(
    worked: WorkedGrid,
) -> None:
    report = worked.report
    last = report.ranking.order[-1]
    right = [cell != last for cell in range(SIDE * SIDE)]
    assert is_undenied(graded(report, seen_right=True), right)
    assert not is_undenied(graded(report, seen_right=True), [True] * 9), "a false alarm"
    assert not is_undenied(graded(report, seen_right=True), [False] * 9), "wrong ones unseen"
    assert not is_undenied(graded(report, seen_right=False), right), "its two answers disagree"
    assert disagreements(graded(report, seen_right=False)) == 1


def test_first_comes_a_grid_that_misleads_clip_then_the_one_whose_layout_gains_most(
    worked: WorkedGrid,
) -> None:
    base, order = worked.report, tuple(range(9))
    by_vq2 = replace(base.ranking, order=order)
    right = (True,) + (False,) * 8

    def grid(seed: int, clip_first: int, chances: tuple[float, ...]) -> WorkedGrid:
        clip = replace(by_vq2, order=(clip_first, *({*order} - {clip_first})))
        report = replace(
            base,
            rankings={base.ranked_by: by_vq2, "clip": clip},
            relevance={base.ranked_by: chances},
        )
        return worked._replace(report=report, seed=seed, right=right)

    alike, lonely = (0.5,) * 9, (0.5, *(0.0,) * 8)
    grids = [grid(1, 0, alike), grid(2, 0, lonely), grid(3, 4, alike)]
    assert [misleads(each, "clip") for each in grids] == [False, False, True]
    assert layout_gain(grids[1]) > 0.001 > layout_gain(grids[0]) >= 0
    assert [each.seed for each in preferred(grids)] == [3, 2, 1]


def test_the_sheet_shows_the_last_picture_of_each_example(
    worked: WorkedGrid,
) -> None:
    report = worked.report
    last = report.ranking.order[-1]
    images = [PillowImage.new("RGB", (8, 8), "lime" if c == last else "black") for c in range(9)]
    sheet = last_images([WorkedGrid(report, images)] * 6, [row_of(report)] * 6)
    assert sheet.getpixel((88, 88)) == (0, 255, 0)
    assert sheet.getpixel((88, sheet.height // 2 + 88)) == (0, 255, 0)
    assert sheet.getpixel((sheet.width - 88, sheet.height // 2 + 88)) == (255, 255, 255)


def test_stored_examples_are_numbered_and_can_be_read_back(
    worked: WorkedGrid, tmp_path: Path
) -> None:
    report, images, *_ = worked
    other = replace(report, prompt="a cow, a yellow balloon and a pizza")
    old = tmp_path / "examples" / "01-forgotten"
    old.mkdir(parents=True)
    store([worked, WorkedGrid(other, images, 107)], old.parent)
    names = [path.name for path in sorted(old.parent.iterdir())]
    assert names == [f"01-{TEXT.replace(' ', '-')}", "02-a-cow-a-yellow-balloon-and-a-pizza"]
    kept = load_report(old.parent / names[0] / "report.json")
    assert kept.report.ranking.order == report.ranking.order
    first = PillowImage.open(old.parent / names[0] / kept.images[0])
    assert first.tobytes() == images[0].tobytes()
    assert load_report(old.parent / names[1] / "report.json").seed == 107

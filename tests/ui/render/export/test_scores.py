"""The table of scores: a row per image, and nothing in it that a spreadsheet would run."""

import csv
import io
import json
from dataclasses import replace

import pytest

from alignment.records import Coverage, ImageScore, UncoveredWord
from session.state import GridState
from tests.ui.conftest import unjudged, with_images, with_scores
from tests.ui.render.test_compare import compared
from ui.render.export.scores import comparison_csv, comparison_json, scores_csv


def rows(state: GridState) -> list[dict[str, str]]:
    return [*csv.DictReader(scores_csv(state).splitlines())]


def test_there_is_a_row_per_image_best_first(state: GridState):
    found = rows(state)
    assert [(row["rank"], row["cell"], row["seed"]) for row in found] == [
        ("1", "2", "9"),
        ("2", "0", "7"),
        ("3", "1", "8"),
        ("4", "3", "10"),
    ]
    assert (found[0]["vq2"], found[0]["clip"]) == ("0.975000", "0.500000")
    assert found[0]["image"] == "cell-02.png"


def test_what_fails_is_said_with_what_was_expected(state: GridState):
    best, _, pink, worst = rows(state)
    assert best["failing"] == ""
    assert pink["failing"] == "what color is the backpack? expected green"
    assert worst["failing"].count("expected") == 2


def test_coverage_stands_beside_the_score_and_no_score_is_an_empty_field(state: GridState):
    half = Coverage(2, (UncoveredWord("apple", 8, "unknown"),))
    scores = tuple(ImageScore("clip", None, "no image", coverage=half) for _ in range(4))
    row = rows(with_scores(state, clip=scores))[0]
    assert (row["clip"], row["clip_coverage"]) == ("", "0.500")


def test_without_a_score_there_is_no_rank(state: GridState):
    assert [row["rank"] for row in rows(unjudged(state))] == [""] * 4


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0.png", "+1.png", "-2+3.png", "@SUM(A1).png"])
def test_a_file_name_is_never_a_formula(state: GridState, name: str):
    uploaded = with_images(state, names=(name, 'a "b", c.png', "c.png", "d.png"))
    assert [row["image"] for row in rows(uploaded)][1:3] == [f"'{name}", 'a "b", c.png']
    assert {row["seed"] for row in rows(uploaded)} == {""}


def test_places_that_stay_empty_have_no_row(state: GridState):
    uploaded = with_images(state, names=("a.png", "b.png", "c.png"))
    scores = {method: each[:3] for method, each in state.scores.items()}
    ranking = replace(state.report.ranking, order=(2, 0, 1), values=(0.75, 0.27, 0.97))
    report = replace(state.report, scores=scores, rankings={"vq2": ranking})
    assert len(rows(uploaded.with_report(report))) == 3


def test_the_table_has_a_row_for_each_image_with_its_prompt_and_column(state: GridState):
    _rows = [*csv.DictReader(io.StringIO(comparison_csv(compared(state))))]
    assert [row["column"] for row in _rows] == ["A"] * 4 + ["B"] * 4
    assert {row["prompt"] for row in _rows} == {state.prompt}
    assert _rows[0]["system"] == "icons, scored by embedded, seed 7, 2 x 2 by vq2"
    assert [(row["rank"], row["cell"], row["vq2"]) for row in _rows[:2]] == [
        ("1", "2", "0.975000"),
        ("2", "0", "0.750000"),
    ]


def test_the_json_has_what_was_asked_for_the_figures_and_the_reports(state: GridState):
    found = json.loads(comparison_json(compared(state)))
    assert [each["column"] for each in found["systems"]] == ["A", "B", "C"]
    assert found["systems"][1]["seed"] == 9
    assert found["systems"][0]["figures"]["share_right"] == 0.5
    assert [(each["prompt"], each["column"]) for each in found["grids"]] == [
        (state.prompt, "A"),
        (state.prompt, "B"),
    ]
    assert len(found["grids"][0]["report"]["cells"]) == 4

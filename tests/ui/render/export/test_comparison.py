"""A comparison as a table and as JSON: every image of every finished grid, without a vote."""

from __future__ import annotations

import csv
import io
import json

from session.state import GridState
from tests.ui.render.test_compare import compared
from ui.render.export.scores import comparison_csv, comparison_json


def test_the_table_has_a_row_for_each_image_with_its_prompt_and_column(state: GridState):
    rows = [*csv.DictReader(io.StringIO(comparison_csv(compared(state))))]
    assert [row["column"] for row in rows] == ["A"] * 4 + ["B"] * 4
    assert {row["prompt"] for row in rows} == {state.prompt}
    assert rows[0]["system"] == "stickers, scored by embedded, seed 7, 2 x 2 by vq2"
    assert [(row["rank"], row["cell"], row["vq2"]) for row in rows[:2]] == [
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

"""Two disputed images side by side, each with the ranks and reasons of every method."""

from __future__ import annotations

from dataclasses import replace

from alignment.ranking import rankings
from session.state import GridState
from tests.ui.reading import read
from tests.ui.render.test_compare import compared
from ui.render.compared_grid import disagreement


def test_ranks_and_reasons_stand_beside_the_disputed_pictures(state: GridState):
    disputed = replace(state.report, rankings=rankings(state.report.scores))
    grid = state.with_report(disputed)
    document = read(disagreement(compared(grid, prompts=("<i>a red pie",)), (0, 1)))
    first, second = document.all("article")
    assert "Column B, “<i>a red pie”" in document.text
    assert "VQ2 ranks it 3 and CLIP ranks it 1 of 4." in first.text
    assert "; The backpack is not green." in first.text
    assert "VQ2 ranks it 1 and CLIP ranks it 3 of 4." in second.text


def test_where_nothing_is_disputed_that_is_said_and_without_a_grid_nothing_is(state: GridState):
    assert "every method ranks them alike" in disagreement(compared(state), (0, 0))
    assert disagreement(compared(state), (0, 2)) == disagreement(compared(state), None) == ""

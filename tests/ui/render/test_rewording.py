"""What became of each question, and the grid under both prompts."""

from __future__ import annotations

from dataclasses import replace

from session.state import GridState
from tests.ui.conftest import APPLE, BACKPACK, with_prompt
from tests.ui.reading import read
from ui.render.compared_grid import rewording


def test_questions_are_listed_by_what_became_of_them(state: GridState, unscored: GridState):
    pink = replace(BACKPACK, answer=replace(BACKPACK.answer, text="<b>pink"))
    after = replace(unscored, stage=replace(unscored.stage, questions=(APPLE, pink)))
    document = read(rewording(state, after))
    assert "1 question asked anew, 1 answered already." in document.text
    assert [item.text for item in document.one("ul").all("li")] == [
        '+ new: what color is the backpack? "<b>pink"',
        '= kept: what color is the apple? "black"',
        '− no longer asked: what color is the backpack? "green"',
    ]
    assert not document.all("img")


def test_both_grids_are_shown_once_the_other_prompt_is_scored(state: GridState):
    document = read(rewording(state, with_prompt(state, "a red pie")))
    before, after = document.all("figure")
    assert after.one("figcaption").text == "a red pie"
    assert len(before.all("img")) == len(after.all("img")) == 4


def test_nothing_is_shown_while_the_prompt_is_read(state: GridState):
    assert rewording(state, state.at("reading")) == ""

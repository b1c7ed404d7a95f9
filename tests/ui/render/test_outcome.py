"""What is said of one image, wherever it is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alignment.records import Coverage, UncoveredWord
from session.state import GridState
from tests.ui.conftest import scored, unjudged, with_scores
from ui.render.outcome import NOTHING, RIGHT, WRONG, outcome

NOT_GREEN = "The backpack is not green. Asked what color the backpack is"
PARTLY = Coverage(4, (UncoveredWord("shiny", 2, "no question asks about it"),))


@pytest.mark.parametrize(
    ("answers", "chance", "sign", "words"),
    [
        ((0.9, 0.6), 0.9, RIGHT, "every answer holds"),
        ((0.9, 0.6), 0.5, "", "cannot be told"),
        ((0.9, 0.6), 0.1, WRONG, "misses green"),
        ((0.9, 0.1), 0.1, WRONG, f"{NOT_GREEN}, the model says: pink."),
    ],
)
def test_an_image_is_what_its_chance_says(
    state: GridState, answers: tuple[float, float], chance: float, sign: str, words: str
):
    report = replace(
        state.report,
        scores={"vq2": (scored(answers),) * 4},
        relevance={"vq2": (chance,) * 4},
        thresholds={"vq2": 0.8},
    )
    assert outcome(state.with_report(report), 0)[:2] == (sign, words)


def test_an_image_of_which_a_word_was_not_judged_is_not_right(state: GridState):
    partly = replace(scored((0.9, 0.6)), coverage=PARTLY)
    found = outcome(with_scores(state, vq2=(partly,) * 4), 0)
    assert str(found) == "shows all that could be judged; least sure: green (60 %)."
    assert found.sign == ""


def test_of_an_image_that_could_not_be_judged_the_reason_is_said(state: GridState):
    assert outcome(unjudged(state), 0).words.startswith("could not judge: ")


def test_of_an_image_that_was_not_asked_nothing_is_said(unscored: GridState):
    assert outcome(unscored, 0) == NOTHING

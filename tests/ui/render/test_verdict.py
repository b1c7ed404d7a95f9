"""The verdict on a grid in one sentence, and which images are called best and worst."""

from __future__ import annotations

from dataclasses import replace

from alignment.records import AnswerSpan, Evidence, ImageScore, QuestionAnswer
from session.state import GridState
from tests.ui.conftest import APPLE, BACKPACK, scored
from ui.render.verdict import badge, narrowest, sentence, verdict


def graded(state: GridState, *probabilities: tuple[float, float]) -> GridState:
    """The grid with other P(yes) of apple and backpack."""
    assert state.report

    scores = {"vq2": tuple(map(scored, probabilities))}
    return state.with_report(replace(state.report, scores=scores))


RIGHT, WRONG = (0.9, 0.9), (0.9, 0.1)


def test_the_verdict_counts_who_is_right_and_names_what_the_others_miss(state: GridState):
    assert sentence(state) == (
        "2 of 4 pictures show everything that was asked about. "
        'The others miss "green" (2) and "black" (1).'
    )


def test_where_all_are_right_nothing_is_missing_and_none_is_worst(state: GridState):
    fine = graded(state, *[RIGHT] * 4)
    assert sentence(fine) == "All 4 pictures show everything that was asked about."
    assert [badge(fine, cell) for cell in range(4)] == ["", "", "best", ""]


def test_where_none_is_right_none_is_best(state: GridState):
    poor = graded(state, *[WRONG] * 4)
    said = 'No picture shows everything that was asked about. Missing: "green" (4).'
    assert sentence(poor) == said
    assert [badge(poor, cell) for cell in range(4)] == ["", "", "", "worst"]


def test_where_nothing_was_asked_that_is_the_verdict(state: GridState):

    silent = (ImageScore("vq2", None, "no question survived"),) * 4
    mute = state.with_report(replace(state.report, scores={"vq2": silent}))
    assert sentence(mute) == "It cannot be said what these pictures show: no question survived."
    assert {badge(mute, cell) for cell in range(4)} == {""}


def test_there_is_no_verdict_before_the_ranking(unscored: GridState):
    assert verdict(unscored) == ""


def test_of_a_phrase_and_a_word_in_it_the_word_is_named():
    phrase = QuestionAnswer("what is there?", AnswerSpan("a green backpack", 18, 34), 1.0)
    entries = [Evidence(phrase, 0.1), Evidence(BACKPACK, 0.1), Evidence(APPLE, 0.1)]
    assert [entry.pair.answer.text for entry in narrowest(entries)] == ["green", "black"]

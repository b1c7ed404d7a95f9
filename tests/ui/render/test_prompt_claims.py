"""The prompt as a row of buttons, each with how many images show its words."""

from __future__ import annotations

from dataclasses import replace

from alignment.records import Coverage, UncoveredWord, UnscoredPair
from session.state import GridState
from tests.ui.conftest import APPLE, BACKPACK
from tests.ui.reading import read
from ui.render.verdict import missing, prompt_claims


def test_a_group_of_words_says_how_many_images_show_it_and_which(state: GridState):
    buttons = read(prompt_claims(state)).all("button", "claim")
    assert [each.text for each in buttons] == ["black 3/4", "green 2/4"]
    assert [each["data-cells"] for each in buttons] == ["0 1 2", "0 2"]
    assert [each["aria-label"] for each in buttons] == [
        "black: 3 of 4 images",
        "green: 2 of 4 images",
    ]


def test_the_words_that_an_image_fails_are_named_in_prompt_order(state: GridState):
    assert [missing(state, cell) for cell in range(4)] == [(), ("green",), (), ("black", "green")]


def test_words_that_cannot_be_judged_say_why(state: GridState):
    unscored = (UnscoredPair(BACKPACK, "too <small>"),)
    coverage = Coverage(4, (UncoveredWord("green", 20, "too <small>"),))
    scores = tuple(
        replace(score, evidence=score.evidence[:1], unscored=unscored, coverage=coverage)
        for score in state.scores["vq2"]
    )
    found = prompt_claims(state.with_report(replace(state.report, scores={"vq2": scores})))
    assert [each.text for each in read(found).all("button")] == ["black 3/4"]
    assert 'title="too &lt;small&gt;"' in found
    assert read(found).one("span", "unjudged").text == "green not judged"


def test_counts_are_of_the_images_asked_so_far(state: GridState):
    stage = replace(state.stage, report=None, scores={"vq2": state.scores["vq2"][:2]})
    growing = replace(state, stage=stage)
    texts = [each.text for each in read(prompt_claims(growing)).all("button")]
    assert texts == ["black 2/2", "green 1/2"]


def test_there_is_no_row_before_an_image_was_asked(unscored: GridState):
    assert unscored.questions == (APPLE, BACKPACK)
    assert prompt_claims(unscored) == ""

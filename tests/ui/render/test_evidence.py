"""Why an image has its rank."""

from dataclasses import replace

import pytest

from alignment import Stage
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import Coverage, Evidence, ImageScore, UncoveredWord, UnscoredPair
from alignment.region import FaultRegion
from session.state import GridState, Replaced
from tests.ui.conftest import (
    BACKPACK,
    ruling_out,
    scored,
    unjudged,
    with_images,
    with_scores,
)
from tests.ui.reading import read
from ui.render.evidence import change_sentence, evidence, questions, replaced


def test_the_failing_words_are_marked_in_the_prompt_and_said_in_a_sentence(state: GridState):
    document = read(evidence(state, 1))
    prompt = document.one("blockquote")
    assert prompt.text == state.prompt
    assert prompt.one("mark").text == "green"
    said = "Asked what color the backpack is, the model says: pink."
    assert document.one("p", "fails").text == f"✗ The backpack is not green. {said}"


def test_nothing_is_marked_when_every_answer_holds(state: GridState):
    document = read(evidence(state, 2))
    assert not document.all("mark")
    said = "✓ Every answer holds; least sure: black."
    assert document.one("p", "holds").text == said


def test_pairs_are_listed_from_worst_to_best_with_sign_and_text(state: GridState):
    rows = read(evidence(state, 1)).one("tbody").all("tr")
    assert [[cell.text for cell in row.all("td")] for row in rows] == [
        ["✗", "what color is the backpack?", "green", "4 %", "pink"],
        ["✓", "what color is the apple?", "black", "50 %", "black"],
    ]
    assert [row.all("td")[0]["aria-label"] for row in rows] == ["fails", "holds"]


def test_the_chance_stands_beside_those_from_which_an_image_is_called_right_or_wrong(
    state: GridState,
):
    chances = {"vq2": (0.9, 0.847, None, 0.1)}
    known = replace(state.report, relevance=chances, thresholds={"vq2": 0.85})
    shown = [read(evidence(state.with_report(known), cell)).all("p", "chance") for cell in (1, 2)]
    assert not read(evidence(state.with_report(known), 1)).one("details").all("p", "chance")
    assert read(evidence(state.with_report(known), 0)).one("details").all("p", "chance")
    assert [each.text for each in shown[0]] == [
        "Chance that all that could be judged holds: 84.7 %; "
        "called right at 85.0 % or more, wrong at 15.0 % or less"
    ]
    assert shown[1] == []


def test_the_probability_of_what_is_ruled_out_is_that_of_no(state: GridState):
    rows = read(evidence(ruling_out(state), 1)).one("tbody").all("tr")
    assert [row.one("td", "probability").text for row in rows] == ["P(no) 4 %", "50 %"]


def test_an_answer_that_is_hardly_yes_or_no_says_so(state: GridState):
    doubtful = ImageScore("vq2", 0.9, evidence=(Evidence(BACKPACK, 0.9, confidence=0.3),))
    document = read(evidence(with_scores(state, vq2=(doubtful,)), 0))
    assert document.one("td", "probability").text == "90 %the model did not answer yes or no"


def test_an_image_without_a_score_gives_the_reason(state: GridState):
    silent = ImageScore("vq2", None, "no question survived")
    document = read(evidence(with_scores(state, vq2=(silent,) * 4), 0))
    assert document.one("p", "waiting").text == "Could not judge: no question survived."
    assert not document.all("table")


def test_an_image_without_a_score_has_no_place(state: GridState):
    document = read(evidence(unjudged(state), 1))
    assert document.one("h2").text == "Not ranked"
    assert "✗ The backpack is not green." in document.one("p", "fails").text


def test_every_method_and_its_note_are_named(state: GridState):
    noted = ImageScore("clip", 0.6, note="the last words were not read")
    document = read(evidence(with_scores(state, **{**state.scores, "clip": (noted,)}), 0))
    assert document.one("footer").text.startswith("VQ2 0.75? · CLIP 0.60? · 2 questions")
    assert document.one("p", "note").text == "CLIP: the last words were not read"


def test_questions_and_what_is_ruled_out_can_be_read_before_any_image_exists(
    state: GridState, unscored: GridState
):
    for grid, wanted in ((unscored, "green"), (ruling_out(state), "not green")):
        rows = read(questions(grid)).one("tbody").all("tr")
        assert [[cell.text for cell in row.all("td")][:2] for row in rows] == [
            ["what color is the apple?", "black"],
            ["what color is the backpack?", wanted],
        ]


def test_without_questions_the_panel_says_who_still_scores(unscored: GridState):
    assert "VNLI and CLIP still score" in questions(
        replace(unscored, stage=Stage("generating", 0, 1))
    )


def test_what_could_not_be_judged_stands_below_the_answers_with_its_reason(state: GridState):
    pair = QuestionAnswer("how many apples?", AnswerSpan("5", 0, 1), 1.0)
    words = (UncoveredWord("5", 0, "too many"), UncoveredWord("shiny", 2, "nobody asks"))
    first, *others = state.scores["vq2"]
    told = replace(
        first,
        value=None,
        reason="too little",
        unscored=(UnscoredPair(pair, "too many"),),
        coverage=Coverage(3, words),
    )
    document = read(evidence(with_scores(state, vq2=(told, *others)), 0))
    assert document.one("p", "why").text == "Could not judge: too little."
    rest = [item.text for item in document.one("ul", "rest").all("li")]
    assert rest == ['"a": too many', '"black": nobody asks']


@pytest.fixture
def again(state: GridState) -> GridState:
    """The same grid after the pink backpack was made again, and came out green."""
    scores = list(state.scores["vq2"])
    scores[1] = scored((0.5, 0.96))
    values = tuple(score.value for score in scores)
    ranking = replace(state.report.ranking, order=(2, 0, 1, 3), values=values)
    report = replace(
        state.report, scores={**state.scores, "vq2": tuple(scores)}, rankings={"vq2": ranking}
    )
    new = with_images(state, regenerated={1: 11}, files=state.images.files[::-1])
    return replace(new.with_report(report), replaced=Replaced(1, state))


def test_both_images_stand_there_with_their_scores(state: GridState, again: GridState):
    before, now = read(replaced(again)).all("figure")
    assert before.text == "before: seed 8, VQ2 0.27"
    assert now.text == "now: seed 11, VQ2 0.73"
    assert before.one("img")["src"] == "images/pink.png"
    assert now.one("img")["src"] == "images/olive.png"


def test_it_is_said_which_scores_more_where_both_have_a_score(state: GridState, again: GridState):
    worse = replace(again.replaced.before, replaced=Replaced(1, replace(again, replaced=None)))
    ranking = replace(again.report.ranking, values=(0.75, None, 0.97, 0.25))
    unscored = again.with_report(replace(again.report, rankings={"vq2": ranking}))
    assert [change_sentence(each, each.replaced) for each in (again, worse, unscored)] == [
        "The new image scores 0.46 more by VQ2.",
        "The new image scores 0.46 less by VQ2.",
        "They cannot be compared by VQ2.",
    ]
    assert replaced(state) == ""


def test_a_fault_is_outlined_on_the_image_and_its_place_said(state: GridState):
    file = state.file(1) or ""
    there = FaultRegion(1, "<b>", frozenset({(0, 0), (0, 1)}))
    shown = read(evidence(replace(state, regions={file: (there,)}), 1))
    assert shown.one("span", "where").text == "outline 1, upper left: <b>"
    assert shown.one("svg", "regions").text == "1"
    both = replace(there, places=there.places | {(7, 7)})
    shown = read(evidence(replace(state, regions={file: (both,)}), 1))
    assert shown.one("span", "where").text == "outline 1, upper left and lower right: <b>"
    assert shown.one("svg", "regions").text == "11"
    gone = read(evidence(replace(state, regions={file: (replace(there, places=frozenset()),)}), 1))
    assert gone.one("span", "where").text == "not seen in the image"
    assert not gone.all("svg", "regions")
    assert not read(evidence(state, 1)).all("span", "where")

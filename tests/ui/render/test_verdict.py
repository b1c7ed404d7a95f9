"""The verdict on a grid in one sentence, and which images are called best and worst."""

from dataclasses import replace

import pytest

from alignment.ranking import rankings
from alignment.records import (
    Coverage,
    ImageScore,
    UncoveredWord,
    UnscoredPair,
)
from session.state import GridState
from tests.ui.conftest import BACKPACK, PARTLY, ruling_out, scored, with_prompt
from tests.ui.reading import read
from ui.render.verdict import badge, prompt_claims, sentence, verdict, ways_on


def graded(state: GridState, *probabilities: tuple[float, float]) -> GridState:
    """The grid with other P(yes) of apple and backpack."""

    scores = {"vq2": tuple(map(scored, probabilities))}
    return state.with_report(replace(state.report, scores=scores))


RIGHT, WRONG = (0.9, 0.9), (0.9, 0.1)


@pytest.mark.parametrize(
    ("each", "said"),
    [
        (RIGHT, "All 4 images show everything."),
        (WRONG, "No image shows everything."),
    ],
)
def test_where_all_are_right_or_wrong_none_is_best_or_worst(
    state: GridState, each: tuple[float, float], said: str
):
    alike = graded(state, *[each] * 4)
    assert sentence(alike) == said
    assert [badge(alike, cell) for cell in range(4)] == [""] * 4


SILENT = (ImageScore("vq2", None, "no question survived"),) * 4
WITHHELD = (replace(scored(RIGHT), value=None, reason="a score would speak of 1 of 3 words"),) * 4


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"vq2": SILENT}, "no question survived. Try other words or other evaluators."),
        (
            {"vq2": WITHHELD},
            "a score would speak of 1 of 3 words. Try other words or other evaluators.",
        ),
        (
            {"vq2": SILENT, "clip": (ImageScore("clip", 0.3, ""),) * 4},
            "no question survived. Rank by CLIP, or try other words or other evaluators.",
        ),
    ],
)
def test_where_no_image_has_a_score_the_verdict_says_why_and_what_helps(
    state: GridState, scores: dict[str, tuple[ImageScore, ...]], said: str
):
    mute = state.with_report(replace(state.report, scores=scores))
    assert sentence(mute) == f"These images could not be judged: {said}"
    assert {badge(mute, cell) for cell in range(4)} == {""}


def test_there_is_no_verdict_before_the_ranking(unscored: GridState):
    assert verdict(unscored) == ""


def test_a_calibrated_chance_decides_and_not_whether_each_answer_is_over_one_half(
    state: GridState,
):
    report = replace(state.report, relevance={"vq2": (0.9, 0.8, 0.97, 0.4)})
    calibrated = state.with_report(report)
    assert sentence(calibrated) == "3 of 4 images probably show everything."


@pytest.mark.parametrize(
    ("chances", "said"),
    [
        (
            (0.9, 0.8, 0.97, 0.4),
            "2 of 4 images probably show everything; 2 more may.",
        ),
        (
            (0.1, 0.8, 0.97, 0.15),
            "1 of 4 images probably shows everything; 1 more may.",
        ),
        (
            (0.1, 0.8, 0.84, 0.5),
            "3 of 4 images may show everything.",
        ),
        (
            (0.5,) * 4,
            "All 4 images may show everything.",
        ),
        ((0.85,) * 4, "All 4 images probably show everything."),
    ],
)
def test_of_a_chance_that_is_not_clear_enough_the_verdict_says_that_the_image_may_be_right(
    state: GridState, chances: tuple[float, ...], said: str
):
    report = replace(state.report, relevance={"vq2": chances}, thresholds={"vq2": 0.85})
    assert sentence(state.with_report(report)) == said


def test_an_unclear_image_is_neither_best_nor_worst(state: GridState):
    unclear = replace(state.report, relevance={"vq2": (0.5,) * 4}, thresholds={"vq2": 0.85})
    assert {badge(state.with_report(unclear), cell) for cell in range(4)} == {""}


def test_where_a_word_was_not_judged_only_part_of_the_prompt_is_said_to_be_shown(state: GridState):
    scores = {"vq2": (replace(scored(RIGHT), coverage=PARTLY),) * 4}
    narrow = state.with_report(replace(state.report, scores=scores))
    assert sentence(narrow) == (
        "Only part of the prompt could be judged; all 4 images show that part."
    )


def test_an_image_that_may_hold_is_not_said_to_show_a_word_that_was_not_judged(state: GridState):
    scores = {"vq2": (replace(scored(RIGHT), coverage=PARTLY),) * 4}
    unclear = {"relevance": {"vq2": (0.1, 0.8, 0.7, 0.1)}, "thresholds": {"vq2": 0.85}}
    narrow = state.with_report(replace(state.report, scores=scores, **unclear))
    assert sentence(narrow) == (
        "Only part of the prompt could be judged; 2 of 4 images may show that part."
    )


def test_a_group_of_words_says_how_many_images_show_it_and_which(state: GridState):
    buttons = read(prompt_claims(state)).all("button", "claim")
    assert [each.text for each in buttons] == ["black 3/4", "green 2/4"]
    assert [each["data-cells"] for each in buttons] == ["0 1 2", "0 2"]
    assert [each["aria-label"] for each in buttons] == [
        "black: 3 of 4 images",
        "green: 2 of 4 images",
    ]


def test_only_the_words_that_no_image_shows_are_struck_in_the_prompt(state: GridState):
    groups = read(prompt_claims(graded(state, *[(0.9, 0.1)] * 4))).all("button", "claim")
    assert [[each.text for each in group.all("s")] for group in groups] == [[], ["green"]]


def test_a_count_of_what_is_ruled_out_says_without_and_is_never_struck(state: GridState):
    ruled = ruling_out(graded(state, *[(0.9, 0.1)] * 4))
    green = read(prompt_claims(ruled)).all("button", "claim")[1]
    assert green["aria-label"] == "without green: 0 of 4 images"
    assert "fails" not in str(green["class"]).split()


def test_the_sign_that_rules_out_stands_in_the_button_of_what_it_rules_out(state: GridState):
    prompt = "a black cat, but no green frog"
    row = read(prompt_claims(with_prompt(ruling_out(graded(state, *[(0.9, 0.1)] * 4)), prompt)))
    assert [each.text for each in row.all("li")] == [
        "a",
        "black 4/4",
        "cat, but",
        "no green 0/4",
        "frog",
    ]


@pytest.mark.parametrize("reason", ['the scoring model does not know "green"', "too <small>"])
def test_words_that_cannot_be_judged_say_so_in_one_term_and_why(state: GridState, reason: str):
    unscored = (UnscoredPair(BACKPACK, reason),)
    coverage = Coverage(4, (UncoveredWord("green", 20, reason),))
    scores = tuple(
        replace(score, evidence=score.evidence[:1], unscored=unscored, coverage=coverage)
        for score in state.scores["vq2"]
    )
    found = prompt_claims(state.with_report(replace(state.report, scores={"vq2": scores})))
    assert [each.text for each in read(found).all("button")] == ["black 3/4"]
    group = read(found).one("span", "unjudged")
    assert (group["title"], group.text) == (reason, "green not judged")


def test_below_the_row_the_sentence_counts_who_is_right(state: GridState):
    assert read(verdict(state)).one("p").text == "2 of 4 images show everything."


def test_counts_are_of_the_images_asked_so_far(state: GridState):
    stage = replace(state.stage, report=None, scores={"vq2": state.scores["vq2"][:2]})
    growing = replace(state, stage=stage)
    texts = [each.text for each in read(prompt_claims(growing)).all("button")]
    assert texts == ["black 2/2", "green 1/2"]


def test_a_report_that_is_opened_without_its_images_says_nothing_of_images_without_a_score(
    state: GridState,
):
    bare = replace(state, images=replace(state.images, files=(None,) * 4))
    assert sentence(bare) == sentence(state)


def test_where_another_method_judges_there_is_a_button_for_it(state: GridState):
    assert ways_on(state) == ""
    both = {"mean": state.report.rankings["vq2"]}  # no score of its own
    mean = replace(state.report, ranked_by="mean", rankings=both)
    assert ways_on(state.with_report(mean)) == ""
    scores = {"vq2": SILENT, "clip": (ImageScore("clip", 0.3, ""),) * 4}
    mute = replace(state.report, scores=scores, rankings=rankings(scores))
    assert read(ways_on(state.with_report(mute))).one("button")["data-rank-by"] == "clip"

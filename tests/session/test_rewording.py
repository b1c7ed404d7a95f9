"""Images scored against another prompt: only what is new is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alignment.records import Evidence
from generation import InvalidRequestError
from session.comparison import question_changes, reword
from session.state import GridState
from tests.tiny_models import PROMPT
from tests.ui.conftest import APPLE, BACKPACK

NEVER_SAID = 0.125
"""A probability that the tiny model does not give."""


def with_probability(state: GridState, probability: float, *, but: int) -> GridState:
    """The same finished state, in which every answer but one has this probability."""
    report = state.report
    assert report is not None

    def changed(number: int, entry: Evidence) -> Evidence:
        return entry if number == but else replace(entry, probability=probability)

    scores = tuple(
        replace(score, evidence=tuple(changed(*each) for each in enumerate(score.evidence)))
        for score in report.scores["vq2"]
    )
    return state.with_report(replace(report, scores={**report.scores, "vq2": scores}))


def test_answers_to_unchanged_questions_are_used_again(state: GridState):
    before = with_probability(state, NEVER_SAID, but=-1)
    *_, after = reword(before, before.report, f"{PROMPT}!")
    assert after.prompt == f"{PROMPT}!"
    assert after.images == before.images
    kept = question_changes(before, after).kept
    entries = [entry for score in after.scores["vq2"] for entry in score.evidence]
    assert kept
    assert {entry.probability for entry in entries if entry.pair in kept} == {NEVER_SAID}


def test_a_question_without_an_answer_is_asked(state: GridState):
    before = with_probability(state, NEVER_SAID, but=-1)
    report = before.report
    dropped = tuple(replace(score, evidence=score.evidence[1:]) for score in report.scores["vq2"])
    partly = replace(report, scores={**report.scores, "vq2": dropped})
    *_, after = reword(before, partly, PROMPT)
    asked = [score.evidence[0].probability for score in after.scores["vq2"]]
    first = [score.evidence[0].probability for score in state.scores["vq2"]]
    assert asked == pytest.approx(first, abs=1e-5)
    assert after.scores["vq2"][0].evidence[1].probability == NEVER_SAID


def test_an_empty_prompt_is_refused_before_any_work(state: GridState):
    with pytest.raises(InvalidRequestError, match="the prompt is empty"):
        next(reword(state, state.report, " "))


def test_questions_are_new_kept_or_gone_wherever_their_answers_stand():
    moved = replace(APPLE, answer=replace(APPLE.answer, start=12, end=17))
    pink = replace(BACKPACK, answer=replace(BACKPACK.answer, text="pink"))

    def asking(*pairs: object) -> GridState:
        state = GridState(request=None)  # type: ignore[arg-type]
        return replace(state, stage=replace(state.stage, questions=pairs))

    found = question_changes(asking(APPLE, BACKPACK), asking(moved, pink))
    assert (found.new, found.kept, found.gone) == ((pink,), (moved,), (BACKPACK,))

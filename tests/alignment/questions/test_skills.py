"""The skill that a question asks for."""

from __future__ import annotations

import pytest

from alignment.questions.skills import skill_of
from alignment.records import AnswerSpan, QuestionAnswer


@pytest.mark.parametrize(
    ("question", "answer", "skill"),
    [
        ("What color is the backpack?", "green", "colour"),
        ("what colour are the stars?", "red", "colour"),
        ("how many stars are there?", "three", "count"),
        ("what number is shown?", "7", "count"),
        ("where is the owl?", "to the left of a pink umbrella", "place"),
        ("where does this take place?", "on the beach", "background"),
        ("what time of day is it?", "night", "background"),
        ("is the umbrella open or closed?", "open", "state"),
        ("what fruit is there?", "a black apple", "object"),
        ("what is next to the cow?", "duck", "object"),
    ],
)
def test_a_skill_is_read_from_the_wording(question: str, answer: str, skill: str):
    assert skill_of(QuestionAnswer(question, AnswerSpan(answer, 0, len(answer)), 1.0)) == skill

"""Skills: what a question asks of a text-to-image model, read from its wording."""

from __future__ import annotations

import re

from alignment.questions.words import NUMBERS, is_count
from alignment.records import QuestionAnswer

SKILLS = ("object", "colour", "count", "place", "background", "state")
"""What a question can be about; "object" is whatever the others are not."""

_WORDINGS = {
    "count": re.compile(r"\bhow many\b|\bnumber of\b"),
    "colour": re.compile(r"\bcolou?rs?\b"),
    "background": re.compile(
        r"\btake place\b|\btime of (?:day|year)\b|\bweather\b|\bseason\b|\bbackground\b"
        r"|\bwhere is (?:this|it)\b|\bsetting\b|\bwhat is (?:in )?the scene\b"
    ),
    "place": re.compile(r"^where\b|\bwhich side\b|\bwhat side\b|\bposition\b"),
    "state": re.compile(r"^(?:is|are)\b.* or \b|\bwhat (?:state|condition)\b"),
}
"""Skill -> how its questions are worded; the first that fits counts."""


def skill_of(pair: QuestionAnswer) -> str:
    """The skill that a question asks for: one of `SKILLS`.

    >>> from alignment.records import AnswerSpan
    >>> def skill(question: str, answer: str) -> str:
    ...     return skill_of(QuestionAnswer(question, AnswerSpan(answer, 0, len(answer)), 1.0))
    >>> skill("what color is the duck?", "green"), skill("how many stars are there?", "3")
    ('colour', 'count')
    >>> skill("where is the owl?", "on the left"), skill("what is next to the cow?", "duck")
    ('place', 'object')
    """
    question, answer = pair.question.casefold(), pair.answer.text.casefold()
    found = next((name for name, wording in _WORDINGS.items() if wording.search(question)), "")
    return found or ("count" if is_count(NUMBERS.get(answer, answer)) else "object")

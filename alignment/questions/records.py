"""Records of what is asked: a piece of the prompt, and the question that it answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

PLURAL = r"\w*[^su\W]s"
"""A pattern of most plurals: what ends with an s, but no glass and no cactus."""


@dataclass(frozen=True)
class AnswerSpan:
    """A piece of the prompt that a question can be asked about; `prompt[start:end] == text`."""

    text: str
    start: int
    end: int
    kind: str = field(default="", compare=False, repr=False)
    """What it says of the image, by its grammar: "thing", "attribute", "count", "place", "action"
    or "name"; empty where that is not known."""
    phrase: tuple[int, int] = field(default=(0, 0), compare=False, repr=False)
    """Where the longest phrase begins and ends that it was taken from, itself where there is none;
    (0, 0) where nothing was taken from a phrase."""

    def meets(self, other: AnswerSpan) -> bool:
        """Whether two pieces of one prompt share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class QuestionAnswer:
    """A question written from the prompt, and the answer the prompt gives to it."""

    question: str
    answer: AnswerSpan
    round_trip: float
    """Token F1 in [0, 1] between the answer and what the reader found in the prompt."""
    negated: bool = False
    """True where the prompt rules the answer out ("no dogs"): the expected reply is no."""
    objection: str = ""
    """Why no reply would say whether the prompt holds: anybody's, or that of the model for which
    the questions were written; empty for most."""

    @property
    def kind(self) -> str:
        """What it asks about; see `AnswerSpan.kind`."""
        return self.answer.kind

    @property
    def readable(self) -> str:
        """The question as people are shown it: its verb agrees with a plural.

        >>> QuestionAnswer("where is the balloons?", AnswerSpan("on a car", 0, 8), 1.0).readable
        'where are the balloons?'
        >>> QuestionAnswer("what flowers is there?", AnswerSpan("roses", 0, 5), 1.0).readable
        'what flowers are there?'
        """
        agreed = re.sub(rf"\bis (the {PLURAL})\b", r"are \1", self.question)
        return re.sub(rf"({PLURAL}) is there", r"\1 are there", agreed)

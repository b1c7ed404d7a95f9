"""A question written from a prompt, with the answer that the prompt gives to it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class AnswerSpan:
    """A piece of the prompt that a question can be asked about; `prompt[start:end] == text`."""

    text: str
    start: int
    end: int
    kind: str = field(default="", compare=False, repr=False)
    """What it says of the image, by its grammar: "thing", "attribute", "count", "place", "action"
    or "name"; empty where that is not known."""


@dataclass(frozen=True)
class QuestionAnswer:
    """A question written from the prompt, and the answer the prompt gives to it."""

    question: str
    answer: AnswerSpan
    round_trip: float
    """Token F1 in [0, 1] between the answer and what the reader found in the prompt."""
    choices: tuple[str, ...] = ()
    """The answers to choose from, where the question offers some (TIFA)."""
    kind: str = ""
    """What it asks about: the kind of its span; in the data of TIFA "color", "counting", ..."""
    negated: bool = False
    """True where the prompt rules the answer out ("no dogs"): the expected reply is no."""
    repeated: str = ""
    """The noun, where the prompt speaks of several things of that name."""
    uncounted: bool = False
    """True where the prompt asks for several things without saying how many ("teapots")."""
    objection: str = ""
    """Why no reply would say whether the prompt holds, whoever gives it; empty for most."""

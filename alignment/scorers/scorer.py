"""What every scoring method looks like from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from alignment.models.vlm import Pictures
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from alignment.records import ImageScore, QuestionAnswer

EMPTY_TEXT = "the prompt is empty"


@dataclass(frozen=True)
class ScoringInput:
    """What pictures are held against."""

    text: str
    """The prompt."""
    questions: tuple[QuestionAnswer, ...] = ()
    """What was asked of it; a method may leave them aside."""
    settings: Vq2Settings = AS_PUBLISHED
    """How the questions came about, and how VQ2 assesses the answers."""


class Scorer(Protocol):
    """A method that says how well each picture matches a prompt."""

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score for each picture, in order, each as soon as it is known."""


class Limited(Protocol):
    """A model that may read only the first tokens of a text."""

    def max_tokens(self, text: str) -> int | None:
        """The number of tokens the model reads, if the text has more."""


def not_judged(method: str, reason: str, pictures: Pictures) -> list[ImageScore]:
    """One score without a value for each picture."""
    return [ImageScore(method, None, reason)] * len(pictures)


def unread(name: str, model: Limited, texts: Iterable[str]) -> str:
    """A note when one of the texts is longer than the model reads; empty when all are read."""
    limits = [limit for text in texts if (limit := model.max_tokens(text)) is not None]
    return f"{name} read only the first {min(limits)} tokens of the prompt" if limits else ""

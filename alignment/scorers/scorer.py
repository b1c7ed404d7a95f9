"""What every scoring method looks like from outside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from alignment.records import ImageScore, QuestionAnswer
from alignment.vision import Pictures


@dataclass(frozen=True)
class Asked:
    """What pictures are held against."""

    text: str
    """The prompt."""
    questions: tuple[QuestionAnswer, ...] = ()
    """What was asked of it; a method may leave them aside."""


class Scorer(Protocol):
    """A method that says how well each picture matches a prompt."""

    def score(self, asked: Asked, pictures: Pictures) -> Iterator[ImageScore]:
        """One score for each picture, in order, each as soon as it is known."""

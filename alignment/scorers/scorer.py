"""What every scoring method looks like from outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from alignment.records import ImageScore, QuestionAnswer
from alignment.vision import Pictures


class Scorer(Protocol):
    """A method that says how well each picture matches a text."""

    def score(
        self, text: str, questions: Sequence[QuestionAnswer], pictures: Pictures
    ) -> Iterator[ImageScore]:
        """One score for each picture, in order, each as soon as it is known."""

"""What a scoring model knows: the words it was trained on, and the most of one thing it has seen.

Models trained on a small world name a vocabulary file in their `ScoringModel`; for all others there
is no such limit.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from alignment.questions.words import NUMBERS, is_count, words_of
from alignment.records import QuestionAnswer


@dataclass(frozen=True)
class Knowledge:
    """The vocabulary of a scoring model.

    >>> world = Knowledge(frozenset({"red", "apple", "two"}), most=2)
    >>> world.objection("a red zebra"), world.objection("a red apple")
    ('the scoring model does not know "zebra"', '')
    >>> world.objection("5 apples")
    'the scoring model has seen at most 2 of a thing'
    """

    words: frozenset[str]
    """In lower case, every form of each."""
    most: int
    """The largest number of one thing that it has seen."""

    def knows(self, word: str) -> bool:
        """Whether a word is one of its vocabulary, letter case aside; a plural by its singular."""
        lower = NUMBERS.get(word, word).casefold()
        return lower in self.words or lower.removesuffix("s") in self.words

    def objection(self, text: str) -> str:
        """Why the model cannot be asked about a text; "" where nothing stands against it."""
        unknown = [word for word, _ in words_of(text) if not self.knows(word)]
        if not unknown:
            return ""
        if is_count(unknown[0]):
            return f"the scoring model has seen at most {self.most} of a thing"
        return f'the scoring model does not know "{unknown[0]}"'

    def objection_to(self, pair: QuestionAnswer) -> str:
        """Why a pair cannot be put to the model; "" where nothing stands against it."""
        if pair.repeated:
            return f'the scoring model has never seen two different things called "{pair.repeated}"'
        return self.objection(pair.answer.text) or self.objection(pair.question)

    def objection_to_prompt(self, pairs: tuple[QuestionAnswer, ...]) -> str:
        """Why the model cannot be asked about a whole prompt with these pairs; "" where it can."""
        if any(pair.negated for pair in pairs):
            return "the scoring model has never read a prompt that rules something out"
        repeated = next((pair.repeated for pair in pairs if pair.repeated), "")
        if repeated:
            return f'the scoring model has never seen two different things called "{repeated}"'
        return ""


@lru_cache
def read_knowledge(file: Path) -> Knowledge:
    """The knowledge that a vocabulary file lists, such as `assets/vocabulary.json`."""
    stored = json.loads(file.read_text(encoding="utf-8"))
    return Knowledge(frozenset(stored["words"]), len(stored["counts"]))

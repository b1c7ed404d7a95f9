"""The round trip: a question is kept where a reader, given the prompt, answers it as expected.

Yarom et al. (2023) keep a pair whose answers share words by an F1 of at least 0.54.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from alignment.models.text import SequenceToSequence
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.questions.words import ARTICLES, spelled


class Cut(NamedTuple):
    """A piece of a text that a question is written about."""

    text: str
    """All that is read of the prompt."""
    start: int
    """Where the piece begins in it."""
    span: AnswerSpan
    """The piece, by its place in the whole prompt."""

    @property
    def around(self) -> str:
        """What is read beside the piece."""
        return f"{self.text[: self.start]} {self.text[self.start + len(self.span.text) :]}"


def found_again(
    asked: Sequence[tuple[Cut, str]], reader: SequenceToSequence, kept_from: float
) -> tuple[QuestionAnswer, ...]:
    """The questions whose answer the reader finds again in the text that was read.

    Counts are spelled out for the reader; `kept_from` is the least F1 of the two answers.
    """
    texts = [reader.templates.reading(question, spelled(cut.text)) for cut, question in asked]
    pairs = (
        QuestionAnswer(question, span, token_f1(answer, spelled(span.text)))
        for ((_, _, span), question), answer in zip(asked, reader.complete(texts), strict=True)
    )
    return tuple(pair for pair in pairs if pair.round_trip >= kept_from)


def token_f1(prediction: str, gold: str) -> float:
    """Overlap of the words of two answers, in [0, 1].

    F1 = 2 * shared / (words of the prediction + words of the gold answer), after lower-casing and
    dropping punctuation and the articles a, an, the. When one side has no words left, 1 if both
    have none, else 0.

    Source: the evaluation script of SQuAD 1.1 and 2.0.

    >>> token_f1("The green backpack", "green")
    0.6666666666666666
    >>> token_f1("a pink umbrella", "the umbrella, pink!")
    1.0
    """
    predicted, expected = normalised_words(prediction), normalised_words(gold)
    if not predicted or not expected:
        return float(predicted == expected)
    shared = (Counter(predicted) & Counter(expected)).total()
    return 2 * shared / (len(predicted) + len(expected))


def singular_words(answer: str) -> list[str]:
    """The same, each word by its singular and counts spelled out: what two answers are held by.

    >>> singular_words("5 green apples"), singular_words("five green apple")
    (['five', 'green', 'apple'], ['five', 'green', 'apple'])
    """
    return [word.removesuffix("s") for word in normalised_words(spelled(answer))]


def normalised_words(answer: str) -> list[str]:
    """The words of an answer in lower case, without punctuation and articles.

    >>> normalised_words("A black-and-white cat.")
    ['blackandwhite', 'cat']
    """
    bare = answer.lower().translate(str.maketrans("", "", string.punctuation))
    return [word for word in bare.split() if word not in ARTICLES]

"""A prompt, its questions and its pictures come in; the prompt with one answer changed goes out.

What contradicts a prompt where no language model is at hand to write it (`contradictions`): to each
question whose answer is one word, the vision model names what else it might see. Such a word takes
the place of the answer when the pair survives its round trip in the changed prompt: the question
writer asks the same question of the new word, and the reader finds the word again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alignment.contradictions import Contradiction
from alignment.questions import KEPT_FROM, TextModel, normalised_words, tidy_question, token_f1
from alignment.records import AnswerSpan, QuestionAnswer
from alignment.vision import AnswerModel, Pictures

WORDS_TRIED = 12
"""How many words of the vision model are tried for each question."""


@dataclass(frozen=True)
class Change:
    """A prompt in which one answer is another."""

    pair: QuestionAnswer
    """The question, with the answer before."""
    word: str
    text: str


def altered_answers(
    text: str,
    questions: Sequence[QuestionAnswer],
    pictures: Pictures,
    answerer: AnswerModel,
    writer: TextModel,
    reader: TextModel,
) -> tuple[Contradiction, ...]:
    """One change for each question that has one: to the likeliest word that survives.

    Args:
        text: the prompt.
        questions: those of the prompt.
        pictures: of the prompt, at least one; a word is as likely as on their average.
        answerer: says what else might be seen.
        writer: given an answer and a text, writes a question.
        reader: given a question and a text, answers it.
    """
    changes = [
        change
        for pair in questions
        if len(pair.answer.text.split()) == 1
        for change in changes_of(text, pair, pictures, answerer)
    ]
    first: dict[QuestionAnswer, Contradiction] = {}
    for change in surviving(changes, writer, reader):
        first.setdefault(change.pair, Contradiction(change.text))
    return tuple(first.values())


def changes_of(
    text: str, pair: QuestionAnswer, pictures: Pictures, answerer: AnswerModel
) -> Iterator[Change]:
    """The prompt with each word that might be seen in place of the answer, the likeliest first."""
    said = normalised_words(text)
    free = answerer.templates.free.format(question=pair.question)
    for word in answerer.likeliest(pictures.encoded_by(answerer), free, WORDS_TRIED):
        new = word.casefold() not in said and not akin(word, pair.answer.text)
        if new and word.isalpha():
            yield Change(pair, word, spliced(text, pair.answer, word))


def akin(word: str, other: str) -> bool:
    """Whether two words are forms of one, as far as their beginnings tell.

    >>> akin("turtles", "turtle"), akin("apple", "apples"), akin("cat", "owl")
    (True, True, False)
    """
    return word.startswith(other) or other.startswith(word)


def spliced(text: str, span: AnswerSpan, word: str) -> str:
    """A text with another word in place of a span, and the article before it fitted.

    >>> spliced("a cat and a dog", AnswerSpan("cat", 2, 5), "owl")
    'an owl and a dog'
    """
    article = r"\1n " if word[0].lower() in "aeiou" else r"\1 "
    before = re.sub(r"\b(a)n? $", article, text[: span.start], flags=re.IGNORECASE)
    return f"{before}{word}{text[span.end :]}"


def surviving(changes: Sequence[Change], writer: TextModel, reader: TextModel) -> Iterator[Change]:
    """The changes whose new word is asked for by the same question, and found again by it."""
    write, read = writer.templates.write, reader.templates.read
    asked = writer.complete([write.format(answer=c.word, context=c.text) for c in changes])
    found = reader.complete(
        [read.format(question=c.pair.question, context=c.text) for c in changes]
    )
    for change, question, answer in zip(changes, asked, found, strict=True):
        same = tidy_question(question) == change.pair.question
        if same and token_f1(answer, change.word) >= KEPT_FROM:
            yield change

"""Claims: which pairs say the same of an image, and how each is asked for in the fewest words.

"A beach" and "beach" are one claim, whatever they are asked with. "On the beach" and "beach" are
one where the question is about the whole image ("where does this take place?"); "on a table" says
more than "a table": where something is. "Two owls" says nothing but "two" and "owls", where how
many owls there are is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.questions.words import ARTICLES, WORD, words_of

ARTICLE = re.compile(rf"(?:{'|'.join(ARTICLES)}) \s*(?=\S)", re.IGNORECASE)
"""One that something follows."""

Askable = Callable[[QuestionAnswer], bool]


def claims_of(pairs: Sequence[QuestionAnswer]) -> list[list[QuestionAnswer]]:
    """The pairs of each claim, in the order of their first ones; each pair is of one claim.

    >>> where, what = "where is the dog?", "what furniture is there?"
    >>> spans = AnswerSpan("on a bed", 6, 14), AnswerSpan("a bed", 9, 14), AnswerSpan("bed", 11, 14)
    >>> asked = zip((where, what, what), spans, strict=True)
    >>> pairs = [QuestionAnswer(question, span, 1.0) for question, span in asked]
    >>> [[pair.answer.text for pair in claim] for claim in claims_of(pairs)]
    [['on a bed'], ['a bed', 'bed']]
    """
    claims: list[list[QuestionAnswer]] = []
    for pair in pairs:
        same = [claim for claim in claims if any(_say_the_same(pair, each) for each in claim)]
        others = [claim for claim in claims if claim not in same]
        claims = [*others, [*chain.from_iterable(same), pair]]
    return sorted(claims, key=lambda claim: pairs.index(claim[0]))


def asked_once(pairs: Sequence[QuestionAnswer], askable: Askable) -> list[QuestionAnswer]:
    """Each claim in the fewest words: without an article, and without a number that is asked.

    Args:
        pairs: of one prompt.
        askable: whether a pair can be put to an image; of one claim those come first.

    Returns:
        Some of the pairs, the answer of each with the longest phrase that it was taken from.

    >>> thing = QuestionAnswer("what is there?", AnswerSpan("two owls", 0, 8, "thing"), 1.0)
    >>> count = QuestionAnswer("how many owls?", AnswerSpan("two", 0, 3, "count"), 1.0)
    >>> [pair.answer.text for pair in asked_once((thing, count), lambda pair: True)]
    ['owls', 'two']
    """
    counts = [pair.answer for pair in pairs if pair.kind == "count" and askable(pair)]
    numbers = {span.start: span.end for span in counts}
    bare = [_bare(pair, numbers) for pair in pairs]
    phrases = [pair.answer for pair in pairs]
    return [
        replace(pair, answer=in_phrase(pair.answer, phrases))
        for claim in claims_of(bare)
        for pair in _in_fewest_words(claim, askable)
    ]


def _bare(pair: QuestionAnswer, numbers: Mapping[int, int]) -> QuestionAnswer:
    """The pair, its answer without the article and the number that it begins with.

    What is ruled out, and what is not asked for a reason, stays as it is.

    Args:
        numbers: where those begin, and where they end, that are asked themselves.
    """
    if pair.negated or pair.objection or pair.kind == "count":
        return pair
    span = pair.answer
    article = ARTICLE.match(span.text)
    start = span.start + (article.end() if article else 0)
    number_end = numbers.get(start, start)
    rest = span.text[number_end - span.start :].lstrip() or span.text[start - span.start :]
    return replace(pair, answer=replace(span, text=rest, start=span.end - len(rest)))


def _in_fewest_words(claim: Sequence[QuestionAnswer], askable: Askable) -> list[QuestionAnswer]:
    """The pairs of one claim that have its shortest answer, of those that can be asked if any."""
    able = [pair for pair in claim if askable(pair)] or claim
    shortest = min((pair.answer for pair in able), key=lambda span: len(span.text))
    return [*{pair.question: pair for pair in able if pair.answer == shortest}.values()]


def _say_the_same(one: QuestionAnswer, other: QuestionAnswer) -> bool:
    if (one.negated, one.objection) != (other.negated, other.objection):
        return False
    nested = _within(one.answer, other.answer) or _within(other.answer, one.answer)
    if one.question != other.question and not nested:
        return False
    if nested and one.question == other.question and not words_of(one.question):
        return _content(one) == _content(other)  # of the whole image: "on the beach", "beach"
    return _but_articles(one) == _but_articles(other)


def _content(pair: QuestionAnswer) -> list[str]:
    """The content words of an answer, or all of it where it has none."""
    return [word for word, _ in words_of(pair.answer.text)] or [pair.answer.text]


def _but_articles(pair: QuestionAnswer) -> list[str]:
    words = (word.casefold() for word in WORD.findall(pair.answer.text))
    return [word for word in words if word not in ARTICLES]


def _within(inner: AnswerSpan, outer: AnswerSpan) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def in_phrase(span: AnswerSpan, phrases: Sequence[AnswerSpan]) -> AnswerSpan:
    """A span that knows the longest of some phrases that it lies in."""
    around = [span.phrase, *((each.start, each.end) for each in phrases if _within(span, each))]
    return replace(span, phrase=max(around, key=lambda phrase: phrase[1] - phrase[0]))

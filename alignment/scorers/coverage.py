"""Coverage: which words of a prompt a score speaks about, and why not about the others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from alignment.questions.knowledge import UNASKED, Knowledge
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.questions.words import ARTICLES, POSSESSIVES, WORD, words_of
from alignment.records import Coverage, UncoveredWord, UnscoredPair


class Limited(Protocol):
    """A model that may read only the first tokens of a text."""

    def max_tokens(self, text: str) -> int | None:
        """The number of tokens the model reads, if the text has more."""


def coverage_of_pairs(
    text: str,
    scored: Sequence[QuestionAnswer],
    unscored: Sequence[UnscoredPair],
    knows: Knowledge | None = None,
) -> Coverage:
    """The words of a prompt that some scored pair asks about, in its question or its answer.

    An answer speaks of the place where it stands: of "the apple is red and the car is red" the
    second "red" is not asked about where the first one is alone. A word in the answer of an
    unscored pair is asked about by answers alone: "what color are the apples?" does not ask
    whether there are several. What leads to a place that is not judged is left aside, too, where
    all other words of it are judged: "next to" in "next to a guitar".

    >>> pair = QuestionAnswer("what color is it?", AnswerSpan("red", 8, 11), 1.0)
    >>> coverage_of_pairs("a shiny red car", [pair], []).uncovered[0].text
    'shiny'
    """
    content = _content(text, knows)
    read = [pair.answer for pair in scored]
    named = {word for pair in scored for word, _ in words_of(pair.question)}
    reasons = {each.pair.answer: each.reason for each in unscored}
    uncovered = [
        UncoveredWord(text[start : start + len(word)], start, _reason(word, start, reasons))
        for word, start in content
        if not _about(word, start, read) and (word not in named or _about(word, start, reasons))
    ]
    silent = [*_silent_places(unscored, uncovered)]
    found = sorted([*uncovered, *silent], key=lambda word: word.start)
    asked = len(scored) + len(unscored)
    return Coverage(len(content) + len(silent), tuple(found), len(scored), asked)


def _silent_places(
    unscored: Sequence[UnscoredPair], uncovered: Sequence[UncoveredWord]
) -> Iterator[UncoveredWord]:
    """What leads to the places that are not judged, where no other word of them says so."""
    for each in unscored:
        place = each.pair.answer
        if place.kind == "place" and not any(
            place.start <= word.start < place.end for word in uncovered
        ):
            yield UncoveredWord(_leading(place.text), place.start, each.reason)


def _leading(place: str) -> str:
    """What stands before the thing that a place names.

    >>> _leading("next to a purple guitar"), _leading("on grass")
    ('next to', 'on')
    """
    end = 0
    for word in WORD.finditer(place):
        if end and (words_of(word[0]) or word[0].casefold() in ARTICLES | POSSESSIVES):
            break
        end = word.end()
    return place[:end]


def coverage_of_prompt(
    text: str,
    knows: Knowledge | None,
    model: Limited,
    spoken: Callable[[str], str] = str,
    pairs: Sequence[QuestionAnswer] = (),
) -> Coverage:
    """The words of a prompt that a model knows, and that stand within the tokens it reads.

    A word that stands only in answers of `pairs` which the model does not know, such as "between a
    dog", is not read either; `spoken` is how the prompt, or its beginning, is put to the model.
    """
    words = _content(text, knows)
    cut = _first_cut(text, words, model, spoken)
    unknown = knows.unknown(text) if knows else {}
    objections = {pair.answer: knows.objection(pair.answer.text) for pair in pairs if knows}
    uncovered = []
    for number, (word, start) in enumerate(words):
        about = [objections[span] for span in _about(word, start, objections)]
        reason = unknown.get(start, about[0] if all(about) and about else "")
        if number >= cut:
            reason = "the scoring model reads no further"
        if reason:
            uncovered.append(UncoveredWord(text[start : start + len(word)], start, reason))
    return Coverage(len(words), tuple(uncovered))


def _content(text: str, knows: Knowledge | None) -> list[tuple[str, int]]:
    """The words that count; emoji and the like only for a model that knows few words."""
    return knows.words_of(text) if knows else words_of(text)


def _reason(word: str, start: int, reasons: dict[AnswerSpan, str]) -> str:
    """Of the shortest pair about the word that could not be scored; else that none asks."""
    about = _about(word, start, reasons)
    if not about:
        return UNASKED
    return reasons[min(about, key=lambda span: span.end - span.start)]


def _about(word: str, start: int, spans: Iterable[AnswerSpan]) -> list[AnswerSpan]:
    """Those that a word of the prompt is part of."""
    here = AnswerSpan(word, start, start + len(word))
    return [span for span in spans if span.meets(here)]


def _first_cut(
    text: str, words: Sequence[tuple[str, int]], model: Limited, spoken: Callable[[str], str]
) -> int:
    """The number of the first word beyond the tokens that a model reads."""
    if model.max_tokens(spoken(text)) is None:
        return len(words)
    ends = [start + len(word) for word, start in words]
    return bisect_left(ends, True, key=lambda end: model.max_tokens(spoken(text[:end])) is not None)

"""The answer table: what each image says to each claim of the prompt.

A claim is a piece of the prompt that an image can hold or fail. Pairs that claim the same ("a
turtle", "turtle") are one claim. The table is read from the scores and what is told by them, and
stored nowhere: scores and rankings aggregate its rows, "a turtle: 1 of 9 images" is a column.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from alignment.questions.claims import claims_of, in_phrase
from alignment.questions.dependencies import rests_on
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import AS_LIKELY_AS_NOT, Evidence, ImageScore, UncoveredWord

BETWEEN = " ,;."
"""What stands around a group of words and belongs to none."""


@dataclass(frozen=True)
class Claim:
    """A piece of the prompt that an image can hold or fail."""

    span: AnswerSpan
    """Its words: the longest wording among its pairs."""
    pairs: tuple[QuestionAnswer, ...]
    """The questions about it, each with the expected answer."""
    rests_on: tuple[int, ...] = ()
    """The claims, by index, that must hold for it to hold: a red dog needs a dog."""
    reason: str = ""
    """Why it was not put to the evaluator; empty where it was."""

    @property
    def negated(self) -> bool:
        """True where the prompt rules it out."""
        return self.pairs[0].negated

    @property
    def kind(self) -> str:
        """See `AnswerSpan.kind`."""
        return self.pairs[0].kind


@dataclass(frozen=True)
class Answer:
    """One claim asked of one image."""

    probability: float
    """That the claim holds, in [0, 1]: the mean over its pairs."""
    seen: str
    """The evaluator's own free answer to the question of the claim's first pair, which is quoted
    with it; to the least likely of several with that question. Empty where it gave none."""
    least: float = 1.0
    """The chance of the least likely pair, in [0, 1]."""

    @property
    def holds(self) -> bool:
        """True when the image more likely than not shows what is claimed."""
        return self.probability >= AS_LIKELY_AS_NOT


class Count(NamedTuple):
    """How many images show something."""

    showing: int
    perhaps: int
    """Those of which it cannot be told."""
    asked: int


@dataclass(frozen=True)
class Segment:
    """A group of words of the prompt, with the claims that are about it and no other group."""

    text: str
    start: int
    """Where in the prompt it begins, in characters."""
    claims: tuple[int, ...]
    """Indices of claims that were asked; empty where the words are not judged or claim nothing."""
    reason: str = ""
    """Why the words are not judged; empty where they are, and of words that claim nothing."""


@dataclass(frozen=True)
class AnswerTable:
    """Images x claims; what cannot be judged carries its reason."""

    prompt: str
    claims: tuple[Claim, ...]
    """In prompt order."""
    rows: tuple[tuple[Answer | None, ...] | None, ...]
    """By image, then by claim; None for a claim that was not asked, and for an image that has not
    been asked yet or is not there."""
    verdicts: tuple[bool | None, ...]
    """By image, whether it shows all that could be judged; None where that cannot be told."""
    unjudged: tuple[UncoveredWord, ...] = ()
    """Content words that no claim speaks of, in prompt order."""

    def failing(self, image: int) -> tuple[int, ...]:
        """The claims that fail though everything they rest on holds; a row's reasons."""
        row = self.rows[image] or ()
        fails = {index for index, answer in enumerate(row) if answer and not answer.holds}
        return self._first(fails)

    def suspects(self, image: int) -> frozenset[int]:
        """The claims that fail, or else the least sure: why an image is wrong or in doubt."""
        row = self.rows[image] or ()
        asked = {index: answer for index, answer in enumerate(row) if answer}
        fails = frozenset(index for index, answer in asked.items() if not answer.holds)
        return fails or frozenset(sorted(asked, key=lambda index: asked[index].least)[:1])

    def shows(self, claims: Collection[int]) -> dict[int, bool | None]:
        """Each image that was asked -> whether it shows all of some claims; None where it may.

        What rests on something that it does not show, it does not show either.
        """
        asked = (image for image, row in enumerate(self.rows) if row)
        below = {*claims}.union(*(self.claims[each].rests_on for each in claims))
        return {
            image: self.suspects(image).isdisjoint(below) or self.verdicts[image] for image in asked
        }

    def counted(self, claims: Collection[int]) -> Count:
        """How many of the images show all of some claims."""
        told = [*self.shows(claims).values()]
        return Count(told.count(True), told.count(None), len(told))

    def may_show(self, claims: Collection[int]) -> tuple[int, ...]:
        """The images that show all of some claims, or may."""
        return tuple(image for image, told in self.shows(claims).items() if told is not False)

    def shown_by_none(self, claims: Iterable[int]) -> tuple[int, ...]:
        """The asked ones of some claims that surely no image shows, but for what rests on one."""
        asked = (each for each in claims if not self.claims[each].reason)
        return self._first({each for each in asked if not self.may_show([each])})

    def phrase(self, claim: Claim) -> AnswerSpan:
        """The widest phrase of the prompt that the words of a claim were taken from.

        Of what the prompt rules out that is its own: "a cap" of "a cat without a cap".
        """
        own, spans = claim.span, [each.span for each in self.claims]
        start, end = in_phrase(own, [own] if claim.negated else spans).phrase
        return AnswerSpan(self.prompt[start:end], start, end)

    def name(self, claim: Claim) -> AnswerSpan:
        """Its words; where another claim has the same, with its thing: "two dogs", not "two"."""
        own = claim.span
        words = [each.span.text.casefold() for each in self.claims]
        if words.count(own.text.casefold()) == 1 or not claim.rests_on:
            return own
        things = (self.claims[each].span for each in claim.rests_on)
        thing = min(things, key=lambda each: abs(each.start - own.start))
        start, end = min(own.start, thing.start), max(own.end, thing.end)
        return AnswerSpan(self.prompt[start:end], start, end)

    def _first(self, fails: Set[int]) -> tuple[int, ...]:
        """Of claims that fail, those that rest on none of the others."""
        return tuple(
            sorted(index for index in fails if fails.isdisjoint(self.claims[index].rests_on))
        )

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The prompt in groups of words: each phrase, and what stands between the phrases."""
        groups = itertools.groupby(enumerate(self._phrase_by_character()), key=lambda each: each[1])
        pieces = [[place for place, _ in group] for _, group in groups]
        bounds = [(piece[0], piece[-1] + 1) for piece in pieces]
        return tuple(
            self._segment(*bound) for bound in bounds if self.prompt[slice(*bound)].strip(BETWEEN)
        )

    def _phrase_by_character(self) -> list[AnswerSpan | UncoveredWord | None]:
        """Of each character, the phrase that it stands in; None between the phrases.

        Of two that share a character, it is the one that was asked, then the wider; an action
        ends where a phrase within it begins.
        """
        asked = [claim for claim in self.claims if not claim.reason]
        layers: tuple[Sequence[AnswerSpan | UncoveredWord], ...] = (
            self.unjudged,
            [claim.span for claim in self.claims if claim.reason],
            [claim.span for claim in asked if claim.kind == "action"],
            [claim.span for claim in asked if claim.kind != "action"],
        )
        phrases: list[AnswerSpan | UncoveredWord | None] = [None] * len(self.prompt)
        for spans in layers:
            for span in sorted(spans, key=lambda each: each.end - each.start):
                phrases[span.start : span.end] = [span] * (span.end - span.start)
        for ending in re.finditer(r"(?<=\w)['\u2019]\w+", self.prompt):  # "the dog's": one word
            start, end = ending.span()
            phrases[start:end] = [phrases[start - 1]] * (end - start)
        return phrases

    def _segment(self, start: int, end: int) -> Segment:
        text = self.prompt[start:end]
        start += len(text) - len(text.lstrip(BETWEEN))
        text = text.strip(BETWEEN)
        end = start + len(text)
        about = [index for index, each in enumerate(self.claims) if start <= each.span.start < end]
        asked = tuple(index for index in about if not self.claims[index].reason)
        reasons = [self.claims[index].reason for index in about if self.claims[index].reason]
        reasons += [word.reason for word in self.unjudged if start <= word.start < end]
        return Segment(text, start, asked, reasons[0] if reasons else "")


def answer_table(
    prompt: str,
    questions: Sequence[QuestionAnswer],
    scores: Sequence[ImageScore | None],
    verdicts: Sequence[bool | None] = (),
) -> AnswerTable:
    """The table of a grid, as far as its images have been asked.

    Args:
        scores: what a method that asks questions said of each image; None before it is asked.
        verdicts: by image, see `AnswerTable.verdicts`; without them an image is right of which
            every answer holds.
    """
    told = next((score for score in scores if score and (score.evidence or score.unscored)), None)
    why = {each.pair: each.reason for each in told.unscored} if told else {}
    claims = _claims(questions, why)
    rows = tuple(_row(claims, score) if score and score.evidence else None for score in scores)
    unjudged = told.coverage.uncovered if told and told.coverage else ()
    held = tuple(verdicts) or tuple(bool(score and not score.failing) for score in scores)
    return AnswerTable(prompt, claims, rows, held, unjudged)


def _claims(
    questions: Sequence[QuestionAnswer], why: dict[QuestionAnswer, str]
) -> tuple[Claim, ...]:
    found = []
    for pairs in claims_of(questions):
        asked = tuple(pair for pair in pairs if pair not in why) or tuple(pairs)
        found.append((max(asked, key=lambda pair: pair.answer.end - pair.answer.start), asked))
    found.sort(key=lambda claim: (claim[0].answer.start, -claim[0].answer.end))
    below = rests_on([widest for widest, _ in found])
    return tuple(
        Claim(widest.answer, asked, rests, why.get(asked[0], ""))
        for (widest, asked), rests in zip(found, below, strict=True)
    )


def _row(claims: Sequence[Claim], score: ImageScore) -> tuple[Answer | None, ...]:
    said = {entry.pair: entry for entry in score.evidence}
    return tuple(_answer([said[pair] for pair in claim.pairs if pair in said]) for claim in claims)


def _answer(entries: Sequence[Evidence]) -> Answer | None:
    if not entries:
        return None
    least = min(entries, key=lambda entry: entry.probability)
    quoted = [entry for entry in entries if entry.pair.question == entries[0].pair.question]
    seen = min(quoted, key=lambda entry: entry.probability).seen
    return Answer(fmean(entry.value for entry in entries), seen, least.probability)

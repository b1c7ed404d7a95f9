"""Question generation: a writer turns each answer span of a prompt into a question.

A pair is kept when it survives the round trip (`round_trip.py`) and reads well (`wording.py`).

Source: Yarom et al., "What You See is What You Read? Improving Text-Image Alignment Evaluation",
section 3; token F1 as in Rajpurkar et al., "SQuAD: 100,000+ Questions for Machine Comprehension
of Text".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from alignment.models.text import TextModel
from alignment.questions.negation import RuledOut, ruled_out, without
from alignment.questions.objections import asked_both_ways, meet, objected, unaskable
from alignment.questions.round_trip import found_again
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from alignment.questions.spans import answer_spans, phrases_by_noun, uncounted
from alignment.questions.wording import fault
from alignment.questions.words import spelled
from alignment.records import AnswerSpan, QuestionAnswer

if TYPE_CHECKING:
    from spacy.language import Language


def questions_about(
    text: str,
    parser: Language,
    writer: TextModel,
    reader: TextModel,
    settings: Vq2Settings = AS_PUBLISHED,
) -> tuple[QuestionAnswer, ...]:
    """The questions of a prompt, from its spans to the pairs that survive every check.

    What the prompt rules out ("no dogs", "without a tree") becomes one negated pair for each
    phrase, written from that phrase alone; all other questions are written from the rest of the
    prompt.
    """
    pieces = ruled_out(parser(text))
    rest = without(text, pieces)
    spans = answer_spans(rest.text, parser, multi_word=settings.multi_word)
    pairs = write_questions(rest.text, spans, writer, reader, settings)
    placed = [replace(pair, answer=span) for pair in pairs if (span := rest.in_prompt(pair.answer))]
    sound = _sound(placed, rest.text, parser, settings)
    negated = (_negated(piece, parser, writer, reader, settings) for piece in pieces)
    wanted = {
        noun: [span for phrase in phrases if (span := rest.in_prompt(phrase))]
        for noun, phrases in phrases_by_noun(rest.text, parser).items()
    }
    many = [rest.around(noun) for noun in uncounted(rest.text, parser)]
    marked = [
        replace(
            pair,
            repeated=_repeated(pair.answer, wanted),
            uncounted=any(meet(pair.answer, noun) for noun in many),
        )
        for pair in sound
    ]
    every = [*marked, *(pair for pairs in negated for pair in pairs)]
    objections = {rest.around(span): why for span, why in unaskable(parser(rest.text)).items()}
    objections.update(asked_both_ways(pieces, wanted))
    checked = (objected(pair, objections) for pair in every)
    return tuple(sorted(checked, key=lambda pair: pair.answer.start))


def _negated(
    piece: RuledOut, parser: Language, writer: TextModel, reader: TextModel, settings: Vq2Settings
) -> list[QuestionAnswer]:
    """The questions of a phrase that is ruled out, in the form that expects no."""
    start = piece.affirmed.index(piece.answer.text)
    span = AnswerSpan(piece.answer.text, start, start + len(piece.answer.text))
    pairs = write_questions(piece.affirmed, [span], writer, reader, settings)
    sound = _sound(pairs, piece.affirmed, parser, settings)
    return [replace(pair, answer=piece.answer, negated=True, also=piece.also) for pair in sound]


def _sound(
    pairs: Iterable[QuestionAnswer], text: str, parser: Language, settings: Vq2Settings
) -> list[QuestionAnswer]:
    """The pairs whose question passes the checks, where the settings ask for them."""
    if not settings.checked:
        return [*pairs]
    return [pair for pair in pairs if not fault(pair.question, text, parser, pair.answer.text)]


def _repeated(answer: AnswerSpan, phrases: Mapping[str, Sequence[AnswerSpan]]) -> str:
    """The noun of several things asked for, where the answer tells one of them from the others.

    Of "a cat and a cat" the bare noun does, too: one cat answers it, and two are asked for.
    """
    for noun, spans in phrases.items():
        within = any(span.start <= answer.start and answer.end <= span.end for span in spans)
        alike = len({span.text.casefold() for span in spans}) < len(spans)
        if len(spans) > 1 and within and (alike or answer.text.casefold() != noun):
            return noun
    return ""


def write_questions(
    text: str,
    spans: Sequence[AnswerSpan],
    writer: TextModel,
    reader: TextModel,
    settings: Vq2Settings = AS_PUBLISHED,
) -> tuple[QuestionAnswer, ...]:
    """The questions of a text, some for each span that the reader finds again.

    Args:
        text: the prompt.
        spans: pieces of it, in order; `text[span.start:span.end] == span.text`.
        writer: given an answer and the text, writes questions; counts are spelled out for it.
        reader: given a question and the text, answers it.
        settings: how many questions are written for a span, how, and which are kept.

    Returns:
        Pairs in the order of the spans, each with a round trip of at least `settings.kept_from`. A
        span with the words of an earlier one is left out: the writer would ask the same question
        again; so is a question that a span has already.
    """
    spans = _distinct(spans)
    if not spans:
        return ()
    context = spelled(text)
    written = writer.alternatives(
        [
            writer.templates.writing(
                context, len(spelled(text[: span.start])), len(spelled(text[: span.end]))
            )
            for span in spans
        ],
        settings.questions_per_span,
        settings.seed,
    )
    asked = [
        (span, question)
        for span, questions in zip(spans, written, strict=True)
        for question in dict.fromkeys(map(tidy_question, questions))
    ]
    return found_again(asked, context, reader, settings.kept_from)


def _distinct(spans: Iterable[AnswerSpan]) -> tuple[AnswerSpan, ...]:
    """The first span of each wording, letter case aside."""
    first: dict[str, AnswerSpan] = {}
    for span in spans:
        first.setdefault(span.text.casefold(), span)
    return tuple(first.values())


def tidy_question(written: str) -> str:
    """A written question without the label that some writers put before it.

    >>> tidy_question("question: What color is the backpack? ")
    'What color is the backpack?'
    """
    return re.sub(r"^\s*question\s*:", "", written, flags=re.IGNORECASE).strip()

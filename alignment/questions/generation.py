"""Question generation: a writer turns each answer span of a prompt into a question.

A pair is kept when it survives the round trip (`round_trip.py`).

Source: Yarom et al., "What You See is What You Read? Improving Text-Image Alignment Evaluation",
section 3; token F1 as in Rajpurkar et al., "SQuAD: 100,000+ Questions for Machine Comprehension
of Text".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from alignment.models.text import SequenceToSequence
from alignment.questions.claims import asked_once
from alignment.questions.knowledge import UNASKED, Knowledge
from alignment.questions.negation import UNASKABLE, Negation, read_negation, without
from alignment.questions.pieces import piece_about
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.questions.round_trip import Cut, found_again
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from alignment.questions.spans import answer_spans, phrases_by_noun, with_names
from alignment.questions.words import spelled, stems, words_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

Parser: TypeAlias = "Callable[[str], Doc]"
TWINS = 'the scoring model does not tell two things called "{}" from each other'
"""Why what tells one of two things of a name from the other is not asked."""
LABEL = re.compile(r"^\s*question\s*:", re.IGNORECASE)
"""What some writers put before a question."""
WHERE = re.compile(r"where|when|(?:at )?what time", re.IGNORECASE)
"""How a question begins whose answer is a place or a time, whether or not it says "in"."""
SAID_OF_THINGS = frozenset({"attribute", "count", "place", "action"})
"""Kinds of what a prompt says of its things."""
SOMEBODY = "person"
"""What a question calls somebody whom it must not name; the name of a thing, too."""


def questions_about(
    text: str,
    parser: Parser,
    writer: SequenceToSequence,
    reader: SequenceToSequence,
    settings: Vq2Settings = AS_PUBLISHED,
    knows: Knowledge | None = None,
) -> tuple[QuestionAnswer, ...]:
    """The questions of a prompt, from its spans to the pairs that survive the round trip.

    With `settings.negation`, what the prompt rules out ("no dogs", "without a tree") becomes a
    negated pair, all other questions are written from the rest of the prompt, and what no plain
    question asks about carries the reason. With `settings.existence`, a thing of which no pair
    survives gets the question that is written from its phrase alone, as what is ruled out does, or
    from its noun. With `settings.once`, what others ask already is left out.

    For a model of few words, `knows`, each question is written from no more of the prompt than what
    its answer is said of (`pieces.py`): "what is next to the lion?" for "a rabbit" in "a lion and a
    rabbit" has no answer where there is no lion, or where the model knows none. It is not kept
    where it names what is not in that piece: a small writer may be mistaken in a noun.
    """

    def parsed(words: str) -> Doc:
        return with_names(parser(words), knows.names) if knows else parser(words)

    read = read_negation(parsed(text)) if settings.negation else Negation()
    rest = without(text, read.ruled_out)
    doc = parsed(rest.text)
    spans = answer_spans(doc, multi_word=settings.spans == "multi-word")
    cuts = [piece_about(doc, span) if knows else Cut(rest.text, span.start, span) for span in spans]
    pairs = write_questions(cuts, writer, reader, settings, knows)
    placed = [replace(pair, answer=span) for pair in pairs if (span := rest.in_prompt(pair.answer))]
    wanted = {
        noun: [span for phrase in found if (span := rest.in_prompt(phrase))]
        for noun, found in phrases_by_noun(doc).items()
    }

    denied = [piece.answer for piece in read.ruled_out]
    unaskable = [*read.unaskable, *_both_ways(denied, wanted)]
    asking = _Asking(writer, reader, settings, knows, wanted, unaskable)
    found = [asking.marked(pair) for pair in placed]
    if settings.existence and not knows:  # else each thing was asked for by itself
        found = asking.for_every_thing(found)
    found += asking.alone(denied, negated=True)
    if settings.once:
        found = asked_once(found, asking.can_ask)
    places = filter(None, (rest.in_prompt(span) for span in spans if span.kind == "place"))
    found += _unasked(places, found)
    return tuple(sorted(found, key=lambda pair: pair.answer.start))


@dataclass(frozen=True)
class _Asking:
    """What the questions of one prompt are written with, beside the prompt itself."""

    writer: SequenceToSequence
    reader: SequenceToSequence
    settings: Vq2Settings
    knows: Knowledge | None
    wanted: Mapping[str, Sequence[AnswerSpan]]
    """Noun -> where the prompt names such a thing that is to be there."""
    unaskable: Sequence[AnswerSpan]
    """What no plain question asks about."""

    def marked(self, pair: QuestionAnswer) -> QuestionAnswer:
        """The same with the reason why it is not to be asked."""
        twins = self.knows and not pair.negated and _one_of_two(pair.answer, self.wanted)
        return replace(pair, objection=_objection(pair, self.unaskable) or twins or "")

    def alone(self, spans: Sequence[AnswerSpan], negated: bool = False) -> list[QuestionAnswer]:
        """Questions for things of a prompt, each written and answered from its own words alone."""
        cuts = [Cut(span.text, 0, replace(span, kind="thing")) for span in spans]
        written = [*_written(cuts, self.writer, self.settings)]
        found = found_again(written, self.reader, self.settings.filter)
        return [self.marked(replace(pair, negated=negated)) for pair in found]

    def can_ask(self, pair: QuestionAnswer) -> bool:
        """Whether a pair is to be asked, and the model has words for it."""
        return not (pair.objection or (self.knows and self.knows.objection_to(pair)))

    def for_every_thing(self, pairs: list[QuestionAnswer]) -> list[QuestionAnswer]:
        """The same, and a question for each thing that none asks for, by its phrase or noun."""
        things = [span for each in self.wanted.values() for span in each]
        missing = [each for each in things if not _asked(each, pairs)]
        whole = self.alone(missing)
        nouns = [_noun(each) for each in missing if not _asked(each, whole)]
        return pairs + whole + self.alone(nouns)


def _speaks_of(cut: Cut, question: str, knows: Knowledge) -> bool:
    """Whether a question names things of its piece alone, in words that are known or stand there.

    None of them is part of the answer. "Where" and "when" ask for places, as nothing else does that
    is said of a thing; every other question has a word of its own.
    """
    where = WHERE.match(question) is not None
    if cut.span.kind in SAID_OF_THINGS and where != (cut.span.kind == "place"):
        return False
    said, named = stems(cut.text), {*knows.things(cut.around), SOMEBODY}
    words = (word for word, _ in words_of(knows.apart_from_names(question)))
    read = (
        word.removesuffix("s") in said or knows.knows(word) or word in knows.categories
        for word in words
    )
    asks = where or bool(stems(question))
    return asks and knows.things(question) <= named and all(read)


def _asked(thing: AnswerSpan, pairs: Iterable[QuestionAnswer]) -> bool:
    """Whether a pair asks for the thing itself: its answer ends as the phrase does."""
    return any(pair.answer.meets(thing) and pair.answer.end >= thing.end for pair in pairs)


def _noun(thing: AnswerSpan) -> AnswerSpan:
    """The last word of a phrase, which says what it is."""
    word = thing.text.split()[-1]
    return AnswerSpan(word, thing.end - len(word), thing.end)


def _both_ways(
    denied: Sequence[AnswerSpan], wanted: Mapping[str, Sequence[AnswerSpan]]
) -> list[AnswerSpan]:
    """What is ruled out and asked for: every question is put to the whole image."""
    found = []
    for span in denied:
        words = stems(span.text)
        phrases = [each for spans in wanted.values() for each in spans]
        again = [each for each in phrases if words and words <= stems(each.text)]
        found += [span, *again] if again else []
    return found


def _objection(pair: QuestionAnswer, unaskable: Sequence[AnswerSpan]) -> str:
    """Why no reply would say whether the prompt holds; "" for most pairs."""
    asked = stems(pair.question)
    for span in unaskable:
        if span.meets(pair.answer) or stems(span.text) & asked:
            return UNASKABLE.format(span.text)
    return ""


def _unasked(places: Iterable[AnswerSpan], pairs: Sequence[QuestionAnswer]) -> list[QuestionAnswer]:
    """The places of a prompt that no pair asks about, each with that as its objection."""

    def asks(pair: QuestionAnswer, place: AnswerSpan) -> bool:
        where = WHERE.match(pair.question) or place.text.split()[0] in pair.question.split()
        return pair.answer.meets(place) and bool(where or pair.answer.start <= place.start)

    lost = (place for place in places if not any(asks(pair, place) for pair in pairs))
    return [QuestionAnswer(f"{each.text}?", each, 0.0, objection=UNASKED) for each in lost]


def _one_of_two(answer: AnswerSpan, phrases: Mapping[str, Sequence[AnswerSpan]]) -> str:
    """Why an answer that tells one of several things of a name from the others is not judged.

    So does a place that is said from one of them ("left of a red apple"). Of "a cat and a cat" the
    bare noun does, too: one cat answers it, and two are asked for.
    """
    for noun, spans in phrases.items():
        alike = len({span.text.casefold() for span in spans}) < len(spans)
        about = any(span.meets(answer) for span in spans)
        if len(spans) > 1 and about and (alike or answer.text.casefold() != noun):
            return TWINS.format(noun)
    return ""


def write_questions(
    cuts: Sequence[Cut],
    writer: SequenceToSequence,
    reader: SequenceToSequence,
    settings: Vq2Settings = AS_PUBLISHED,
    knows: Knowledge | None = None,
) -> tuple[QuestionAnswer, ...]:
    """The questions of a text, some for each piece that the reader finds again.

    Args:
        cuts: pieces of it, in its order, each with what is read of the text for it.
        writer: given an answer and the text, writes questions; counts are spelled out for it.
        reader: given a question and the text, answers it.
        settings: how many questions are written for a span, how, and which are kept.
        knows: the vocabulary of a model of few words, for which some are not kept.

    Returns:
        Pairs in the order of the pieces, each with a round trip of at least `settings.filter`. Of
        pieces with the same words a pair has the one that its question is about: "how many cakes
        are there?" asks for the second "two" of "two apples, two cakes", whichever the writer was
        shown. Where a writer asks the same of both, as one does that is not shown where a piece
        stands, that is asked once.
    """
    spans = [cut.span for cut in cuts]
    asked: dict[tuple[str, str], tuple[Cut, str]] = {}
    for cut, question in _written(cuts, writer, settings):
        if knows and not _speaks_of(cut, question, knows):
            continue
        meant = cut._replace(span=_meant(question, cut.span, spans))
        asked.setdefault((question, meant.span.text.casefold()), (meant, question))
    return found_again([*asked.values()], reader, settings.filter)


def _written(
    cuts: Sequence[Cut], writer: SequenceToSequence, settings: Vq2Settings
) -> Iterator[tuple[Cut, str]]:
    def prompt(cut: Cut) -> str:
        before, end = cut.text[: cut.start], cut.start + len(cut.span.text)
        bounds = len(spelled(before)), len(spelled(cut.text[:end]))
        return writer.templates.writing(spelled(cut.text), *bounds)

    questions = writer.alternatives([*map(prompt, cuts)], settings.questions_per_span)
    for cut, written in zip(cuts, questions, strict=True):
        tidied = dict.fromkeys(LABEL.sub("", each).strip() for each in written)
        yield from ((cut, question) for question in tidied)


def _meant(question: str, span: AnswerSpan, pieces: Sequence[AnswerSpan]) -> AnswerSpan:
    """Of the pieces that read as the span does, the first whose phrase the question names."""
    asked, own = stems(question), stems(span.text)
    alike = [each for each in pieces if each.text.casefold() == span.text.casefold()]
    about = (
        each
        for each in (span, *alike)
        if any(each.meets(phrase) and asked & stems(_noun(phrase).text) - own for phrase in pieces)
    )
    return next(about, span)

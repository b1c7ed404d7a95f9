"""Pieces: the smallest part of a prompt that says of what each of its answer spans speaks.

In "a pink tv on a gray table" that is "a pink tv" for "pink", and all of it for "on a gray table".
A small writer that is shown no more names no other thing in its question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from alignment.questions.records import AnswerSpan
from alignment.questions.round_trip import Cut
from alignment.questions.spans import PREMODIFIERS, name_end, phrase_start

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

NOUNS = ("NOUN", "PROPN")
SUBJECTS = ("nsubj", "nsubj:pass", "nsubjpass")
OBJECTS = ("obj", "dobj")


def piece_about(doc: Doc, span: AnswerSpan) -> Cut:
    """What a question for a span is written from: the phrase that it speaks of, and the span.

    A thing is asked for by itself. What the parse makes no part of anything, such as "at night" at
    the head of a prompt, is asked about with the whole prompt.
    """
    if span.kind in ("thing", "name"):
        return Cut(span.text, 0, span)
    tokens = doc.char_span(span.start, span.end, alignment_mode="expand")
    owner = _owner(tokens.root, tokens)
    if owner is None:
        return Cut(doc.text, span.start, span)
    phrase = doc[phrase_start(owner, PREMODIFIERS) : name_end(owner)]
    if span.kind in ("place", "action") and phrase.end <= tokens.start:
        return Cut(f"{phrase.text} {span.text}", len(phrase.text) + 1, span)
    around = doc[min(phrase.start, tokens.start) : max(phrase.end, tokens.end)]
    return Cut(around.text, span.start - around.start_char, span)


def _owner(token: Token, within: Span) -> Token | None:
    """The noun of which a word says something: its subject, what it belongs to, or its object."""
    nouns = [each for each in token.children if each.pos_ in NOUNS and each not in within]
    if subject := next((noun for noun in nouns if noun.dep_ in SUBJECTS), None):
        return subject
    if token.head != token:
        return token.head if token.head.pos_ in NOUNS else _owner(token.head, within)
    return next((noun for noun in nouns if noun.dep_ in OBJECTS), None)

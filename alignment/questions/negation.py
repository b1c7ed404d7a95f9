"""Negation: what a prompt rules out, and the words that no plain question asks about.

Two constructions are read as ruling something out, told by the parse: "no N" and "without N", where
N is a noun of its own and "no" its first word. Every other sign of negation, exception or choice
("not", "except", "or") leaves the words in its reach unjudged, since what an image must show cannot
be told from them. A sign that is part of a name ("a minus sign", "zero gravity") or stands between
quotation marks says nothing of the image.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from alignment.questions.records import AnswerSpan
from alignment.questions.spans import PREMODIFIERS, complement_end, name_end, phrase_start

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

SIGNS = re.compile(
    r"\b(?:no|not|never|nor|neither|none|nothing|nobody|without|except|excluding|lacking|minus|zero"
    r"|0|or|and/or|(?:instead|devoid|free) of|(?:rather|other) than|(?:apart|aside) from"
    r"|(?:any|every|all)\w*(?: \w+)? but)\b|n['\u2019]t\b|/",
    re.IGNORECASE,
)
"""Signs of negation, exception and choice."""
UNASKABLE = 'no single answer to "{}" is expected'
"""Why words in the reach of a sign are not asked about."""
CHOOSING = ("or", "and/or", "/")
GOVERNED = frozenset({
    "advmod", "case", "cc", "cc:preconj", "det", "mark", "neg", "nummod", "preconj",
})  # fmt: skip
"""Labels of a sign whose head is what it speaks of; a sign with another label governs by itself."""
QUOTED = re.compile(
    r"\"[^\"]*\"|\u201c[^\u201d]*\u201d|(?<!\w)'.+?'(?!\w)|(?<!\w)\u2018.+?\u2019(?!\w)"
)


@dataclass(frozen=True)
class RuledOut:
    """A noun phrase of the prompt that an image must not show."""

    answer: AnswerSpan
    """What must not be seen: "a tree" in "without a tree"."""
    start: int
    """Where the piece begins in the prompt: its "without", or the "but with" of "but with no"."""


@dataclass(frozen=True)
class Negation:
    """How a prompt departs from asking for what it names."""

    ruled_out: tuple[RuledOut, ...] = ()
    unaskable: tuple[AnswerSpan, ...] = ()
    """From each other sign to the end of the words that it governs; a choice with both sides."""


def read_negation(doc: Doc) -> Negation:
    """What a parsed prompt rules out, and what of it no plain question asks about.

    In "no cats or dogs" and "without a cat or a dog" both things are ruled out.
    """
    ruled: list[RuledOut] = []
    unaskable: list[AnswerSpan] = []
    quoted = [match.span() for match in QUOTED.finditer(doc.text)]
    for match in SIGNS.finditer(doc.text):
        sign = doc.char_span(*match.span(), alignment_mode="expand")[0]
        read = ruled and match.start() < ruled[-1].answer.end
        if read or any(start <= match.start() < end for start, end in quoted):
            continue
        if noun := _denied(sign):
            ruled += _pieces(sign, noun)
        elif _is_sign(sign, match.group()):
            unaskable.append(_reach(sign, choice=match.group().lower() in CHOOSING))
    return Negation(tuple(ruled), tuple(unaskable))


@dataclass(frozen=True)
class Remainder:
    """What a prompt asks for: its text without the pieces that it rules out."""

    text: str
    places: tuple[int, ...]
    """Where each character stands in the prompt."""

    def in_prompt(self, span: AnswerSpan) -> AnswerSpan | None:
        """The same span in the prompt; None where a piece was cut out of it."""
        start, end = self.places[span.start], self.places[span.end - 1] + 1
        whole = end - start == span.end - span.start
        return replace(span, start=start, end=end) if whole else None


def without(text: str, pieces: tuple[RuledOut, ...]) -> Remainder:
    """What is left of a prompt; all of it when it rules nothing out.

    >>> piece = RuledOut(AnswerSpan("a tree", 17, 23), 9)
    >>> without("two dogs without a tree", (piece,)).text
    'two dogs'
    """
    kept: list[int] = []
    for place, character in enumerate(text):
        cut = any(piece.start <= place < piece.answer.end for piece in pieces)
        doubled = pieces and character.isspace() and (not kept or text[kept[-1]].isspace())
        if not cut and not doubled:
            kept.append(place)
    while pieces and kept and text[kept[-1]] in " ,;":
        kept.pop()
    return Remainder("".join(text[place] for place in kept), tuple(kept))


def _denied(sign: Token) -> Token | None:
    """N of "no N" and "without N"; None where the sign is no such construction."""
    noun = sign.head
    if sign.lower_ == "without" and sign.dep_ == "prep":  # ClearNLP
        noun = next((child for child in sign.rights if child.dep_ == "pobj"), noun)
    elif sign.lower_ != "without" or sign.dep_ != "case":
        first = phrase_start(noun, PREMODIFIERS) == sign.i
        if sign.lower_ != "no" or sign.dep_ not in ("det", "neg") or not first:
            return None
    return noun if noun.pos_ in ("NOUN", "PROPN") else None


def _pieces(sign: Token, noun: Token) -> Iterator[RuledOut]:
    """The noun phrase after the sign, and those that "or" joins to it."""
    start = sign.i
    while start > noun.left_edge.i and sign.doc[start - 1].dep_ in ("case", "cc"):
        start -= 1
    for each in _alternatives(noun):
        first, end = phrase_start(each, PREMODIFIERS), complement_end(each)
        phrase = sign.doc[first + (sign.doc[first].lower_ in ("no", "any")) : end]
        span = AnswerSpan(phrase.text, phrase.start_char, phrase.end_char)
        yield RuledOut(span, sign.doc[start].idx)
        start = end


def _alternatives(noun: Token) -> list[Token]:
    """A noun and what "or" joins to it, with the list before that: cats, dogs or birds."""
    found = [noun]
    listed: list[Token] = []
    behind = sorted((each for each in noun.conjuncts if each.i > noun.i), key=lambda each: each.i)
    for before, each in itertools.pairwise([noun, *behind]):
        between = noun.doc[before.i : each.i]
        joins = {t.lower_ for t in between if t.dep_ == "cc" and t.head in (noun, before, each)}
        listed.append(each)
        if joins & {"or", "nor"}:
            found, listed = found + listed, []
        elif joins:
            break
    return found


def _is_sign(sign: Token, words: str) -> bool:
    """False of a number ("a 0 on a wall") and of a part of a name ("a minus sign")."""
    governs = sign.dep_ in ("prep", "acl", "advcl") or sign.pos_ in ("PRON", "VERB")
    name = sign.dep_ == "det" and sign.lower_ == "no"  # "a no smoking sign"
    return (sign.dep_ in GOVERNED and not name) or governs or " " in words or words == "/"


def _reach(sign: Token, choice: bool) -> AnswerSpan:
    """From a sign to the last word that it governs; of a choice, the alternatives."""
    head = sign
    while head.dep_ in GOVERNED and head.head != head:
        head = head.head
    doc = sign.doc
    if choice:
        members = [head, *head.conjuncts]
        first = min(phrase_start(token, PREMODIFIERS) for token in members)
        last = max(name_end(token) for token in members)
        span = doc[min(first, sign.i) : max(last, sign.i + 1)]
    else:
        last = max((token.i for token in head.subtree if token.i > sign.i), default=sign.i)
        span = doc[sign.i : last + 1]
    return AnswerSpan(span.text, span.start_char, span.end_char)

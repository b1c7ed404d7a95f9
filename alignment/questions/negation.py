"""Negation: the pieces of a prompt that it rules out, and what is left without them.

"no", "zero", "not", "never", "without" and "lacking" rule out the noun phrase, the adjective or the
number that follows, and the phrases joined to it by "or" and "nor"; "treeless" rules out a tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from alignment.records import AnswerSpan

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

NEGATORS = frozenset({"no", "zero", "0", "not", "n't", "never", "without", "lacking", "neither"})
JOINING = frozenset({"or", "nor"})
BEFORE = frozenset({"but", "and", ",", "that", "which", "who", "is", "are", "there", "with"})
"""What goes with a negator when it is cut out of the prompt."""
WITHIN = frozenset({"DET", "ADJ", "NUM", "ADV", "NOUN", "PROPN", "VERB", "AUX", "PART", "ADP"})
"""Parts of speech between a negator and the noun that it rules out."""
NOT_LESS = frozenset({
    "ageless", "bless", "countless", "endless", "flawless", "harmless", "homeless", "less",
    "priceless", "reckless", "regardless", "restless", "ruthless", "seamless", "timeless",
    "unless", "useless", "weightless", "wireless",
})  # fmt: skip
"""Words in -less that rule out nothing that could be seen."""


@dataclass(frozen=True)
class RuledOut:
    """A piece of the prompt that an image must not show."""

    answer: AnswerSpan
    """What must not be seen: "a tree" in "without a tree"."""
    affirmed: str
    """A text that asks for it, for a question to be written from."""
    start: int
    """Where the whole piece begins in the prompt, its negator included."""
    end: int


def ruled_out(doc: Doc) -> tuple[RuledOut, ...]:
    """What a parsed prompt rules out, in prompt order."""
    return tuple(found for token in doc for found in _by_word(token))


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
        return AnswerSpan(span.text, start, end) if whole else None


def without(text: str, pieces: Sequence[RuledOut]) -> Remainder:
    """What is left of a prompt; all of it when it rules nothing out.

    >>> piece = RuledOut(AnswerSpan("a tree", 17, 23), "a tree", 9, 23)
    >>> without("two dogs without a tree", [piece]).text
    'two dogs'
    """
    if not pieces:
        return Remainder(text, tuple(range(len(text))))
    kept: list[int] = []
    for place, character in enumerate(text):
        cut = any(piece.start <= place < piece.end for piece in pieces)
        doubled = character.isspace() and (not kept or text[kept[-1]].isspace())
        if not cut and not doubled:
            kept.append(place)
    while kept and text[kept[-1]] in " ,;":
        kept.pop()
    return Remainder("".join(text[place] for place in kept), tuple(kept))


def _by_word(token: Token) -> Iterator[RuledOut]:
    lower = token.lower_
    if lower in NEGATORS:
        yield from _by_negator(token)
    elif lower.endswith("less") and len(lower) > 6 and lower not in NOT_LESS:
        noun, start = token.text[:-4], token.idx
        yield RuledOut(AnswerSpan(noun, start, start + len(noun)), noun, start, start + len(token))


def _by_negator(negator: Token) -> Iterator[RuledOut]:
    first = negator.i + 1
    start = _cut_from(negator)
    while (bounds := _ruled_out_after(negator.doc, first)) is not None:
        begin, end = bounds
        span = negator.doc[begin:end]
        yield RuledOut(
            AnswerSpan(span.text, span.start_char, span.end_char),
            _affirmed(negator, begin, end),
            start,
            span.end_char,
        )
        if end >= len(negator.doc) or negator.doc[end].lower_ not in JOINING:
            return
        first, start = end + 1, span.end_char


def _cut_from(negator: Token) -> int:
    """Where the piece begins: at the "but" of "but no cat", at the "that" of "that is not red"."""
    first = negator.i
    while first > 0 and negator.doc[first - 1].lower_ in BEFORE:
        first -= 1
    start: int = negator.doc[first].idx
    return start


def _ruled_out_after(doc: Doc, first: int) -> tuple[int, int] | None:
    """Bounds of the noun phrase, adjective or number that begins at a token or soon after it."""
    while first < len(doc) and (
        doc[first].lower_ in ("any", "single", "there") or doc[first].pos_ in ("VERB", "AUX")
    ):
        first += 1
    end = first
    while end < len(doc) and doc[end].pos_ in WITHIN and doc[end].lower_ not in JOINING:
        noun = doc[end].pos_ in ("NOUN", "PROPN")
        end += 1
        if noun and (end == len(doc) or doc[end].pos_ not in ("NOUN", "PROPN")):
            return first, end
        if doc[end - 1].pos_ == "ADP" and end - 1 > first:
            break
    described = [token.i for token in doc[first:end] if token.pos_ in ("ADJ", "VERB")]
    if not described and end > first and doc[first].pos_ == "NUM" and _nouns_before(doc[first]):
        return first, first + 1
    return (first, described[-1] + 1) if described else None


def _affirmed(negator: Token, begin: int, end: int) -> str:
    """The piece alone; an adjective or a number together with the noun before it."""
    span = negator.doc[begin:end]
    nouns = _nouns_before(negator)
    if span[-1].pos_ in ("NOUN", "PROPN") or not nouns:
        return str(span.text)
    article = "" if span[-1].pos_ == "NUM" else "a "
    return f"{article}{span.text} {nouns[-1].text}"


def _nouns_before(token: Token) -> list[Token]:
    return [other for other in token.doc[: token.i] if other.pos_ in ("NOUN", "PROPN")]

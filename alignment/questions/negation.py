"""Negation: the pieces of a prompt that it rules out, and what is left without them.

"no", "zero", "not", "never", "without", "except", "instead of" and the like rule out the noun
phrase, the adjective or the number that follows, and the phrases joined to it by "or" and "nor";
"treeless" and "tree-free" rule out a tree. One of a thing is ruled out in any number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from alignment.questions.plural import pluralise
from alignment.records import AnswerSpan

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

NEGATORS = frozenset({
    "no", "zero", "0", "not", "n't", "never", "without", "lacking", "neither", "except", "minus",
    "excluding",
})  # fmt: skip
NEGATING = frozenset({
    ("instead", "of"), ("rather", "than"), ("other", "than"), ("devoid", "of"), ("free", "of"),
})  # fmt: skip
"""Two words that rule out as one."""
COMPARING = frozenset({"only", "more", "less", "fewer"})
"""Words after a negator that make it no negation: "not only", "no more than"."""
PASSED_OVER = frozenset({"any", "single", "there", "of", "for", "than"})
"""Words between a negator and what it rules out."""
JOINING = frozenset({"or", "nor"})
BEFORE = frozenset({"but", "and", ",", "that", "which", "who", "is", "are", "there", "with"})
"""What goes with a negator when it is cut out of the prompt."""
WITHIN = frozenset({"DET", "ADJ", "NUM", "ADV", "NOUN", "PROPN", "VERB", "AUX", "PART", "ADP"})
"""Parts of speech between a negator and the noun that it rules out."""
NOT_LESS = frozenset({
    "ageless", "bless", "colorless", "colourless", "countless", "endless", "flawless",
    "harmless", "homeless", "less", "priceless", "reckless", "regardless", "restless",
    "ruthless", "seamless", "timeless", "unless", "useless", "weightless", "wireless",
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
    also: str = ""
    """Several of it, where the answer is one thing: "trees"."""


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

    def around(self, span: AnswerSpan) -> AnswerSpan:
        """From where the span begins in the prompt to where it ends."""
        return AnswerSpan(span.text, self.places[span.start], self.places[span.end - 1] + 1)


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
    following = _following(token)
    if (lower in NEGATORS and following not in COMPARING) or (lower, following) in NEGATING:
        yield from _by_negator(token)
    elif lower.endswith("less") and len(lower) > 6 and lower not in NOT_LESS:
        yield _within(token.text[:-4], token.idx, token.idx + len(token))
    elif lower == "free" and _hyphenated(token):
        noun = token.nbor(-2)
        yield _within(noun.text, noun.idx, token.idx + len(token))


def _following(token: Token) -> str:
    return str(token.nbor().lower_) if token.i + 1 < len(token.doc) else ""


def _hyphenated(token: Token) -> bool:
    """Whether a noun is joined to the token by a hyphen: "sugar-free"."""
    if token.i < 2 or token.nbor(-1).text != "-" or token.nbor(-1).whitespace_:
        return False
    return token.nbor(-2).pos_ in ("NOUN", "PROPN") and not token.nbor(-2).whitespace_


def _within(noun: str, start: int, end: int) -> RuledOut:
    """A noun that begins a word, and that the word rules out."""
    span = AnswerSpan(noun, start, start + len(noun))
    return RuledOut(span, noun, start, end, pluralise(noun))


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
            _several(span),
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
        doc[first].lower_ in PASSED_OVER or doc[first].pos_ in ("VERB", "AUX")
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


def _several(phrase: Span) -> str:
    """The phrase in the plural, where it is one thing: "red buckets" for "a red bucket"."""
    noun = phrase[-1]
    one = noun.pos_ == "NOUN" and "Sing" in noun.morph.get("Number")
    if not one or phrase[0].pos_ == "ADP" or any(token.pos_ == "NUM" for token in phrase):
        return ""
    article = phrase[0].lower_ in ("a", "an")
    before = "".join(token.text_with_ws for token in phrase[int(article) : -1])
    return before + pluralise(noun.text)


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

"""What a prompt says that questions with one expected answer cannot ask, whoever answers them.

A choice ("a cat or a dog"), a limit on everything else ("nothing but a robot"), and a thing that is
both asked for and ruled out ("a dog with no hat, a cat with a hat"): every question is put to the
whole picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from alignment.questions.negation import NEGATORS, RuledOut
from alignment.questions.spans import PREMODIFIERS, name_end, phrase_start
from alignment.questions.words import words_of
from alignment.records import AnswerSpan, QuestionAnswer

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

CHOOSING = frozenset({"or", "and/or", "/"})
LIMITING = re.compile(
    r"\b(?:nothing\b|(?:anything|everything|everyone|all|none)\s+(?:but|except|save)\b"
    r"|(?:any|every|all)\s+\w+\s+(?:but|except|save)\b|(?:apart|aside)\s+from\b)[^,;.]*",
    re.IGNORECASE,
)
"""From a word that speaks of everything else to the end of its clause."""
NEGATING = re.compile(rf"\b(?:{'|'.join(sorted(NEGATORS - {'0', 'zero'}))})\b[^;.]*", re.IGNORECASE)
"""From a negator, where nothing could be read that it rules out, to the end of its sentence."""

Objections = Mapping[AnswerSpan, str]
"""A piece of a text -> why no question about it says whether the text holds."""


def unaskable(doc: Doc) -> dict[AnswerSpan, str]:
    """The choices that a parsed text leaves, and its limits on everything else.

    Args:
        doc: a prompt without the pieces that it rules out.
    """
    found: dict[AnswerSpan, str] = {}
    for token in doc:
        if token.lower_ in CHOOSING and (token.dep_ == "cc" or token.is_alpha):
            span = _choice(token)
            found[span] = f'the prompt leaves a choice: "{span.text}"'
    for match in (*LIMITING.finditer(doc.text), *NEGATING.finditer(doc.text)):
        span = AnswerSpan(match.group(), match.start(), match.end())
        found[span] = f'no question can ask for "{span.text}"'
    return found


def asked_both_ways(
    pieces: Sequence[RuledOut], phrases: Mapping[str, Sequence[AnswerSpan]]
) -> Iterator[tuple[AnswerSpan, str]]:
    """The things that a prompt rules out and asks for, both times where they stand.

    Args:
        pieces: what the prompt rules out.
        phrases: noun -> the phrases of what it asks for; "a red apple" is no "green apple".
    """
    for piece in pieces:
        denied = _stems(piece.affirmed)
        for noun, spans in phrases.items():
            wanted = [span for span in spans if denied <= _stems(span.text)]
            if wanted and noun.removesuffix("s") in denied:
                reason = f'the prompt both asks for and rules out "{noun}"'
                yield from ((span, reason) for span in (piece.answer, *wanted))


def objected(pair: QuestionAnswer, objections: Objections) -> QuestionAnswer:
    """The pair with the first objection to what its answer or its question speaks of."""
    asked = _stems(pair.question)
    for span, reason in objections.items():
        if meet(span, pair.answer) or _stems(span.text) & asked:
            return replace(pair, objection=reason)
    return pair


def meet(one: AnswerSpan, other: AnswerSpan) -> bool:
    """Whether two pieces of one text share a character."""
    return one.start < other.end and other.start < one.end


def _choice(joint: Token) -> AnswerSpan:
    """The alternatives on both sides of an "or"."""
    doc = joint.doc
    members = sorted({joint.head, *joint.head.conjuncts}, key=lambda token: token.i)
    before = [token for token in members if token.i < joint.i]
    after = [token for token in members if token.i > joint.i]
    while len(before) > 1 and not _joined_by_itself(before[-1]):  # "a dog, a cat or a cow"
        before.pop()
    first, last = max(joint.i - 1, 0), min(joint.i + 2, len(doc))
    start = min([first, *(phrase_start(token, PREMODIFIERS) for token in before[-1:])])
    end = max([last, *(name_end(token) for token in after[:1])])
    span = doc[start:end]
    return AnswerSpan(span.text, span.start_char, span.end_char)


def _joined_by_itself(token: Token) -> bool:
    """Whether an "and" of its own joins the token to the list before it."""
    return any(child.dep_ == "cc" for child in token.lefts)


def _stems(text: str) -> set[str]:
    return {word.removesuffix("s") for word, _ in words_of(text)}

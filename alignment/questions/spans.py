"""Answer spans: the pieces of a prompt that a question about an image can ask for.

Noun phrases, their nouns and names, adjectives, adjective groups, numbers, places, actions, and
named entities where the parser has them. The rules read the labels of Universal Dependencies and
those of ClearNLP (the `en_core_web` family) alike, and never `doc.noun_chunks`, which knows only
the latter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, groupby
from typing import TYPE_CHECKING

from alignment.questions.records import AnswerSpan
from alignment.questions.words import FUNCTION_WORDS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Bounds = tuple[int, int]
"""First token, and the one after the last."""

PREMODIFIERS = frozenset({
    "advmod", "amod", "compound", "det", "det:predet", "flat", "nmod:desc", "nmod:poss",
    "nmod:unmarked", "nn", "nummod", "poss", "predet", "quantmod",
})  # fmt: skip
"""What stands before a noun and belongs to its phrase, in both label sets."""

PARTS_OF_NAMES = frozenset({"compound", "flat", "flat:name", "nn"})
"""Nouns that are part of another noun: "juice" heads "orange juice", "orange" does not."""

PLACING = frozenset({
    "above", "across", "against", "along", "among", "around", "at", "atop", "behind", "below",
    "beneath", "beside", "between", "beyond", "by", "during", "in", "inside", "left", "near",
    "next", "on", "onto", "outside", "over", "right", "through", "to", "toward", "towards", "under",
    "underneath", "upon", "within",
})  # fmt: skip
"""First words of phrases that say where or when: "on the grass", "next to a tree", "at night"."""

SIDES = frozenset("back bottom center centre edge front left middle right side top".split())
"""Nouns that make one preposition of "on top of" and the like."""

QUALIFYING = frozenset({"ADJ", "ADV", "CCONJ", "PUNCT", "VERB"})
"""Parts of speech inside an adjective group; a noun between two adjectives ends it."""


def answer_spans(doc: Doc, *, multi_word: bool = True) -> tuple[AnswerSpan, ...]:
    """The answer candidates of a prompt, in prompt order, longest first, each once.

    Args:
        doc: the prompt, whatever it holds, parsed by a pipeline such as
            `assets/checkpoints/prompt-parser`; an empty one has no spans.
        multi_word: also the spans that the method adds to noun phrases and names: adjective groups
            such as "black and white", places such as "in the air", actions such as "holding a hat".

    Returns:
        Spans with `doc.text[span.start:span.end] == span.text`. "a black apple" gives "a black
        apple", "black" and "apple".

    Source: Yarom et al., "What You See is What You Read?" (VQ2), answer candidates of VQ2A.
    """
    kinds: dict[Bounds, str] = {}
    doc = _with_whole_names(doc)
    places = chain.from_iterable(map(_place_of, doc)) if multi_word else ()
    for start, end, kind in chain(_candidates(doc, multi_word), places):
        if start < end:
            kinds.setdefault((start, end), kind)
    ordered = sorted(kinds, key=lambda bound: (bound[0], -bound[1]))
    return tuple(_span(doc, bound, kinds[bound]) for bound in ordered)


def _with_whole_names(doc: Doc) -> Doc:
    """The same prompt with each name of several capitalised words as one word: "Big Mac".

    A parser that takes "Golden" for an adjective of "Gate Bridge" would ask what is golden. Where
    every longer word is capitalised, as in a title, capitals say nothing.
    """
    longer = [token for token in doc if token.is_alpha and len(token) > 3]
    if all(token.is_title for token in longer):
        return doc
    capitals = [token.is_title and token.pos_ in ("ADJ", "NOUN", "PROPN") for token in doc]
    whole = doc.copy()
    with whole.retokenize() as retokenizer:
        for capital, tokens in groupby(whole, key=lambda token: capitals[token.i]):
            name = list(tokens)
            if capital and len(name) > 1 and any(token.pos_ == "PROPN" for token in name):
                span = whole[name[0].i : name[-1].i + 1]
                retokenizer.merge(span, attrs={"POS": "PROPN"})
    return whole


def with_names(doc: Doc, names: re.Pattern[str]) -> Doc:
    """The same prompt with each of some names of several words as one noun: "hot dog".

    What a parser makes of the words of a name by themselves, a dog that is hot, is then not asked.
    """
    whole = doc.copy()
    with whole.retokenize() as retokenizer:
        for found in names.finditer(doc.text):
            span = whole.char_span(*found.span())
            if span is not None:
                retokenizer.merge(span, attrs={"POS": "NOUN", "MORPH": str(span[-1].morph)})
    return whole


def phrases_by_noun(doc: Doc) -> dict[str, list[AnswerSpan]]:
    """Noun in lower case -> the phrases that introduce a thing of that name.

    "the apple" after "a red apple" speaks of the same apple and is left out; "apple" and "apples"
    are one name.
    """
    found: dict[str, list[AnswerSpan]] = {}
    names: dict[str, str] = {}
    for noun in filter(_names, doc):
        phrase = phrase_start(noun, PREMODIFIERS), name_end(noun)
        name = names.setdefault(noun.lower_.removesuffix("s"), noun.lower_)
        bare = doc[phrase[0]].lower_ == "the" and phrase[0] + 1 == noun.i
        if not (bare and name in found):
            found.setdefault(name, []).append(_span(doc, phrase))
    return found


def _span(doc: Doc, bounds: Bounds, kind: str = "thing") -> AnswerSpan:
    piece = doc[slice(*bounds)]
    return AnswerSpan(piece.text, piece.start_char, piece.end_char, kind)


def _candidates(doc: Doc, multi_word: bool = True) -> Iterator[tuple[int, int, str]]:
    """Bounds and kind of every candidate; where two kinds meet, the first counts."""
    for token in filter(_is_word, doc):
        if _names(token):
            yield from _about_noun(token)
        elif token.dep_ in PARTS_OF_NAMES and not _in_a_name(token):
            yield token.i, token.i + 1, "attribute"
        elif _describes(token):
            yield from _about_adjective(token, multi_word)
        elif token.dep_ == "nummod":
            yield token.i, token.i + 1, "count"
        elif multi_word and token.pos_ == "VERB" and token.lower_ not in FUNCTION_WORDS:
            yield token.i, _action_end(token), "action"
    yield from ((entity.start, entity.end, "name") for entity in doc.ents)


def _action_end(verb: Token) -> int:
    """The end of what is acted on, "a hat" in "wearing a hat in the snow"; else of all after it."""
    acted_on = [child for child in verb.rights if child.dep_ in ("obj", "dobj")]
    particles = [child.i + 1 for child in verb.rights if child.dep_ in ("prt", "compound:prt")]
    whole: int = max(part.i for part in verb.subtree) + 1
    joined = chain.from_iterable((each, *each.conjuncts) for each in acted_on)
    return max([*map(complement_end, joined), *particles]) if acted_on else whole


def _is_word(token: Token) -> bool:
    """False of a mark, whatever the parser takes it for, such as the hyphen of "t-shirt"."""
    return any(map(str.isalnum, token.text))


def _in_a_name(token: Token) -> bool:
    """True of "van" in "van gogh", which is one span; of "teddy" in "teddy bear" it is not."""
    return token.dep_ in ("flat", "flat:name") or token.pos_ == token.head.pos_ == "PROPN"


def _is_noun(token: Token) -> bool:
    """True of a noun that is no part of another."""
    return _is_word(token) and token.pos_ in ("NOUN", "PROPN") and token.dep_ not in PARTS_OF_NAMES


def _names(token: Token) -> bool:
    """True of such a noun that is no part of a preposition either."""
    return _is_noun(token) and not _is_placing(token)


def _is_placing(noun: Token) -> bool:
    """True of "top" in "on top of a car", which is no thing, as "the top of a car" would be."""
    marks, after = _prepositions(noun), noun.doc[noun.i + 1 : noun.i + 2].text.lower()
    placed = bool(marks) and marks[-1].lower_ in PLACING
    return placed and after == "of" and noun.lower_ in SIDES


def _about_noun(noun: Token) -> Iterator[tuple[int, int, str]]:
    """Its phrase, its name and its bare noun."""
    end = name_end(noun)
    yield phrase_start(noun, PREMODIFIERS), end, "thing"
    yield phrase_start(noun, PARTS_OF_NAMES), end, "thing"
    if noun.pos_ == "NOUN":
        yield noun.i, end, "thing"


def _about_adjective(adjective: Token, multi_word: bool) -> Iterator[tuple[int, int, str]]:
    """Itself and its group; with "of", as in "full of apples", it says what is where."""
    if _complement_of(adjective) is not None:
        yield adjective.i, complement_end(adjective), "place"
        return
    yield _hyphenated_start(adjective), adjective.i + 1, "attribute"
    if multi_word:
        yield *_adjective_group(adjective), "attribute"


def _place_of(noun: Token) -> Iterator[tuple[int, int, str]]:
    """The place that a noun makes with its preposition, if it has one that places."""
    marks = _prepositions(noun)
    if marks and marks[0].lower_ in PLACING and _is_noun(noun):
        yield marks[0].i, complement_end(noun), "place"


def phrase_start(noun: Token, labels: frozenset[str]) -> int:
    """Where the noun's modifiers with these labels begin; punctuation between them is theirs."""
    first = noun
    for child in reversed(list(noun.lefts)):
        if child.dep_ in labels:
            first = child.left_edge
        elif not child.is_punct:
            break
    start: int = first.i
    return start + 1 if first.is_punct else start


def name_end(noun: Token) -> int:
    """The end of a name of several words, "van gogh"; else of the noun itself."""
    end: int = noun.i + 1
    for child in noun.rights:
        if child.dep_ in PARTS_OF_NAMES and child.i == end:
            end = child.right_edge.i + 1
    return end


def complement_end(noun: Token) -> int:
    """The end of "the left of a pink umbrella": what follows "of" is part of the place."""
    complement = _complement_of(noun)
    return name_end(noun) if complement is None else complement_end(complement)


def _prepositions(noun: Token) -> list[Token]:
    """What marks the noun: `case` children in UD, the governor of a `pobj` in ClearNLP.

    ClearNLP reads "next to a tree" as "next", then "to" below it; both are given, in order.
    """
    if noun.dep_ != "pobj":
        return [child for child in noun.lefts if child.dep_ == "case"]
    outer = noun.head.head
    adverb = outer.lower_ in ("next", "close") and outer.i == noun.head.i - 1
    return [outer, noun.head] if adverb else [noun.head]


def _complement_of(noun: Token) -> Token | None:
    """As in "umbrella" for "left" in "the left of the umbrella"; None where no "of" follows."""
    after = noun.i + 1
    for token in noun.doc[after:]:
        governor = token.head.head if token.dep_ == "pobj" else token.head
        marks = _prepositions(token)
        told = [mark.lower_ for mark in marks] == ["of"]
        if told and (governor == noun or marks[0].i == after):
            return token
    return None


def _describes(token: Token) -> bool:
    """True of adjectives and of participles before a noun, not of parts of "dark green"."""
    adjective = token.pos_ == "ADJ" or (token.pos_ == "VERB" and token.dep_ == "amod")
    shade = token.head.pos_ == "ADJ" and token.dep_ in ("amod", "advmod", "compound")
    hyphen = token.i + 1 < len(token.doc) and token.nbor().text == "-" and not token.whitespace_
    return adjective and not shade and not hyphen and token.dep_ not in ("case", "fixed")


def _hyphenated_start(token: Token) -> int:
    """Where "diamond-shaped" begins; the token itself where no hyphen joins it to others."""
    start: int = token.i
    while start > 1 and token.doc[start - 1].text == "-" and not token.doc[start - 1].whitespace_:
        start -= 2
    return start


def _adjective_group(adjective: Token) -> Bounds:
    """As in "black and white", "very small", "dark green"; else the adjective itself."""
    alone = _hyphenated_start(adjective), adjective.i + 1
    before = [child.left_edge.i for child in adjective.lefts if child.dep_ in ("advmod", "amod")]
    joined = [] if adjective.dep_ == "conj" else adjective.conjuncts
    after = [other.i + 1 for other in joined if other.pos_ == "ADJ"]
    start, end = min([*before, alone[0]]), max([*after, alone[1]])
    pure = all(word.pos_ in QUALIFYING for word in adjective.doc[start:end])
    return (start, end) if pure else alone

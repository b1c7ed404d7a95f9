"""Seeded completion: what a prompt leaves open is drawn by the seed and said in the prompt.

A model that has learned one usual answer to what a prompt leaves open generates nearly the same
image from every seed. Where the background or the places of two things go unsaid, the seed
chooses them here, so that the images of a grid differ and each still shows what was asked for.
The person's own prompt stays what images are scored against.

What is left open is told by the parse, the things and grounds that the embedded text-to-image model
draws, and word vectors: "on the ice" says where, "at sunrise" when, "on a sofa" names a thing.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from generation.models import CHECKPOINTS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

VOCABULARY = CHECKPOINTS.parent / "icon-vocabulary.json"
TIMES = ("at night", "at sunset")
BACKGROUNDS = ("on the grass", "on the beach", "at night", "in the snow", "at sunset")
"""Phrases that the embedded model knows; hub models know them too."""
RELATIONS = ("to the left of", "to the right of", "above", "below")

GROUNDS = ("background", "underwater")
"""Words for a ground that its captions do not have, as those that `BACKGROUNDS` end with."""
NOT_PLACING = frozenset("of with without for like as than 's being".split())
"""Prepositions that say neither where nor when; these are few, the others many."""
ON_WHITE = "in the snow"
"""What white things are not seen on."""
OF_A_TIME = 0.6
"""Cosine to "night" or "sunset" from which a word is a time: "day" and "dawn", not "sky"."""


@dataclass(frozen=True)
class LeftOpen:
    """What a prompt does not say."""

    backgrounds: tuple[str, ...] = ()
    """Phrases of which one may be said; none where the prompt says where or when."""
    joint: tuple[int, int] | None = None
    """Where the "and" between two single things stands whose places are open, in characters."""


def complete_prompt(prompt: str, seed: int) -> str:
    """Say in a prompt what it leaves open; the same seed always gives the same completion.

    Each aspect has a generator of its own, so that what is said of one does not change the other.

    >>> complete_prompt("a red car", seed=4)
    'a red car at night'
    >>> complete_prompt("two cats on the beach", seed=4)
    'two cats on the beach'
    """
    open_ = left_open(prompt)
    phrase = random.Random(f"background|{seed}").choice(("", *open_.backgrounds))
    if open_.joint:
        relation = random.Random(f"place|{seed}").choice(RELATIONS)
        start, end = open_.joint
        prompt = f"{prompt[:start]}{relation}{prompt[end:]}"
    return f"{prompt.rstrip(' .,')} {phrase}" if phrase else prompt


@lru_cache(maxsize=4096)
def left_open(prompt: str) -> LeftOpen:
    """What a prompt does not say.

    Where it says when, or names a place that the model draws, nothing is added; where it names
    another, the time alone may be: "an owl on a branch at night".

    >>> left_open("an owl on a branch").backgrounds
    ('at night', 'at sunset')
    >>> [left_open(said).backgrounds for said in ("mountains at sunrise", "a penguin in the snow")]
    [(), ()]
    >>> left_open("an apple and a dog").joint
    (9, 12)
    """
    doc, world = _parser()(prompt), _world()
    named = [found.span() for found in world.things.finditer(prompt)]
    others = [t for t in doc if not any(start <= t.idx < end for start, end in named)]
    nouns = [t for t in others if _is_noun(t) and not _has_of(t)]
    ground = any(t.lower_ in world.grounds for t in others) or any(map(world.knows, nouns))
    if ground or any(map(_is_time, nouns)):
        return LeftOpen()
    placed = any(map(_is_placed, nouns))
    fitting = TIMES if placed or any(map(_is_adverb, others)) else BACKGROUNDS
    white = any(t.lower_ == "white" for t in doc)
    backgrounds = tuple(each for each in fitting if not (white and each == ON_WHITE))
    return LeftOpen(backgrounds, _joint(doc))


def _is_noun(token: Token) -> bool:
    """True of a noun that is no part of another, as "fire" is in "fire truck"."""
    return token.pos_ in ("NOUN", "PROPN") and token.dep_ != "compound"


def _has_of(noun: Token) -> bool:
    """True of what is named by what follows it: "top" in "on top of a car"."""
    after = [child for token in noun.rights for child in token.children]
    return any(mark.dep_ == "case" and mark.lower_ == "of" for mark in after)


def _is_placed(noun: Token) -> bool:
    """Whether it is in a phrase that says where or when, as "car" in "on top of a car" is."""
    marks = [child.lower_ for child in noun.children if child.dep_ == "case"]
    if marks == ["of"]:
        return _is_placed(noun.head)
    return bool(marks) and marks[0] not in NOT_PLACING


def _is_adverb(token: Token) -> bool:
    """True of "outside" and "together"."""
    described = token.head.pos_ in ("NOUN", "PROPN", "VERB")
    return token.pos_ in ("ADV", "ADP") and token.dep_ == "advmod" and described


def _is_time(token: Token) -> bool:
    """True of "day" and "dawn", by their vectors."""
    word, *times = (token.vocab[each] for each in (token.lower_, *(t.split()[-1] for t in TIMES)))
    return word.has_vector and any(word.similarity(each) >= OF_A_TIME for each in times)


def _joint(doc: Doc) -> tuple[int, int] | None:
    """Where the "and" stands between the only two nouns of a prompt, each of which is one thing."""
    nouns = [*filter(_is_noun, doc)]
    joined = [t for t in nouns if t.dep_ == "conj"]
    ands = [t for t in doc if t.dep_ == "cc" and t.lower_ == "and"]
    single = [t for t in nouns if any(c.lower_ in ("a", "an", "one") for c in t.lefts)]
    if not (len(nouns) == len(single) == 2 and len(joined) == len(ands) == 1):
        return None
    return ands[0].idx, ands[0].idx + len(ands[0])


@dataclass(frozen=True)
class _World:
    """What the embedded text-to-image model draws."""

    things: re.Pattern[str]
    grounds: frozenset[str]
    """Words that stand for a background wherever they do."""
    words: frozenset[str]

    def knows(self, token: Token) -> bool:
        """Whether a word is one that its captions have."""
        return token.lower_ in self.words


@cache
def _world() -> _World:
    known = json.loads(VOCABULARY.read_text(encoding="utf-8"))
    names = [*known["text_to_image_reads"], *chain.from_iterable(known["categories"].items())]
    for name, each in known["classes"].items():
        names += [name, each["plural"], *chain.from_iterable(each["synonyms"].items())]
    phrases = chain.from_iterable(known["backgrounds"].values())
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return _World(
        re.compile(rf"\b(?:{'|'.join(longest_first)})\b", re.IGNORECASE),
        frozenset([*GROUNDS, *(phrase.split()[-1] for phrase in phrases)]),
        frozenset([*known["words"], *known["text_to_image_words"]]),
    )


@cache
def _parser() -> Any:
    import spacy

    return spacy.load(CHECKPOINTS / "prompt-parser")

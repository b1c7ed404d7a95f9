"""Seeded completion: what a prompt leaves open is drawn by the seed and said in the prompt.

A model that has learned one usual answer to what a prompt leaves open generates nearly the same
image from every seed. Where the background or the places of two things go unsaid, the seed
chooses them here, so that the images of a grid differ and each still shows what was asked for.
The person's own prompt stays what images are scored against.

What goes unsaid is read from the parse, the vocabulary of `icons` and word vectors: "at dawn" says
when, "in a field" names a place that is drawn, "on a branch" one that is not, "on a sofa" a thing.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import hub
from generation.errors import CheckpointMissingError
from generation.models import CHECKPOINTS

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc, Token

TIMES = ("at night", "at sunset")
BACKGROUNDS = ("on the grass", "on the beach", "at night", "in the snow", "at sunset")
"""Phrases that the embedded model knows; hub models know them too."""
NOT_ON_WHITE = "in the snow"
RELATIONS = ("to the left of", "to the right of", "above", "below")

PLACES_BY_THEMSELVES = frozenset({"background", "indoors", "underwater"})
"""Words that say where, whatever the parse takes them for."""
NOT_PLACING = frozenset("about as for like of than with without 's being".split())
"""Prepositions that say neither where nor when."""
OF_A_TIME = 0.6
"""Cosine to "night" or "sunset" from which a word is a time: "day" and "dawn", not "city"."""


@dataclass(frozen=True)
class LeftOpen:
    """What a prompt does not say."""

    backgrounds: tuple[str, ...] = ()
    """Phrases of which one may be added; none where a second one would contradict the prompt."""
    joint: tuple[int, int] | None = None
    """Start and end, in characters, of the "and" between two single things whose places are open;
    None where there are no such two."""


def complete_prompt(prompt: str, seed: int) -> str:
    """Say in a prompt what it leaves open; the same seed always gives the same completion.

    Background and places have a generator each, so that what is said of one does not change the
    other.

    >>> complete_prompt("a red car", seed=4)
    'a red car at night'
    >>> complete_prompt("two cats on the beach", seed=4)
    'two cats on the beach'
    """
    unsaid = left_open(prompt)
    phrase = random.Random(f"background|{seed}").choice(("", *unsaid.backgrounds))
    if unsaid.joint:
        relation = random.Random(f"place|{seed}").choice(RELATIONS)
        start, end = unsaid.joint
        prompt = f"{prompt[:start]}{relation}{prompt[end:]}"
    return f"{prompt.rstrip(' .,')} {phrase}" if phrase else prompt


@lru_cache(maxsize=4096)
def left_open(prompt: str) -> LeftOpen:
    """What a prompt does not say.

    A time, or a place that the model draws, leaves no background open; any other place leaves a
    time open: "an owl on a branch at night".

    >>> left_open("an owl on a branch").backgrounds
    ('at night', 'at sunset')
    >>> [left_open(said).backgrounds for said in ("mountains at sunrise", "a penguin in the snow")]
    [(), ()]
    >>> left_open("an apple and a dog").joint
    (9, 12)

    Raises:
        CheckpointMissingError: the parser that ships with the project is not there.
    """
    doc, known = _parser()(prompt), _vocabulary()
    names = [found.span() for found in known.things.finditer(prompt)]
    things = {token for token in doc if any(start <= token.idx < end for start, end in names)}
    nouns = [token for token in doc if token.pos_ in ("NOUN", "PROPN") and token.dep_ != "compound"]
    others = [token for token in nouns if token not in things]
    whole = [token for token in others if not _is_part(token)]
    scenery = {token for token in others if token.lower_ in known.places}
    scenery |= {token for token in whole if _is_time(token)}
    joint = _joint(doc, [token for token in nouns if token not in scenery])
    if scenery or any(token.lower_ in PLACES_BY_THEMSELVES for token in doc):
        return LeftOpen(joint=joint)
    placed = any(map(_is_placed, whole))
    white = any(token.lower_ == "white" for token in doc)
    fitting = TIMES if placed else BACKGROUNDS
    return LeftOpen(tuple(each for each in fitting if not (white and each == NOT_ON_WHITE)), joint)


def _is_part(noun: Token) -> bool:
    """Whether "of" follows and says of what: true of "top" in "on top of a car"."""
    marks = (child for token in noun.rights for child in token.children)
    return any(mark.dep_ == "case" and mark.lower_ == "of" for mark in marks)


def _is_placed(noun: Token) -> bool:
    """Whether it is in a phrase that says where or when, as "car" in "on top of a car" is."""
    marks = [child.lower_ for child in noun.children if child.dep_ == "case"]
    if marks == ["of"]:
        return noun.head != noun and _is_placed(noun.head)
    return bool(marks) and marks[0] not in NOT_PLACING


def _is_time(noun: Token) -> bool:
    """Whether its vector is near those of times that are drawn: true of "day" and "dawn"."""
    word, *times = (noun.vocab[text] for text in (noun.lower_, *(t.split()[-1] for t in TIMES)))
    return word.has_vector and any(word.similarity(each) >= OF_A_TIME for each in times)


def _joint(doc: Doc, nouns: list[Token]) -> tuple[int, int] | None:
    """Where the "and" stands between the only two of some nouns, each of which is one thing."""
    nouns = [noun for noun in nouns if not _is_part(noun)]
    single = [t for t in nouns if any(c.lower_ in ("a", "an", "one") for c in t.lefts)]
    joined = [noun for noun in nouns if noun.dep_ == "conj"]
    ands = [token for token in doc if token.dep_ == "cc" and token.lower_ == "and"]
    if not (len(nouns) == len(single) == 2 and len(joined) == len(ands) == 1):
        return None
    return ands[0].idx, ands[0].idx + len(ands[0])


def _parser() -> Language:
    folder = CHECKPOINTS / "prompt-parser"
    try:
        return hub.load_parser(folder)
    except OSError as error:
        raise CheckpointMissingError(
            f"no parser in {folder}, by which what a prompt leaves open is told; it comes with the "
            "repository; generate without completion, or fetch the whole repository"
        ) from error


@dataclass(frozen=True)
class _Vocabulary:
    """What `icons` draws."""

    things: re.Pattern[str]
    places: frozenset[str]


@cache
def _vocabulary() -> _Vocabulary:
    known = json.loads((CHECKPOINTS.parent / "icon-vocabulary.json").read_text(encoding="utf-8"))
    names = [*known["text_to_image_reads"], *chain.from_iterable(known["categories"].items())]
    for name, each in known["classes"].items():
        names += [name, each["plural"], *chain.from_iterable(each["synonyms"].items())]
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    things = re.compile(rf"\b(?:{'|'.join(longest_first)})\b", re.IGNORECASE)
    return _Vocabulary(things, frozenset(known["text_to_image_places"]))

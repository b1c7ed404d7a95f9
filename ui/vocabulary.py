"""The vocabulary of the embedded models, and the warning about words outside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

import alignment
import generation
from alignment.questions.negation import SIGNS
from ui.components import ASSETS
from ui.render import status
from ui.render.vocabulary import (
    CATEGORIES,
    TOO_MANY,
    beyond_them,
    known_instead,
    unknown_words,
)

if TYPE_CHECKING:
    from spacy.vocab import Vocab

EMBEDDED = "embedded"
KINDS = {"animal": "animals", "food": "food", "clothing": "clothes", "vehicle": "vehicles"}
"""What a thing can be -> the category of the vocabulary that has others of the kind."""
PERSON = "person"
"""A kind of which the vocabulary has none."""
ALIKE = 0.45
"""The cosine of a word's vector to that of a kind from which it is one of the kind."""


def load_vocabulary() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ASSETS / "vocabulary.json").read_text("utf-8"))
    return found


@cache
def known_words(generated: bool) -> frozenset[str]:
    """Every word the embedded models know; the text-to-image model knows a few more than the
    evaluators.
    """
    vocabulary = load_vocabulary()
    return frozenset(
        (*vocabulary["words"], *(vocabulary["text_to_image_words"] if generated else ()))
    )


def instead_of(prompt: str, unknown: Sequence[str]) -> dict[str, Sequence[str]]:
    """Words of a prompt that are not known -> the known things that may stand in their place.

    For a thing it is the nearest of its kind, by the vectors that the parser reads prompts with;
    for a word without a vector, which is misspelled, it is what is spelled alike.

    >>> instead_of("a boy on a bicycle with a bowl", ["boy", "bicycle", "bowl"])
    {'boy': (), 'bicycle': ('car',), 'bowl': ()}
    >>> instead_of("a sheep riding a baloon", ["sheep", "riding", "baloon"])
    {'sheep': ('cow',), 'riding': (), 'baloon': ['balloon']}
    """
    read = alignment.Models(alignment.find_bundle(EMBEDDED)).parser(prompt)
    named = {each.lower_ for each in read if each.pos_ in ("NOUN", "PROPN")}
    things = [*load_vocabulary()["classes"]]
    return {
        word: get_close_matches(word, things, 2, 0.75)
        if not read.vocab[word].has_vector
        else _nearest_of_its_kind(word, read.vocab)
        if word in named
        else ()
        for word in unknown
    }


def _nearest_of_its_kind(word: str, words: Vocab) -> tuple[str, ...]:
    def nearest(others: Iterable[str]) -> str:
        return max(others, key=lambda other: words[word].similarity(words[other]))

    kind = nearest((*KINDS, PERSON))
    if kind == PERSON or words[word].similarity(words[kind]) < ALIKE:
        return ()
    return (nearest(each for each in CATEGORIES[KINDS[kind]] if words.has_vector(each)),)


def unlearned(text: str, model: str) -> tuple[str, ...]:
    """Words that an embedded text-to-image model has not learned; none for models of the hub."""
    if not generation.find_model(model).embedded:
        return ()
    return unknown_words(text, known_words(generated=True))


def vocabulary_warning(prompt: str, bundle: str, generated: bool) -> str:
    """A warning about what the embedded models do not know, where they generate or score."""
    if not (generated or bundle == EMBEDDED):
        return ""
    words = unknown_words(prompt, known_words(generated))
    said = beyond_them(prompt, load_vocabulary()["classes"], generated)
    others = tuple(word for word in words if word not in TOO_MANY and not SIGNS.fullmatch(word))
    steps = known_instead(instead_of(prompt, others)) if others else ""
    unknown = status.about_unknown(others)
    return status.warning(" ".join(filter(None, (unknown, *said))), steps)

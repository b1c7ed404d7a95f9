"""The vocabulary of the embedded models, and the warning about words outside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

import alignment
import generation
from alignment.questions.negation import SIGNS
from ui.components import ASSETS
from ui.render import status
from ui.render.vocabulary import TOO_MANY, beyond_them, known_instead, unknown_words

if TYPE_CHECKING:
    from spacy.tokens import Token

EMBEDDED = "embedded"
OTHERWISE = ("woman", "part", "side", "place", "picture")
"""For what is nearer to one of these than to any known thing, no thing can stand: people, parts."""


@cache
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

    For a noun it is the nearest, by the vectors that the parser reads prompts with, of several
    things in the plural, and none where the noun is no thing; for a word without a vector, which is
    misspelled, what is spelled alike.

    >>> instead_of("two lions on a bicycle", ["lions", "bicycle"])
    {'lions': ['elephants'], 'bicycle': ['car']}
    >>> instead_of("a sheep riding a baloon", ["sheep", "riding", "baloon"])
    {'sheep': ['cow'], 'riding': [], 'baloon': ['balloon']}
    >>> instead_of("a girl in front of a truck", ["girl", "front", "truck"])
    {'girl': [], 'front': [], 'truck': ['car']}
    """
    read = alignment.Models(alignment.find_bundle(EMBEDDED)).parser(prompt)
    nouns = {each.lower_: each for each in read if each.pos_ in ("NOUN", "PROPN")}
    return {
        word: get_close_matches(word, load_vocabulary()["classes"], 2, 0.75)
        if not read.vocab[word].has_vector
        else _nearest(nouns[word])
        if word in nouns
        else []
        for word in unknown
    }


def _nearest(noun: Token) -> list[str]:
    words, things = noun.vocab, load_vocabulary()["classes"]
    lemma = noun.lemma_.lower()
    one = words[lemma if words.has_vector(lemma) else noun.lower_]
    known = filter(words.has_vector, (*things, *OTHERWISE))
    near = max(known, key=lambda each: one.similarity(words[each]))
    if near in OTHERWISE:
        return []
    return [str(things[near]["plural"]) if "Plur" in noun.morph.get("Number") else near]


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

"""The warning about words that the embedded models do not know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from heapq import nlargest
from typing import TYPE_CHECKING, Any

import alignment
from ui.render import status
from ui.render.vocabulary import known_instead, unknown_words, vocabulary_of, warning_of

if TYPE_CHECKING:
    from spacy.tokens import Token

EMBEDDED = "embedded"
OTHERWISE = ("woman", "part", "side", "place", "picture")
"""For what is nearer to one of these than to any known thing, no thing can stand: people, parts."""
NEAR = 0.62
"""Cosine of two words from which one may stand for the other: a ship and a boat, not a plate and a
sandwich."""
OFFERED = 2
"""Known things for an unknown one, at most."""


def instead_of(
    prompt: str, unknown: Sequence[str], things: Mapping[str, Any]
) -> dict[str, Sequence[str]]:
    """Words of a prompt that are not known -> the known things that may stand in their place.

    For a noun these are the nearest, by the vectors that the parser reads prompts with, of several
    things in the plural, and none where the noun is no thing or none is near; for a word without a
    vector, which is misspelled, what is spelled alike.

    >>> things = vocabulary_of("icons")["classes"]
    >>> instead_of("two ships, a pumpkin and a plate", ["ships", "pumpkin", "plate"], things)
    {'ships': ['boats'], 'pumpkin': ['cake', 'watermelon'], 'plate': []}
    >>> instead_of("a king riding a baloon", ["king", "riding", "baloon"], things)
    {'king': ['crown'], 'riding': [], 'baloon': ['balloon']}
    >>> things = vocabulary_of("stickers")["classes"]
    >>> instead_of("a girl in front of a truck", ["girl", "front", "truck"], things)
    {'girl': [], 'front': [], 'truck': ['car', 'airplane']}
    """
    read = alignment.Models(alignment.find_bundle(EMBEDDED)).parser(prompt)
    nouns = {each.lower_: each for each in read if each.pos_ in ("NOUN", "PROPN")}
    return {
        word: get_close_matches(word, things, 2, 0.75)
        if not read.vocab[word].has_vector
        else _nearest(nouns[word], things)
        if word in nouns
        else []
        for word in unknown
    }


def _nearest(noun: Token, things: Mapping[str, Any]) -> list[str]:
    words = noun.vocab
    lemma = noun.lemma_.lower()
    one = words[lemma if words.has_vector(lemma) else noun.lower_]
    known = filter(words.has_vector, (*things, *OTHERWISE))
    near = nlargest(
        OFFERED, ((one.similarity(words[each]), each) for each in known), key=lambda each: each[0]
    )
    if near[0][1] in OTHERWISE:
        return []
    found = [each for likeness, each in near if likeness >= NEAR and each not in OTHERWISE]
    many = "Plur" in noun.morph.get("Number")
    return [str(things[each]["plural"]) if many else each for each in found]


def vocabulary_warning(prompt: str, bundle: str, model: str = "") -> str:
    """What `warning_of` says of a prompt as HTML, with buttons for what is known instead."""
    vocabulary, words = vocabulary_of(model, bundle), unknown_words(prompt, bundle, model)
    things = instead_of(prompt, words, vocabulary["classes"]) if vocabulary and words else {}
    return status.warning(warning_of(prompt, bundle, model), known_instead(things))

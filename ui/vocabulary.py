"""The warning about words that the embedded models do not know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import alignment
from ui.render import status
from ui.render.vocabulary import known_instead, unknown_words, vocabulary_of, warning_of

if TYPE_CHECKING:
    from spacy.tokens import Token

EMBEDDED = "embedded"
OTHERWISE = ("woman", "part", "side", "place", "picture")
"""For what is nearer to one of these than to any known thing, no thing can stand: people, parts."""


def instead_of(
    prompt: str, unknown: Sequence[str], things: Mapping[str, Any]
) -> dict[str, Sequence[str]]:
    """Words of a prompt that are not known -> the known things that may stand in their place.

    For a noun it is the nearest, by the vectors that the parser reads prompts with, of several
    things in the plural, and none where the noun is no thing; for a word without a vector, which is
    misspelled, what is spelled alike.

    >>> things = vocabulary_of("stickers")["classes"]
    >>> instead_of("two lions on a bicycle", ["lions", "bicycle"], things)
    {'lions': ['elephants'], 'bicycle': ['car']}
    >>> instead_of("a sheep riding a baloon", ["sheep", "riding", "baloon"], things)
    {'sheep': ['cow'], 'riding': [], 'baloon': ['balloon']}
    >>> instead_of("a girl in front of a truck", ["girl", "front", "truck"], things)
    {'girl': [], 'front': [], 'truck': ['car']}
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
    near = max(known, key=lambda each: one.similarity(words[each]))
    if near in OTHERWISE:
        return []
    return [str(things[near]["plural"]) if "Plur" in noun.morph.get("Number") else near]


def vocabulary_warning(prompt: str, bundle: str, model: str = "") -> str:
    """What `warning_of` says of a prompt as HTML, with buttons for what is known instead."""
    vocabulary, words = vocabulary_of(model, bundle), unknown_words(prompt, bundle, model)
    things = instead_of(prompt, words, vocabulary["classes"]) if vocabulary and words else {}
    return status.warning(warning_of(prompt, bundle, model), known_instead(things))

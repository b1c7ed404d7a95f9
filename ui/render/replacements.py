"""Known words that may stand in the place of unknown ones, as buttons of the warning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from heapq import nlargest
from itertools import product
from typing import TYPE_CHECKING, Any

import alignment
from alignment.questions.knowledge import read_knowledge
from ui.render.status import warning
from ui.render.vocabulary import unknown_words, vocabulary_file, vocabulary_of, warning_of
from ui.render.words import safe

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
    prompt: str, unknown: Sequence[str], model: str, bundle: str = ""
) -> dict[str, Sequence[str]]:
    """Words of a prompt that are not known -> the known ones that may stand in their place.

    That is what the text-to-image model reads instead, where it does. For a noun it is the names
    that end with it ("computer mouse"), else the nearest of its kind ("a flower") or of all, by the
    vectors that the parser reads prompts with, of several things in the plural, and none where the
    noun is no thing, none is near, or it also stands in a known name of the prompt; for a word
    without a vector, which is misspelled, what is spelled alike. What the prompt names already is
    not offered.

    >>> instead_of("two ships, a pumpkin and a plate", ["ships", "pumpkin", "plate"], "icons")
    {'ships': ['boats'], 'pumpkin': ['cake', 'watermelon'], 'plate': []}
    >>> instead_of("a child riding a baloon", ["child", "riding", "baloon"], "icons")
    {'child': ['person'], 'riding': ['on'], 'baloon': ['balloon']}
    >>> instead_of("a mouse and two glasses", ["mouse", "glasses"], "icons")
    {'mouse': ['computer mouse'], 'glasses': ['wine glasses']}
    >>> instead_of("a wine glass and a glass", ["glass"], "icons")
    {'glass': []}
    >>> instead_of("two flowers and an animal", ["flowers", "animal"], "icons")
    {'flowers': ['tulips', 'roses'], 'animal': ['dog', 'bird']}
    >>> instead_of("a fruit, but no bananas", ["fruit"], "icons")
    {'fruit': ['watermelon', 'pineapple']}
    >>> instead_of("a girl in front of a truck", ["girl", "front", "truck"], "stickers")
    {'girl': [], 'front': [], 'truck': ['car', 'airplane']}
    """
    file, vocabulary = vocabulary_file(model, bundle), vocabulary_of(model, bundle)
    if not (file and vocabulary):
        return {}
    there = read_knowledge(file).things(prompt)
    things = {name: each for name, each in vocabulary["classes"].items() if name not in there}
    read_as = vocabulary["text_to_image_reads"] if vocabulary_of(model) else {}
    names = read_knowledge(file).names.findall(prompt.lower())
    named = {word for name in names for word in name.split()}
    read = alignment.Models(alignment.find_bundle(EMBEDDED)).parser(prompt)
    nouns = {each.lower_: each for each in read if each.pos_ in ("NOUN", "PROPN")}

    def known(word: str) -> list[str]:
        if word in read_as:
            return [read_as[word]]
        if word in named:
            return []
        if not read.vocab[word].has_vector:
            return get_close_matches(word, things, 2, 0.75)
        return _nearest(nouns[word], things) if word in nouns else []

    return {word: known(word) for word in unknown}


def _nearest(noun: Token, things: Mapping[str, Any]) -> list[str]:
    words, many = noun.vocab, "Plur" in noun.morph.get("Number")
    lemma = noun.lemma_.lower()
    said = {noun.lower_, lemma}
    ending = [
        name
        for name in things
        if " " in name and {name.split()[-1], things[name]["plural"].split()[-1]} & said
    ]
    if ending:
        return _numbered(ending, many, things)
    one = words[lemma if words.has_vector(lemma) else noun.lower_]
    kind = [name for name in things if things[name]["category"] in said - {"object"}]
    known = filter(words.has_vector, kind or (*things, *OTHERWISE))
    near = nlargest(
        OFFERED, ((one.similarity(words[each]), each) for each in known), key=lambda each: each[0]
    )
    found = [each for likeness, each in near if kind or likeness >= NEAR]
    if found and found[0] in OTHERWISE:
        return []
    return _numbered([each for each in found if each in things], many, things)


def _numbered(names: Sequence[str], many: bool, things: Mapping[str, Any]) -> list[str]:
    return [str(things[each]["plural"]) if many else each for each in names]


def vocabulary_warning(prompt: str, bundle: str, model: str = "", *, listed: bool = False) -> str:
    """What `warning_of` says of a prompt as HTML, with buttons for what is known instead.

    Args:
        listed: as in `known_instead`.
    """
    unknown = unknown_words(prompt, bundle, model)
    things = instead_of(prompt, unknown, model, bundle) if unknown else {}
    said = warning_of(prompt, unknown, bundle, model)
    return warning(said, known_instead(things, listed=listed))


def vocabulary_warnings(prompts: Iterable[str], used: Iterable[tuple[str, str]]) -> str:
    """The warnings of several prompts, each once.

    Args:
        used: bundles, each with the model that generates.
    """
    return "".join(
        dict.fromkeys(vocabulary_warning(prompt, *each) for prompt, each in product(prompts, used))
    )


def known_instead(things: Mapping[str, Sequence[str]], listed: bool) -> str:
    """Buttons: for each unknown word the known things that may stand in its place.

    Args:
        things: unknown word -> known ones.
        listed: whether a button behind them shows all known words, which stand under "more".

    >>> known_instead({"baloon": ["balloon"]}, listed=False)[:82]
    ' Known: <button type="button" class="word" data-from="baloon" data-word="balloon" '
    """
    buttons = [
        f'<button type="button" class="word" data-from="{safe(word)}" data-word="{safe(thing)}" '
        f'title="instead of {safe(word)}">{safe(thing)}</button>'
        for word, known in things.items()
        for thing in known
    ]
    known = f" Known: {' '.join(buttons)}" if buttons else ""
    more = ' See <button type="button" class="word">all known words</button>' if listed else ""
    return known + more if things else ""

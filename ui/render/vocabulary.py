"""The vocabulary of the embedded models: words outside it, what is known instead, all its words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from difflib import get_close_matches
from functools import cache
from heapq import nlargest
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import alignment
import generation
from alignment.questions.knowledge import read_knowledge
from alignment.questions.negation import SIGNS
from alignment.questions.words import DIGITS, NUMBERS, POSSESSIVES, WORD, symbols_of
from ui.render.status import about_unknown, warning
from ui.render.words import safe

if TYPE_CHECKING:
    from spacy.tokens import Token

NOT_WARNED_OF = POSSESSIVES | frozenset(
    "about any as be but by can could each few from has have he i into just let make many me not "
    "off out photograph please she showing so than them then they very want was we were which "
    "while who will would you".split()
)
"""Words that name nothing an image could show."""

NUMBER_OF_WORD = {**{word: int(digits) for digits, word in NUMBERS.items()}, "dozen": 12}
"""Word for a number -> the number."""

EMBEDDED = "embedded"
OTHERWISE = ("woman", "part", "side", "place", "picture")
"""For what is nearer to one of these than to any known thing, no thing can stand: people, parts."""
NEAR = 0.62
"""Cosine of two words from which one may stand for the other: a ship and a boat, not a plate and a
sandwich."""
OFFERED = 2
"""Known things for an unknown one, at most."""


def vocabulary_of(model: str, bundle: str = "") -> Mapping[str, Any] | None:
    """What a text-to-image model has learned, else what a bundle has; None for all words."""
    file = _file(model, bundle)
    return _read(file) if file else None


def _file(model: str, bundle: str) -> Path | None:
    file = generation.find_model(model).knows if model else None
    return file or (alignment.find_bundle(bundle).answerer.knows if bundle else None)


@cache
def _read(file: Path) -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def known_words(vocabulary: Mapping[str, Any], generated: bool) -> frozenset[str]:
    """Every word of a vocabulary; text-to-image models know a few more than evaluators."""
    more = vocabulary["text_to_image_words"] if generated else ()
    return frozenset((*vocabulary["words"], *more))


def words_outside(known: Set[str], prompt: str) -> tuple[str, ...]:
    """Words of a prompt that are not among the known ones, in prompt order, each once.

    >>> words_outside({"an", "and", "a", "red", "apple"}, "An astronaut and a red apple")
    ('astronaut',)
    """
    said = DIGITS.sub("", re.sub(r"['\u2019]s\b", "", prompt.lower()))
    words = [(found.start(), found[0]) for found in WORD.finditer(said)]
    signs = [(start, sign) for sign, start in symbols_of(said)]
    every = (word for _, word in sorted(words + signs))
    return tuple(dict.fromkeys(word for word in every if word not in known | NOT_WARNED_OF))


def limits(prompt: str, vocabulary: Mapping[str, Any], generated: bool) -> tuple[str, ...]:
    """What the embedded models cannot do with words that they know, in sentences.

    Args:
        prompt: to be generated or scored.
        vocabulary: what they know; at least its classes and counts.
        generated: by an embedded text-to-image model, which may have learned some signs of
            negation; else only the evaluators are embedded.

    >>> limits("3 red apples", {"classes": {}, "counts": ["one", "two"]}, generated=False)
    ('These models count to two.',)
    >>> limits("a 1950s car, 8k", {"classes": {}, "counts": ["one", "two"]}, generated=False)
    ()
    """
    words = [found[0] for found in WORD.finditer(prompt.lower())]
    known = vocabulary["counts"]
    said = (*map(int, DIGITS.findall(prompt)), *(NUMBER_OF_WORD.get(word, 0) for word in words))
    twice = next((thing for thing in vocabulary["classes"] if words.count(thing) > 1), "")
    drawn = vocabulary["text_to_image_signs"] if generated else ()
    signs = SIGNS.finditer(prompt) if generated else ()
    ignored = next((each[0] for each in signs if each[0].lower() not in drawn), "")
    found = {
        f"These models count to {known[-1]}.": any(number > len(known) for number in said),
        f'These models have never seen two different things called "{twice}".': twice,
        f'Generating ignores "{ignored}".': ignored,
    }
    return tuple(sentence for sentence, true in found.items() if true)


def unknown_words(prompt: str, bundle: str, model: str = "") -> tuple[str, ...]:
    """Words not known to the model that generates, else to those that score.

    Counts and signs of negation are not among them: `limits` speaks of those.
    """
    file = _file(model, bundle)
    if file is None:
        return ()
    known = known_words(_read(file), bool(vocabulary_of(model)))
    words = words_outside(known, read_knowledge(file).apart_from_names(prompt.replace("-", " ")))
    return tuple(word for word in words if word not in NUMBER_OF_WORD and not SIGNS.fullmatch(word))


def warning_of(prompt: str, bundle: str, model: str = "") -> str:
    """What the model that generates, else those that score, cannot do with a prompt, in sentences.

    >>> warning_of("five zebras", "embedded", "stickers")
    'Not known here: "zebras". These models count to four.'
    """
    vocabulary = vocabulary_of(model, bundle)
    if not vocabulary:
        return ""
    unknown = about_unknown(unknown_words(prompt, bundle, model))
    said = limits(prompt, vocabulary, bool(vocabulary_of(model)))
    return " ".join(filter(None, (unknown, *said)))


def instead_of(
    prompt: str, unknown: Sequence[str], model: str, bundle: str = ""
) -> dict[str, Sequence[str]]:
    """Words of a prompt that are not known -> the known ones that may stand in their place.

    That is what the text-to-image model reads instead, where it does. For a noun it is the names
    that end with it ("computer mouse"), else the nearest of its kind ("a flower") or of all, by the
    vectors that the parser reads prompts with, of several things in the plural, and none where the
    noun is no thing, none is near, or it also stands in a known name of the prompt; for a word
    without a vector, which is misspelled, what is spelled alike.

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
    >>> instead_of("a girl in front of a truck", ["girl", "front", "truck"], "stickers")
    {'girl': [], 'front': [], 'truck': ['car', 'airplane']}
    """
    file = _file(model, bundle)
    if file is None:
        return {}
    things = _read(file)["classes"]
    read_as = _read(file)["text_to_image_reads"] if vocabulary_of(model) else {}
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
    words = unknown_words(prompt, bundle, model)
    things = instead_of(prompt, words, model, bundle) if words else {}
    return warning(warning_of(prompt, bundle, model), known_instead(things, listed=listed))


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


def word_list(vocabulary: Mapping[str, Any]) -> str:
    """Everything that can be asked for, by category, folded up; each word is a button."""
    groups = "".join(_group(name, words) for name, words in categories(vocabulary).items())
    summary = "<summary>all words that these models know</summary>"
    return f'<details class="vocabulary">{summary}<dl>{groups}</dl></details>'


def categories(vocabulary: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    """Category -> its words, things first."""
    known = vocabulary["classes"]
    places = [said[0] for said in vocabulary["backgrounds"].values() if said]
    found: dict[str, Sequence[str]] = {
        "things": sorted(known),
        "colours": vocabulary["colours"],
        "counts": vocabulary["counts"],
        "states": sorted({*chain.from_iterable(each["states"] for each in known.values())}),
        "places": places,
        "relations": vocabulary["relations"],
    }
    return {name: words for name, words in found.items() if words}


def _group(name: str, words: Sequence[str]) -> str:
    buttons = "".join(
        f'<button type="button" class="word" data-word="{safe(word)}">{safe(word)}</button>'
        for word in words
    )
    return f"<div><dt>{safe(name)}</dt><dd>{buttons}</dd></div>"

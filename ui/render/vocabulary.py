"""The vocabulary of the embedded models: words outside it, and words by category as HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import alignment
import generation
from alignment.questions.negation import SIGNS
from alignment.questions.words import POSSESSIVES, symbols_of
from ui.render.status import about_unknown
from ui.render.words import safe

FUNCTION_WORDS = POSSESSIVES | frozenset(
    "about as be but by can could each few from has have he i into let make many me not off out "
    "photograph please she showing so than them then they very want was we were which while who "
    "will would you".split()
)
"""Words that name nothing an image could show."""

MOST = 4
"""How many of a thing the embedded models have seen."""
TOO_MANY = frozenset("five six seven eight nine ten eleven twelve dozen".split())
"""Counts that are more."""


def vocabulary_of(model: str, bundle: str = "") -> Mapping[str, Any] | None:
    """What a text-to-image model has learned, else what a bundle has; None for all words."""
    file = generation.find_model(model).knows if model else None
    if bundle and not file:
        file = alignment.find_bundle(bundle).answerer.knows
    return _read(file) if file else None


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
    said = re.sub(r"['\u2019]s\b", "", prompt.lower())
    words = [(found.start(), found[0]) for found in re.finditer(r"[^\W\d_]+", said)]
    signs = [(start, sign) for sign, start in symbols_of(said)]
    every = (word for _, word in sorted(words + signs))
    return tuple(dict.fromkeys(word for word in every if word not in known | FUNCTION_WORDS))


def limits(prompt: str, things: Iterable[str], generated: bool) -> tuple[str, ...]:
    """What the embedded models cannot do with words that they know, in sentences.

    Args:
        prompt: to be generated or scored.
        things: the vocabulary's nouns.
        generated: by the embedded text-to-image model; else only the evaluators are embedded.

    >>> limits("5 red apples", ("apple",), generated=True)
    ('These models count to four.',)
    """
    words = re.findall(r"[a-z']+|\d+", prompt.lower())
    many = any(int(word[:9]) > MOST if word.isdecimal() else word in TOO_MANY for word in words)
    twice = next((thing for thing in things if words.count(thing) > 1), "")
    sign = SIGNS.search(prompt) if generated else None
    said = {
        "These models count to four.": many,
        f'These models have never seen two different things called "{twice}".': twice,
        f'Generating ignores "{sign and sign.group()}".': sign,
    }
    return tuple(sentence for sentence, true in said.items() if true)


def unknown_words(prompt: str, bundle: str, model: str = "") -> tuple[str, ...]:
    """Words not known to the model that generates, else to those that score.

    Counts and signs of negation are not among them: `limits` speaks of those.
    """
    vocabulary = vocabulary_of(model, bundle)
    known = known_words(vocabulary, bool(vocabulary_of(model))) if vocabulary else None
    words = () if known is None else words_outside(known, prompt)
    return tuple(word for word in words if word not in TOO_MANY and not SIGNS.fullmatch(word))


def warning_of(prompt: str, bundle: str, model: str = "") -> str:
    """What the model that generates, else those that score, cannot do with a prompt, in sentences.

    >>> warning_of("five zebras", "embedded", "stickers")
    'Not known here: "zebras". These models count to four.'
    """
    vocabulary = vocabulary_of(model, bundle)
    if not vocabulary:
        return ""
    unknown = about_unknown(unknown_words(prompt, bundle, model))
    said = limits(prompt, vocabulary["classes"], bool(vocabulary_of(model)))
    return " ".join(filter(None, (unknown, *said)))


def known_instead(things: Mapping[str, Sequence[str]]) -> str:
    """Buttons: for each unknown word the known things that may stand in its place.

    Args:
        things: unknown word -> known ones; a button behind them shows all known words.

    >>> known_instead({"baloon": ["balloon"]})[:82]
    ' Known: <button type="button" class="word" data-from="baloon" data-word="balloon" '
    """
    buttons = [
        f'<button type="button" class="word" data-from="{safe(word)}" data-word="{safe(thing)}" '
        f'title="instead of {safe(word)}">{safe(thing)}</button>'
        for word, known in things.items()
        for thing in known
    ]
    known = f" Known: {' '.join(buttons)}" if buttons else ""
    more = ' See <button type="button" class="word">all known words</button>'
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

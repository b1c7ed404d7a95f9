"""The vocabulary of the embedded models: words outside it, and all its words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence, Set
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import alignment
import generation
from alignment.questions.knowledge import read_knowledge
from alignment.questions.negation import SIGNS
from alignment.questions.words import (
    DIGITS,
    FUNCTION_WORDS,
    NUMBERS,
    WORD,
    symbols_of,
    without_courtesy,
)
from ui.render.status import about_unknown
from ui.render.words import safe

NUMBER_OF_WORD = {**{word: int(digits) for digits, word in NUMBERS.items()}, "dozen": 12}
"""Word for a number -> the number."""


def vocabulary_of(model: str, bundle: str = "") -> Mapping[str, Any] | None:
    """What a text-to-image model has learned, else what a bundle has; None for all words."""
    file = vocabulary_file(model, bundle)
    return _read(file) if file else None


def vocabulary_file(model: str, bundle: str) -> Path | None:
    """The file of that vocabulary; None where it is all words."""
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
    said = DIGITS.sub("", re.sub(r"['\u2019]s\b", "", without_courtesy(prompt.lower())))
    words = [(found.start(), found[0]) for found in WORD.finditer(said)]
    signs = [(start, sign) for sign, start in symbols_of(said)]
    every = (word for _, word in sorted(words + signs))
    return tuple(dict.fromkeys(word for word in every if word not in known | FUNCTION_WORDS))


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
        f'The text-to-image model ignores "{ignored}".': ignored,
    }
    return tuple(sentence for sentence, true in found.items() if true)


def unknown_words(prompt: str, bundle: str, model: str = "") -> tuple[str, ...]:
    """Words not known to the model that generates, else to those that score.

    Counts and signs of negation are not among them: `limits` speaks of those.
    """
    file = vocabulary_file(model, bundle)
    if file is None:
        return ()
    known = known_words(_read(file), bool(vocabulary_of(model)))
    words = words_outside(known, read_knowledge(file).apart_from_names(prompt.replace("-", " ")))
    return tuple(word for word in words if word not in NUMBER_OF_WORD and not SIGNS.fullmatch(word))


def warning_of(prompt: str, unknown: tuple[str, ...], bundle: str, model: str = "") -> str:
    """What the model that generates, else those that score, cannot do with a prompt, in sentences.

    Args:
        unknown: the `unknown_words` of the prompt.

    >>> warning_of("five zebras", ("zebras",), "embedded", "stickers")
    'Not known here: "zebras". These models count to four.'
    """
    vocabulary = vocabulary_of(model, bundle)
    if not vocabulary:
        return ""
    said = limits(prompt, vocabulary, bool(vocabulary_of(model)))
    return " ".join(filter(None, (about_unknown(unknown), *said)))


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

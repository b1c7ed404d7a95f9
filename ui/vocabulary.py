"""The vocabulary of the embedded models, and the warning about words outside it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import gradio as gr

import alignment
import generation
from alignment.questions.negation import SIGNS
from ui.components import ASSETS, html
from ui.render import status
from ui.render.vocabulary import (
    TOO_MANY,
    beyond_them,
    instead_of,
    looks_foreign,
    unknown_words,
    word_list,
)

EMBEDDED = "embedded"
ALIKE = 0.6
"""The cosine of two words' vectors from which one is offered in the place of the other."""
NOT_ENGLISH = "This prompt does not look like English, and these models read nothing else."


def vocabulary_part() -> gr.HTML:
    """Everything the embedded models know, as words that go into the prompt when clicked."""
    return html("vocabulary", word_list(load_vocabulary()), "vocabulary.js")


def load_vocabulary() -> dict[str, Any]:
    """The vocabulary by kind, as `assets/vocabulary.json` has it."""
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


@cache
def nearest_in_meaning(word: str) -> tuple[str, ...]:
    """The known thing whose vector is nearest to that of a word, where it is near enough.

    The vectors are those that the parser reads prompts with; a word without one has none.

    >>> nearest_in_meaning("bicycle"), nearest_in_meaning("sheep"), nearest_in_meaning("qwzx")
    (('car',), ('cow',), ())
    """
    words = alignment.Models(alignment.find_bundle(EMBEDDED)).parser(word).vocab
    known = words[word]
    things = [words[thing] for thing in load_vocabulary()["classes"] if words.has_vector(thing)]
    alike = {each.text: known.similarity(each) for each in things if known.has_vector}
    near = max(alike, key=lambda thing: alike[thing], default="")
    return (near,) if alike.get(near, 0.0) >= ALIKE else ()


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
    if looks_foreign(prompt, words):
        return status.warning(NOT_ENGLISH)
    things = [*load_vocabulary()["classes"]]
    said = beyond_them(prompt, things, generated)
    others = tuple(word for word in words if word not in TOO_MANY and not SIGNS.fullmatch(word))
    steps = instead_of(others, things, nearest_in_meaning) if others else ""
    return status.warning(" ".join(filter(None, (status.about_unknown(others), *said))), steps)

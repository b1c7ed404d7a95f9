"""The vocabulary of the embedded models, and the warning about words outside it."""

from __future__ import annotations

import json
from functools import cache

import generation
from ui.components import ASSETS
from ui.render import status
from ui.render.vocabulary import unknown_words

EMBEDDED = "embedded"


@cache
def known_words(generated: bool) -> frozenset[str]:
    """Every word the embedded models know; the text-to-image model knows a few more than the
    evaluators.
    """
    vocabulary = json.loads((ASSETS / "vocabulary.json").read_text("utf-8"))
    return frozenset(
        (*vocabulary["words"], *(vocabulary["text_to_image_words"] if generated else ()))
    )


def unlearned(text: str, model: str) -> tuple[str, ...]:
    """Words that an embedded text-to-image model has not learned; none for models of the hub."""
    if not generation.find_model(model).embedded:
        return ()
    return unknown_words(text, known_words(generated=True))


def vocabulary_warning(prompt: str, bundle: str, generated: bool) -> str:
    """A warning about unknown words, where text-to-image model or evaluators are embedded."""
    embedded = generated or bundle == EMBEDDED
    words = unknown_words(prompt, known_words(generated)) if embedded else ()
    return status.warning(status.about_unknown(words, generated))

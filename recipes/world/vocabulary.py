"""Vocabulary files: what the embedded models know about."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Any

from recipes.world.plural import pluralise
from recipes.world.prompt_augmentation import FILLED, READ_PLACES, WORDS
from recipes.world.things import READ_AS, Thing, World
from recipes.world.word_tokenizers import world_words
from recipes.world.worlds import ICON_PLACES, ICON_WORLD, TEXT_TO_IMAGE_RELATIONS, WORLD

DENIED = ("no", "without")
"""Signs that rule out what follows them, which the text-to-image model of icons has learned."""
REPLACING = ("on", "under", "person", "people")
"""Words of `READ_AS` that say nearly what is read as they are; "with" and "by" say less."""
TARGETS = {
    Path("assets/vocabulary.json"): WORLD,
    Path("assets/icon-vocabulary.json"): ICON_WORLD,
}


def vocabulary(world: World = WORLD) -> dict[str, Any]:
    """Everything that can be said of the world, by kind, and every word of it in lower case.

    A word that only names of several words have ("mouse" of "computer mouse") is not among them,
    nor a category, which is only asked for: no caption calls a tulip "a flower". The text-to-image
    model has also learned how people type; the evaluators have not.

    >>> vocabulary()["classes"]["snowman"]
    {'category': 'object', 'plural': 'snowmen', 'states': [], 'synonyms': {}}
    """
    names = [
        name
        for thing in world.things
        for one in (thing.name, *thing.synonyms)
        for name in (one, pluralise(one))
    ]
    parts = {word for name in names for word in name.split()}
    kinds = {thing.category: pluralise(thing.category) for thing in world.things}
    silent = {*parts, *kinds, *kinds.values()} - {*names}
    return {
        "classes": {thing.name: _class(thing) for thing in world.things},
        "colours": list(world.colours),
        "backgrounds": {name: list(said) for name, said in world.backgrounds.items()},
        "relations": [*dict.fromkeys(chain.from_iterable(world.relations.values()))],
        "counts": [*world.numbers],
        "text_to_image_signs": [*DENIED] if world is ICON_WORLD else [],
        "text_to_image_reads": _read_as() if world is ICON_WORLD else {},
        "text_to_image_places": sorted(_places(world)),
        "categories": kinds,
        "words": [word for word in world_words(world) if word.isalpha() and word not in silent],
        "text_to_image_words": sorted(word for word in _further_words(world) if word.isalpha()),
    }


def _further_words(world: World) -> frozenset[str]:
    """Words that only text-to-image models know: how people type, empty places, what is worn."""
    if world is not ICON_WORLD:
        return WORDS
    known = ICON_PLACES, READ_PLACES, TEXT_TO_IMAGE_RELATIONS
    phrases = chain.from_iterable(chain(*each.values()) for each in known)
    said = {word for phrase in phrases for word in phrase.split()}
    return WORDS | said.union(*map(str.split, FILLED)) - {*world_words(world)}


def _places(world: World) -> frozenset[str]:
    """What text-to-image models draw as a background, and nothing else: "field", "dusk"."""
    known = [world.backgrounds, *((ICON_PLACES, READ_PLACES) if world is ICON_WORLD else ())]
    phrases = chain.from_iterable(chain(*each.values()) for each in known)
    return frozenset(phrase.split()[-1] for phrase in phrases) - {
        each.name for each in world.things
    }


def text_to_image_words(world: World) -> tuple[str, ...]:
    """The words that are tokens of a text-to-image model of the world."""
    return tuple(sorted({*world_words(world), *_further_words(world), *DENIED}))


def _read_as() -> dict[str, str]:
    """Word -> the one as which the model of icons reads it, and that may replace it."""
    words = {other: word for word in REPLACING for other in READ_AS[word]}
    return {other: word for other, word in sorted(words.items()) if other.isalpha()}


def _class(thing: Thing) -> dict[str, Any]:
    return {
        "category": thing.category,
        "plural": thing.plural_name,
        "states": list(thing.states),
        "synonyms": {name: pluralise(name) for name in thing.synonyms},
    }


def write_vocabulary(target: Path, world: World) -> None:
    """Write the vocabulary of a world."""
    target.write_text(json.dumps(vocabulary(world), indent=1) + "\n", encoding="utf-8")

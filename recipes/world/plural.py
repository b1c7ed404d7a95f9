"""The plural of an English noun."""

from __future__ import annotations

PLURALS = {
    "cactus": "cacti", "child": "children", "deer": "deer", "fish": "fish", "glasses": "glasses",
    "goose": "geese", "knife": "knives", "leaf": "leaves", "lightning": "lightning", "man": "men",
    "mouse": "mice", "ox": "oxen", "person": "people", "potato": "potatoes",
    "scissors": "scissors", "sheep": "sheep", "shelf": "shelves", "skis": "skis",
    "snowman": "snowmen", "sushi": "sushi", "tomato": "tomatoes", "wolf": "wolves",
    "woman": "women",
}  # fmt: skip
"""Nouns whose plural no rule gives."""


def pluralise(noun: str) -> str:
    """The plural of a noun, which may have other words before it.

    >>> [pluralise(noun) for noun in ("cat", "fox", "cherry", "monkey", "wine glass", "y")]
    ['cats', 'foxes', 'cherries', 'monkeys', 'wine glasses', 'ys']
    """
    before, space, last = noun.rpartition(" ")
    return before + space + _one_word(last)


def _one_word(noun: str) -> str:
    if noun in PLURALS:
        return PLURALS[noun]
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"

"""The plural of an English noun."""

from __future__ import annotations

PLURALS = {
    "child": "children", "deer": "deer", "fish": "fish", "glasses": "glasses", "goose": "geese",
    "knife": "knives", "leaf": "leaves", "man": "men", "mouse": "mice", "ox": "oxen",
    "person": "people", "scissors": "scissors", "sheep": "sheep", "shelf": "shelves",
    "snowman": "snowmen",
    "wolf": "wolves", "woman": "women", "sushi": "sushi", "lightning": "lightning",
    "potato": "potatoes", "tomato": "tomatoes",
}  # fmt: skip
"""Nouns whose plural no rule gives."""


def pluralise(lemma: str) -> str:
    """The plural of a noun.

    >>> [pluralise(lemma) for lemma in ("cat", "fox", "cherry", "monkey", "wolf", "y")]
    ['cats', 'foxes', 'cherries', 'monkeys', 'wolves', 'ys']
    """
    if lemma in PLURALS:
        return PLURALS[lemma]
    if lemma.endswith(("s", "x", "ch", "sh")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return lemma[:-1] + "ies"
    return lemma + "s"

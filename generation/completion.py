"""Seeded completion: what a prompt leaves open is drawn by the seed and said in the prompt.

A model that has learned one usual answer to what a prompt leaves open generates nearly the same
image from every seed. Where the background or the places of two things go unsaid, the seed
chooses them here, so that the images of a grid differ and each still shows what was asked for.
The person's own prompt stays what images are scored against.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

BACKGROUNDS = ("on the grass", "on the beach", "at night", "in the snow", "at sunset")
"""Phrases that the embedded model knows; hub models know them too."""

_BACKGROUND_WORDS = frozenset(
    """background beach city dark desert forest garden grass indoors kitchen lake meadow moonlight
    night ocean outdoors park rain river road room sand sea sky snow space street studio sunlight
    sunset underwater water woods""".split()
)
_PLACE_WORDS = frozenset(
    """above behind below beneath beside between by front holding in inside left near next on over
    right under underneath with wearing""".split()
)
_RELATIONS = ("to the left of", "to the right of", "above", "below")
_ARTICLE = re.compile(
    r"\b(?:a|an|one)\b(?! (?:photo|picture|image|drawing|painting)\b)", re.IGNORECASE
)
_JOINT = re.compile(r" and (?=(?:a|an|one)\b)", re.IGNORECASE)
_MANY = re.compile(
    r"\b(?:[2-9]|two|three|four|five|six|seven|eight|nine|ten|several|some|pair|couple)\b|,",
    re.IGNORECASE,
)

Draw = Callable[[str, random.Random], str]
"""A prompt and a generator -> the prompt with one thing said that it left open, or as it was."""


def _background(prompt: str, rng: random.Random) -> str:
    if _words(prompt) & _BACKGROUND_WORDS:
        return prompt
    phrase = rng.choice(("", *BACKGROUNDS))
    return f"{prompt.rstrip(' .,')} {phrase}" if phrase else prompt


def _place(prompt: str, rng: random.Random) -> str:
    """Says where the first of two single things is from the second."""
    pair = len(_ARTICLE.findall(prompt)) == 2 and len(_JOINT.findall(prompt)) == 1
    if not pair or _MANY.search(prompt) or _words(prompt) & _PLACE_WORDS:
        return prompt
    return _JOINT.sub(f" {rng.choice(_RELATIONS)} ", prompt)


ASPECTS: dict[str, Draw] = {"place": _place, "background": _background}
"""What is drawn by the seed, in the order in which it is said."""


def complete_prompt(prompt: str, seed: int) -> str:
    """Say in a prompt what it leaves open; the same seed always gives the same completion.

    Each aspect has a generator of its own, so that what is said of one does not change the other.

    >>> complete_prompt("a red car", seed=4)
    'a red car at night'
    >>> complete_prompt("two cats on the beach", seed=4)
    'two cats on the beach'
    """
    for name, draw in ASPECTS.items():
        prompt = draw(prompt, random.Random(f"{name}|{seed}"))
    return prompt


def _words(prompt: str) -> set[str]:
    return set(re.findall(r"[a-z]+", prompt.lower()))

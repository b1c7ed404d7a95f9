"""Seeded completion: what a prompt leaves open is drawn by the seed and said in the prompt.

A model that has learned one usual answer to what a prompt leaves open generates nearly the same
picture from every seed. Where the background, the size of a single thing or the places of two
things go unsaid, the seed chooses them here, so that the pictures of a grid differ and each still
shows what was asked for. The person's own prompt stays what pictures are scored against.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

BACKGROUNDS = ("on the grass", "on the beach", "at night", "in the snow", "at sunset")
"""Phrases that the embedded model knows; hub models know them too."""

_BACKGROUND_WORDS = frozenset(
    """background beach city dark desert forest garden grass indoors kitchen lake meadow moonlight
    night ocean outdoors park rain river road room sand sea sky snow space street studio sunlight
    sunset underwater water woods""".split()
)
_SIZE_WORDS = frozenset("big giant huge large little small tiny".split())
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


@dataclass(frozen=True)
class CompletedPrompt:
    """A prompt, and what of it was left open."""

    text: str
    """What the text-to-image model is given."""
    changed: tuple[str, ...]
    """Names of what was drawn by the seed, in the order of `ASPECTS`; empty for none."""


def _background(prompt: str, rng: random.Random) -> str:
    if _words(prompt) & _BACKGROUND_WORDS:
        return prompt
    phrase = rng.choice(("", *BACKGROUNDS))
    return f"{prompt.rstrip(' .,')} {phrase}" if phrase else prompt


def _size(prompt: str, rng: random.Random) -> str:
    """Makes a single thing small, in two seeds of five."""
    single = len(_ARTICLE.findall(prompt)) == 1 and not _MANY.search(prompt)
    if not single or _words(prompt) & _SIZE_WORDS or rng.random() >= 0.4:
        return prompt
    return _ARTICLE.sub("a small", prompt, count=1)


def _place(prompt: str, rng: random.Random) -> str:
    """Says where the first of two single things is from the second."""
    pair = len(_ARTICLE.findall(prompt)) == 2 and len(_JOINT.findall(prompt)) == 1
    if not pair or _MANY.search(prompt) or _words(prompt) & _PLACE_WORDS:
        return prompt
    return _JOINT.sub(f" {rng.choice(_RELATIONS)} ", prompt)


ASPECTS: dict[str, Draw] = {"place": _place, "size": _size, "background": _background}
"""What can be drawn by the seed, in the order in which it is said."""


USUAL_ASPECTS = ("place", "background")
"""What is drawn unless asked otherwise: the embedded model draws small things as smears."""


def complete_prompt(
    prompt: str, seed: int, aspects: Sequence[str] = USUAL_ASPECTS
) -> CompletedPrompt:
    """Say in a prompt what it leaves open, as the seed has it.

    Each aspect has a generator of its own, so that leaving one out does not change the others.

    Args:
        prompt: what a person typed.
        seed: of the picture; the same seed always gives the same completion.
        aspects: names in `ASPECTS`.

    Raises:
        ValueError: an aspect is not in `ASPECTS`.

    >>> complete_prompt("a red car", seed=4)
    CompletedPrompt(text='a red car at night', changed=('background',))
    >>> complete_prompt("a red car", seed=4, aspects=tuple(ASPECTS)).text
    'a small red car at night'
    >>> complete_prompt("two cats on the beach", seed=4).changed
    ()
    """
    if unknown := [name for name in aspects if name not in ASPECTS]:
        raise ValueError(f"no aspect {unknown[0]!r}; known: {', '.join(ASPECTS)}")
    text, changed = prompt, []
    for name, draw in ASPECTS.items():
        if name in aspects:
            said = draw(text, random.Random(f"{name}|{seed}"))
            changed += [name] if said != text else []
            text = said
    return CompletedPrompt(text, tuple(changed))


def _words(prompt: str) -> set[str]:
    return set(re.findall(r"[a-z]+", prompt.lower()))

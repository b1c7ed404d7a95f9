"""The splits: which compositions are kept out of training, for development and for the test.

Of the sticker world a fixed part is held out, chosen by hash. The test split of the icon world
holds every colour of a class, pair of classes and place of one class from another that a prompt of
GenEval (Ghosh et al., 2023) names in its parts colors, color_attr, two_object and position, and
more compositions chosen by hash; its development split is chosen by hash alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

Composition = tuple[str, str, str]
"""("colour", thing, colour), ("count", thing, n), ("pair", thing, thing), (relation, thing, thing).
"""
Split = Literal["train", "development", "test"]

SHARE = 0.12
"""How much of all compositions of stickers is held out."""
GENEVAL = Path(__file__).parent / "geneval_compositions.json"
DEVELOPMENT, TEST = 0.06, 0.12
"""Where the hash of an icon composition ends being of the development and of the test split."""
_MIRRORED = {"right": "left", "below": "above"}


def share_of(composition: Composition) -> float:
    """A hash of a composition as a number in [0, 1)."""
    return hashlib.sha256("|".join(composition).encode()).digest()[0] / 256


def is_held_out(composition: Composition) -> bool:
    """True when this composition of stickers appears in test scenes only; no mere pair does.

    >>> held = [n for n in "1234" if is_held_out(("count", "apple", n))]
    >>> held == [n for n in "1234" if is_held_out(("count", "apple", n))]
    True
    """
    return composition[0] != "pair" and share_of(composition) < SHARE


def sticker_split(composition: Composition) -> Split:
    """The split of a composition of stickers, which have no development split."""
    return "test" if is_held_out(composition) else "train"


def icon_split(composition: Composition) -> Split:
    """The split of a composition of the icon world.

    >>> icon_split(("colour", "carrot", "green"))
    'test'
    """
    composition = normal(composition)
    if composition in geneval_compositions():
        return "test"
    share = share_of(composition)
    return "development" if share < DEVELOPMENT else "test" if share < TEST else "train"


def either_split(composition: Composition) -> Split:
    """The split of a composition of stickers that are described as icons: held out if either is."""
    return hardest((sticker_split(composition), icon_split(composition)))


def hardest(splits: Iterable[Split]) -> Split:
    """The split of a scene: test if one of its compositions is, else development if one is."""
    found = set(splits)
    return "test" if "test" in found else "development" if "development" in found else "train"


def normal(composition: Composition) -> Composition:
    """One spelling for compositions that say the same.

    >>> normal(("right", "dog", "cat")), normal(("pair", "dog", "cat"))
    (('left', 'cat', 'dog'), ('pair', 'cat', 'dog'))
    """
    kind, first, second = composition
    if kind in _MIRRORED:
        return (_MIRRORED[kind], second, first)
    return (kind, *sorted((first, second))) if kind == "pair" else composition  # type: ignore[return-value]


@cache
def geneval_compositions() -> frozenset[Composition]:
    """The compositions of GenEval's prompts that are held out."""
    rows = json.loads(GENEVAL.read_text(encoding="utf-8"))
    return frozenset((kind, first, second) for kind, first, second in rows)

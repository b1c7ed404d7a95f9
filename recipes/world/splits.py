"""Which compositions are kept out of training: a fixed part of them, chosen by hash."""

from __future__ import annotations

import hashlib

Composition = tuple[str, str, str]
"""("colour", thing, colour), ("count", thing, n), or (relation, thing, thing)."""

SHARE = 0.12
"""How much of all compositions is held out."""


def is_held_out(composition: Composition) -> bool:
    """True when this composition appears in test scenes only.

    >>> held = [n for n in "1234" if is_held_out(("count", "apple", n))]
    >>> held == [n for n in "1234" if is_held_out(("count", "apple", n))]
    True
    """
    return share_of(composition) < SHARE


def share_of(composition: Composition) -> float:
    """A hash of a composition as a number in [0, 1)."""
    return hashlib.sha256("|".join(composition).encode()).digest()[0] / 256

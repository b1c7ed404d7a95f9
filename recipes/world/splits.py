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
    digest = hashlib.sha256("|".join(composition).encode()).digest()
    return digest[0] / 256 < SHARE

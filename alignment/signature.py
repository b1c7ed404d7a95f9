"""Signatures: everything needed to compute a number again, as a record that prints itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

VERSION = "33"
"""Of questions, scorers and set metrics; it changes when the same settings give another number, as
`tests/golden` notices."""


@dataclass(frozen=True)
class Signature:
    """What was computed, and every setting that the number depends on.

    >>> print(Signature("CLIP", (("score", "(1+cosine)/2"),)))
    CLIP|score:(1+cosine)/2
    """

    name: str
    settings: tuple[tuple[str, str], ...] = ()
    """Name and value of each setting, in the order in which they are printed."""

    def __str__(self) -> str:
        return "|".join([self.name, *(f"{name}:{value}" for name, value in self.settings)])

    def having(self, **settings: str) -> Signature:
        """The same with further settings; those with an empty value are left out.

        >>> print(Signature("RBP").having(p="0.8", satisfaction=""))
        RBP|p:0.8
        """
        further = tuple((name, value) for name, value in settings.items() if value)
        known = tuple(pair for pair in self.settings if pair[0] not in settings)
        return Signature(self.name, (*known, *further))

    @property
    def by_name(self) -> Mapping[str, str]:
        """Setting -> value."""
        return dict(self.settings)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """The signature that prints like this.

        >>> Signature.parse("RBP|p:0.8|order:uniform").by_name["order"]
        'uniform'
        """
        name, *settings = text.split("|")
        return cls(name, tuple((s.partition(":")[0], s.partition(":")[2]) for s in settings))

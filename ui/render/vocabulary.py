"""Words of a prompt that are outside the vocabulary of the embedded models."""

from __future__ import annotations

import re
from collections.abc import Set

SMALL_WORDS = frozenset(
    "about as be but by can could each few from has have he her his i into its let make many me my "
    "not off our out photograph please she showing so than their them then they very want was we "
    "were which while who will would you your".split()
)
"""Function words, which name nothing that a picture could show."""


def unknown_words(prompt: str, known: Set[str]) -> tuple[str, ...]:
    """Words of a prompt that are not known, in prompt order, each once.

    >>> unknown_words("An astronaut and a red apple", {"an", "and", "a", "red", "apple"})
    ('astronaut',)
    """
    words = re.findall(r"[^\W\d_]+", prompt.lower().replace("'s", ""))
    return tuple(dict.fromkeys(word for word in words if word not in known | SMALL_WORDS))

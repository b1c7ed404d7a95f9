"""A prompt and the words the embedded models know come in; the words they do not know go out."""

from __future__ import annotations

import re
from collections.abc import Set

SMALL_WORDS = frozenset(
    "about as be but by each from has have he her his i into its let make me my not off our out "
    "please she so than their them then they very was we were which while who will you your".split()
)
"""Words that name nothing a picture could miss."""


def unknown_words(prompt: str, known: Set[str]) -> tuple[str, ...]:
    """Words of a prompt that are not known, in prompt order, each once.

    >>> unknown_words("An astronaut and a red apple", {"an", "and", "a", "red", "apple"})
    ('astronaut',)
    """
    words = re.findall(r"[^\W\d_]+", prompt.lower().replace("'s", ""))
    return tuple(dict.fromkeys(word for word in words if word not in known | SMALL_WORDS))

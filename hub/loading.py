"""A loader of models comes in; one that loads each of them once, whoever asks, goes out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)
Loaded = TypeVar("Loaded")

_building = threading.RLock()
"""Held while a model is built: the libraries change parts of torch for the whole process then."""


def once(loader: Callable[[Name], Loaded]) -> Callable[[Name], Loaded]:
    """The same loader, run once for each name; what is loaded is given out without waiting.

    >>> double = once(lambda word: [word, word])
    >>> double("a") is double("a")
    True
    """
    ready: dict[Name, Loaded] = {}

    @wraps(loader)
    def load(name: Name) -> Loaded:
        if name not in ready:
            with _building:
                if name not in ready:
                    ready[name] = loader(name)
        return ready[name]

    return load

"""Turns: a job holds the models for a step at a time, and lets go of them between steps."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager
from typing import Any, TypeAlias, TypeVar

Step = TypeVar("Step")
Turn: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Makes what holds the models while it is open."""


def in_turns(steps: Iterable[Step], turn: Turn) -> Generator[Step, None, Any]:
    """The same steps, each taken in a turn of its own; returns what the steps return.

    >>> from contextlib import nullcontext
    >>> [*in_turns("abc", nullcontext)]
    ['a', 'b', 'c']
    """
    remaining = iter(steps)
    while True:
        with turn():
            try:
                step = next(remaining)
            except StopIteration as end:
                return end.value
        yield step

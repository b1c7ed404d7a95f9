"""A progress bar on standard error for whatever runs longer than ten seconds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from rich.console import Console
from rich.progress import track

Item = TypeVar("Item")


def watched(items: Iterable[Item], what: str, total: int | None = None) -> Iterable[Item]:
    """The same items, counted on standard error as they pass.

    Args:
        what: is done to them, e.g. "scoring".
        total: how many there are, where `len(items)` does not say so.
    """
    return track(items, what, total, console=Console(stderr=True))

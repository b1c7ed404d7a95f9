"""Numbers of things in words."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "question"), counted(4, "question")
    ('1 question', '4 questions')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

"""Texts in tables that a spreadsheet may open."""

from __future__ import annotations

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a text that begins so for a formula."""


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> harmless("=1+1"), harmless("a red car")
    ("'=1+1", 'a red car')
    """
    return f"'{text}" if text.startswith(FORMULA) else text

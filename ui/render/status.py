"""Where the work stands, or what went wrong, comes in; one line for the page goes out as HTML."""

from __future__ import annotations

from typing import Protocol

from session.wording import counted
from ui.render.words import listed, safe

NAMED = 5
"""How many unknown words are named one by one."""


class Work(Protocol):
    """Something that takes time and says how far it is."""

    @property
    def doing(self) -> str:
        """What it is at, in words."""

    @property
    def done(self) -> int:
        """Finished steps."""

    @property
    def total(self) -> int:
        """Steps in all; 0 while that is not known."""


def progress(work: Work, seconds: float) -> str:
    """A bar with words: what is being done, how far it is, how long it has taken."""
    share = work.done / work.total if work.total else 0.0
    return (
        f'<div class="status" role="status"><span class="doing">{safe(work.doing)}</span>'
        f'<progress max="1" value="{share:.3f}"></progress>'
        f'<span class="seconds">{seconds:.0f} s</span></div>'
    )


def note(text: str) -> str:
    """A quiet line: what was done."""
    return f'<div class="status" role="status"><span class="doing">{safe(text)}</span></div>'


def mistake(text: str) -> str:
    """What cannot be done, and what can."""
    sentence = text[:1].upper() + text[1:].rstrip(".")
    sign = '<span class="sign">✗</span>'
    return f'<div class="status mistake" role="alert">{sign} {safe(sentence)}.</div>'


def warning(text: str) -> str:
    """What will not be as hoped; nothing when there is nothing to say."""
    if not text:
        return ""
    return f'<div class="warning" role="status"><span class="sign">!</span> {safe(text)}</div>'


def about_unknown(words: tuple[str, ...], generated: bool = True) -> str:
    """Words outside the world of stickers.

    Args:
        words: of a prompt.
        generated: by an embedded text-to-image model; else only the judges are embedded.

    >>> about_unknown(("astronaut",))
    '"astronaut" is not among the stickers; the pictures will miss it.'
    """
    if not words:
        return ""
    verb, them = ("is", "it") if len(words) == 1 else ("are", "them")
    harm = "the pictures will miss" if generated else "the judges do not know"
    named = [f'"{word}"' for word in words[:NAMED]]
    if len(words) > NAMED:
        named.append(counted(len(words) - NAMED, "more word"))
    return f"{listed(named)} {verb} not among the stickers; {harm} {them}."


def about_unread(words: tuple[str, ...]) -> str:
    """Words beyond the text-to-image model's reach.

    >>> about_unread(("at", "night"))
    'The text-to-image model reads only so many words; it does not see: at night.'
    """
    missed = " ".join(words)
    return (
        f"The text-to-image model reads only so many words; it does not see: {missed}."
        if words
        else ""
    )

"""What is said of one image: right, wrong and why, or why neither can be said."""

from __future__ import annotations

from typing import NamedTuple

from alignment.judgements import METHOD, complete
from session.state import GridState
from ui.render.sentences import sentence
from ui.render.verdict import cell_faults, told

RIGHT, WRONG = "\N{CHECK MARK}", "\N{BALLOT X}"


class ImageVerdict(NamedTuple):
    """An image's part of the verdict: the same on the page, in a terminal and on a sheet."""

    sign: str
    """`RIGHT` or `WRONG`; empty where neither can be said."""
    words: str
    least: str = ""
    """The answer that is least sure; empty where the words are about it."""

    def __str__(self) -> str:
        """The words, and the answer that is least sure."""
        return f"{self.words}; the least sure: {self.least}" if self.least else self.words


def outcome(state: GridState, cell: int) -> ImageVerdict:
    """What the verdict on the grid says of an image; nothing of one that was not asked."""
    score, right = state.score(cell, METHOD), told(state, cell)
    if not score or not score.weakest or score.value is None:
        return ImageVerdict("", f"could not judge: {score.reason.rstrip('.')}." if score else "")
    least = sentence(score.weakest)
    if right and complete(score):
        return ImageVerdict(RIGHT, "every answer holds", least)
    if right is not False:
        return ImageVerdict("", "what could be judged holds" if right else "cannot be told", least)
    return ImageVerdict(WRONG, str(cell_faults(state, cell)) if score.weakest.holds else least)

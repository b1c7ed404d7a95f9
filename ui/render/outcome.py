"""What is said of one image: right, wrong and why, or why neither can be said."""

from __future__ import annotations

from typing import NamedTuple

from alignment.judgements import METHOD, complete
from alignment.records import ImageScore
from session.state import GridState
from ui.render.sentences import sentence
from ui.render.verdict import ALL_JUDGED, Faults, cell_faults, told

RIGHT, WRONG = "\N{CHECK MARK}", "\N{BALLOT X}"


class ImageVerdict(NamedTuple):
    """An image's part of the verdict: the same on the page, and in a terminal."""

    sign: str
    """`RIGHT` or `WRONG`; empty where neither can be said."""
    words: str
    holds: bool | None = None
    """Whether the image shows all that could be judged; None where that cannot be told."""
    least: str = ""
    """The answer that is least sure; empty where the words are about it."""

    def __str__(self) -> str:
        """The words, and the answer that is least sure."""
        return f"{self.words}; least sure: {self.least}" if self.least else self.words


NOTHING = ImageVerdict("", "")
"""Of an image that was not asked."""


def outcome(state: GridState, cell: int) -> ImageVerdict:
    """What the verdict on the grid says of an image; nothing of one that was not asked."""
    score = state.score(cell, METHOD)
    return outcome_of(score, told(state, cell), cell_faults(state, cell)) if score else NOTHING


def outcome_of(score: ImageScore, holds: bool | None, faults: Faults) -> ImageVerdict:
    """The same of one image by itself.

    Args:
        score: by VQ2.
        holds: whether it shows all that could be judged; None where that cannot be told.
        faults: what is wrong with it.
    """
    if not score.weakest or score.value is None:
        return ImageVerdict("", f"could not judge: {score.reason.rstrip('.')}.")
    least = sentence(score.weakest)
    if holds and complete(score):
        return ImageVerdict(RIGHT, "every answer holds", holds, least)
    if holds is not False:
        return ImageVerdict("", f"shows {ALL_JUDGED}" if holds else "cannot be told", holds, least)
    return ImageVerdict(WRONG, str(faults) if score.weakest.holds else least, holds)

"""What is said of one image: right, wrong and why, or why neither can be said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from alignment.answers import AnswerTable
from alignment.judgements import METHOD, complete
from alignment.questions.records import AnswerSpan
from alignment.records import ImageScore
from session.state import GridState
from ui.render.sentences import faults, sentence, wrong
from ui.render.verdict import ALL_JUDGED
from ui.render.words import safe

RIGHT, WRONG, DOUBT = "\N{CHECK MARK}", "\N{BALLOT X}", "?"


class Fault(NamedTuple):
    """A claim of the prompt that an image fails."""

    words: AnswerSpan
    """The words of the prompt, see `AnswerTable.name`."""
    unwanted: bool
    """Whether the prompt rules it out."""
    told: str
    """What is wrong, in words."""
    surely: bool = True
    """Whether it fails; else its answer is the least sure of an image that is judged wrong."""


def in_words(found: Iterable[Fault]) -> str:
    """What is wrong, in words.

    >>> purple, four = AnswerSpan("purple", 2, 8), AnswerSpan("four", 16, 20)
    >>> said = "the turtle is not purple", "not four apples"
    >>> in_words([Fault(purple, False, said[0]), Fault(four, False, said[1])])
    'the turtle is not purple; not four apples'
    """
    return "; ".join(each.told for each in found)


def in_html(found: Iterable[Fault]) -> str:
    """The words that fail, as HTML: what is missing is struck, what is ruled out is not.

    >>> in_html([Fault(AnswerSpan("a dog", 0, 5), False, "no dog", surely=False)])
    'unclear: a dog'
    """

    def told(each: Fault) -> str:
        words = each.words.text
        if not each.surely:
            return f"unclear: {safe(words)}"
        return f"shows {safe(words)}" if each.unwanted else struck(words)

    return ", ".join(map(told, found))


def struck(words: str) -> str:
    """Words that an image misses, as HTML; who listens is told that they are missing."""
    return f'<s><span class="unseen">missing </span>{safe(words)}</s>'


class ImageVerdict(NamedTuple):
    """An image's part of the verdict: the same on the page, and in a terminal."""

    sign: str
    """`RIGHT`, `WRONG` or `DOUBT`; empty where only part, or nothing, could be judged."""
    words: str
    holds: bool | None = None
    """Whether the image shows all that could be judged; None where that is in doubt."""
    least: str = ""
    """The answer that is least sure; empty where the words are about it."""
    faults: tuple[Fault, ...] = ()
    """What is wrong with it, or perhaps wrong where that is in doubt."""

    def __str__(self) -> str:
        """The words, and the answer that is least sure."""
        return f"{self.words}; least sure: {self.least}" if self.least else self.words


NOTHING = ImageVerdict("", "")
"""Of an image that was not asked."""


def outcome(state: GridState, cell: int) -> ImageVerdict:
    """What the verdict on the grid says of an image; nothing of one that was not asked.

    Before there is a report its answers alone say it.
    """
    score = state.score(cell, METHOD)
    if not score:
        return NOTHING
    table = state.answers([cell])
    return outcome_of(table, score, table.verdicts[0])


def outcome_of(table: AnswerTable, score: ImageScore, holds: bool | None) -> ImageVerdict:
    """The same of one image by itself.

    Args:
        table: its answers.
        score: by VQ2.
        holds: whether it shows all that could be judged; None where that cannot be told.
    """
    found = _faults(table, holds)
    if not score.weakest or score.value is None:
        return ImageVerdict("", f"could not judge: {score.reason.rstrip('.')}.", faults=found)
    least = sentence(score.weakest)
    if holds and complete(score):
        return ImageVerdict(RIGHT, "every answer holds", holds, least, found)
    if holds:
        return ImageVerdict("", f"shows {ALL_JUDGED}", holds, least, found)
    if holds is None and score.weakest.holds:
        shows = "everything" if complete(score) else ALL_JUDGED
        return ImageVerdict(DOUBT, f"may show {shows}", holds, least, found)
    if holds is None:
        return ImageVerdict(DOUBT, f"perhaps {in_words(found)}", holds, "", found)
    if score.weakest.holds:  # no answer fails, and together they are not enough
        return ImageVerdict(WRONG, "probably does not show everything", holds, least, found)
    return ImageVerdict(WRONG, " ".join(faults(table)) or least, holds, "", found)


def _faults(table: AnswerTable, holds: bool | None) -> tuple[Fault, ...]:
    """The claims that the one image of a table fails.

    Where all its answers hold and yet it is judged wrong, or in doubt, the least sure one.
    """
    fails = table.failing(0)
    wrongs = fails or (() if holds else table.suspects(0))
    return tuple(
        Fault(
            table.name(claim),
            claim.negated,
            wrong(claim.pairs[0], claim.span.text),
            surely=bool(fails),
        )
        for claim in map(table.claims.__getitem__, wrongs)
    )

"""What is said of one image: right, wrong and why, or why neither can be said."""

from __future__ import annotations

from typing import NamedTuple

from alignment.answers import AnswerTable
from alignment.judgements import METHOD, complete, satisfied
from alignment.records import ImageScore
from session.state import GridState
from ui.render.sentences import sentence
from ui.render.verdict import ALL_JUDGED
from ui.render.words import listed, safe

RIGHT, WRONG, DOUBT = "\N{CHECK MARK}", "\N{BALLOT X}", "?"


class Faults(NamedTuple):
    """What is wrong with an image, as groups of words of the prompt, in its order."""

    missing: tuple[str, ...]
    unwanted: tuple[str, ...]
    """What it shows though the prompt rules it out."""

    def __str__(self) -> str:
        """In words.

        >>> print(Faults(("an owl",), ("a hat",)))
        misses an owl and shows a hat, which is ruled out
        """
        said = [f"misses {listed(self.missing)}"] if self.missing else []
        said += [f"shows {listed(self.unwanted)}, which is ruled out"] if self.unwanted else []
        return listed(said) if said else ""

    def marked(self) -> str:
        """As HTML: only what is missing is struck."""
        lost = map(struck, self.missing)
        return " ".join((*lost, *(f"shows {safe(each)}" for each in self.unwanted)))


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
    faults: Faults = Faults((), ())
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
    holds: bool | None = not score.failing
    if state.report and METHOD in state.report.scores:
        holds = satisfied(state.report)[cell]
    return outcome_of(state.answers([cell]), score, holds)


def outcome_of(table: AnswerTable, score: ImageScore, holds: bool | None) -> ImageVerdict:
    """The same of one image by itself.

    Args:
        table: its answers.
        score: by VQ2.
        holds: whether it shows all that could be judged; None where that cannot be told.
    """
    wrong = faults_of(table, score, holds)
    if not score.weakest or score.value is None:
        return ImageVerdict("", f"could not judge: {score.reason.rstrip('.')}.", faults=wrong)
    least = sentence(score.weakest)
    if holds and complete(score):
        return ImageVerdict(RIGHT, "every answer holds", holds, least, wrong)
    if holds:
        return ImageVerdict("", f"shows {ALL_JUDGED}", holds, least, wrong)
    if holds is None:
        return ImageVerdict(DOUBT, f"perhaps {wrong}", holds, least, wrong)
    return ImageVerdict(WRONG, str(wrong) if score.weakest.holds else least, holds, "", wrong)


def faults_of(table: AnswerTable, score: ImageScore, holds: bool | None) -> Faults:
    """What the claims of the one image of a table say is wrong with it.

    Where all its answers hold and yet it is judged wrong, or in doubt, the least sure one.
    """
    failing, weakest = {*table.failing(0)}, score.weakest
    wrong = [(each.text, failing & {*each.claims}) for each in table.segments]
    denied = {text: any(table.claims[each].negated for each in by) for text, by in wrong if by}
    if not denied and weakest and not holds:
        denied = {weakest.pair.answer.text: weakest.pair.negated}
    return Faults(
        tuple(text for text in denied if not denied[text]),
        tuple(text for text in denied if denied[text]),
    )

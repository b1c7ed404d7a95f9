"""Attempts of a search: how an image is to be made, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from alignment.answers import AnswerTable
from alignment.judgements import complete
from alignment.records import ImageScore
from generation.records import PROMPT, ImageSettings
from search.budget import Cost

if TYPE_CHECKING:
    from PIL.Image import Image

    from generation import Denoised
    from generation.denoising import Region


@dataclass(frozen=True)
class Plan:
    """How the next image is to be made."""

    step: str
    """What is tried, the name of a strategy: one that routes says where to."""
    seed: int
    """Of its noise, or of what is denoised again."""
    wording: str = PROMPT
    """What the model is given, see `GridRequest.wording`; images are scored by the prompt alone."""
    parent: int | None = None
    """The attempt that it goes on from."""
    claim: int | None = None
    """What of the prompt it is to mend, by index among the claims."""
    completed_by: int | None = None
    """The seed that completes the wording, where the request asks for that; `seed` when None."""
    near: float = 0.0
    """How much of the parent's noise its own has, as a cosine in [0, 1)."""
    previews: tuple[float, ...] = ()
    """After which shares of the steps it is looked at, and given up where it is hopeless."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What one image answers."""

    score: ImageScore
    """Of the prompt as the person wrote it, with its evidence."""
    table: AnswerTable
    """Its claims and answers, of this image alone: row 0."""
    chance: float | None
    """The calibrated chance in (0, 1) that everything holds; None where it cannot be told."""
    holds: bool | None
    """Whether all that could be judged holds, as far as can be told: the search ends where it does.
    """


@dataclass(frozen=True, kw_only=True)
class Outcome(Verdict):
    """What one image of a search answers, and what it cost."""

    number: int
    """Place in the search, from 0."""
    plan: Plan
    mended: tuple[int, ...]
    """Claims that hold, and failed in its parent."""
    broken: tuple[int, ...]
    """Claims that fail, and held in its parent."""
    cost: Cost
    """Of this attempt."""
    spent: Cost
    """Of the search so far."""
    best: int
    """The best attempt so far, the first on ties: it stays when the search ends here."""
    given_up: bool = False
    """True where a preview was hopeless: the image was not finished."""
    filtered: bool = False
    """True where a safety checker blacked the image out."""

    @property
    def right(self) -> bool | None:
        """Whether everything holds, as far as can be told, see `alignment.judgements`."""
        return None if self.holds and not complete(self.score) else self.holds

    @property
    def plain(self) -> dict[str, Any]:
        """As reports and the results of batches have it: what was tried, what came, what it cost.

        Claims are said by their words, see `AnswerTable.name`.
        """
        plan, cost = self.plan, self.cost
        words = [self.table.name(claim).text for claim in self.table.claims]
        return {
            "step": plan.step,
            "seed": plan.seed,
            "wording": plan.wording,
            "parent": plan.parent,
            "aim": None if plan.claim is None else words[plan.claim],
            "score": self.score.value,
            "chance": self.chance,
            "right": self.right,
            "unjudged": [word.text for word in self.table.unjudged],
            "failing": [words[index] for index in self.table.failing(0)],
            "mended": [words[index] for index in self.mended],
            "broken": [words[index] for index in self.broken],
            "given_up": self.given_up,
            "evaluations": cost.evaluations,
            "questions": cost.questions,
            "seconds": round(cost.seconds, 3),
            "judging": round(cost.judging, 3),
        }


@dataclass(frozen=True, kw_only=True)
class Attempt(Outcome):
    """An outcome with its image, and what it takes to go on from it."""

    image: Image
    """Of an attempt that was given up, as far as it was seen."""
    region: Region | None = field(default=None, repr=False, compare=False)
    """What was denoised again."""
    denoised: Denoised | None = field(default=None, repr=False, compare=False)
    """From where it can be gone on with."""
    settings: ImageSettings | None = None
    """How it can be generated again; None where it goes on from another image."""


Seeds = Callable[[int], int]
"""Number of an attempt -> the seed of its noise."""
NextPlan = Callable[[Seeds, Sequence[Attempt]], Plan]
"""What to try next, from the seeds and the attempts so far."""


@dataclass(frozen=True)
class Strategy:
    """How a search goes on."""

    next_plan: NextPlan
    help: str
    stops: bool = True
    """Whether the search ends with the first image that is right."""


def best_of(attempts: Sequence[Attempt]) -> Attempt:
    """The best of some attempts; there is at least one."""
    return attempts[attempts[-1].best]


Answers = Mapping[int, bool]
"""Claim -> whether it holds, for those that were asked."""


def answers_of(table: AnswerTable) -> Answers:
    """The answers of the only image of a table."""
    row = table.rows[0] or ()
    return {index: answer.holds for index, answer in enumerate(row) if answer}

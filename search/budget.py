"""What a search may cost, and what it has cost: evaluations, questions, seconds."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass

from generation import InvalidRequestError

_PART = re.compile(
    r"(?P<evaluations>\d+) ?evaluations?|(?P<questions>\d+) ?questions?"
    r"|(?P<seconds>\d+(\.\d+)?) ?(s|seconds?)|(?P<minutes>\d+(\.\d+)?) ?(m|min|minutes?)"
)
_SECONDS = {"seconds": 1, "minutes": 60}
_ACCEPTED = 'it can be seconds, evaluations or questions, like "60s" or "64 evaluations, 2 min"'


@dataclass(frozen=True)
class Cost:
    """What something cost."""

    evaluations: int = 0
    """Forward passes of the denoiser, per image; a step with guidance is two."""
    questions: int = 0
    """Question-answer pairs judged, of one image each; what a failing one shows is not counted."""
    generating: float = 0.0
    """Seconds."""
    judging: float = 0.0
    """Seconds: asking, and looking for regions."""

    @property
    def seconds(self) -> float:
        """Of generating and judging."""
        return self.generating + self.judging

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.evaluations + other.evaluations,
            self.questions + other.questions,
            self.generating + other.generating,
            self.judging + other.judging,
        )


@dataclass(frozen=True)
class Budget:
    """What a search may cost at most; None for any amount.

    Evaluations and questions are never exceeded. An attempt that takes as long as the longest so
    far must end within the seconds; how long it will take is not known before.
    """

    evaluations: int | None = None
    questions: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not all(each is None or each > 0 for each in astuple(self)):
            raise InvalidRequestError(f'the budget is "{self}"; {_ACCEPTED}')

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Read one or more of the three, with commas between them.

        >>> Budget.parse("64 evaluations, 2 min")
        Budget(evaluations=64, questions=None, seconds=120.0)
        >>> Budget.parse("1 hour")
        Traceback (most recent call last):
        generation.errors.InvalidRequestError: the budget is "1 hour"; it can be seconds, \
evaluations or questions, like "60s" or "64 evaluations, 2 min"
        """
        said: dict[str, str] = {}
        for part in text.lower().split(","):
            found = _PART.fullmatch(part.strip())
            if found is None:
                raise InvalidRequestError(f'the budget is "{text}"; {_ACCEPTED}')
            said |= {unit: amount for unit, amount in found.groupdict().items() if amount}
        seconds = [float(said[unit]) * each for unit, each in _SECONDS.items() if unit in said]
        return cls(
            evaluations=int(said["evaluations"]) if "evaluations" in said else None,
            questions=int(said["questions"]) if "questions" in said else None,
            seconds=sum(seconds) if seconds else None,
        )

    def share(self, cost: Cost) -> float:
        """How much of it something costs: 1 for all, by what there is least of.

        >>> Budget(evaluations=64, seconds=120).share(Cost(16, generating=60))
        0.5
        """
        pairs = (
            (cost.evaluations, self.evaluations),
            (cost.questions, self.questions),
            (cost.seconds, self.seconds),
        )
        return max((spent / most for spent, most in pairs if most is not None), default=0.0)

    def allows(self, cost: Cost) -> bool:
        """Whether something may cost as much."""
        return self.share(cost) <= 1

    def __str__(self) -> str:
        given = {"evaluations": self.evaluations, "questions": self.questions}
        given |= {"seconds": None if self.seconds is None else round(self.seconds)}
        return ", ".join(f"{each} {name}" for name, each in given.items() if each is not None)

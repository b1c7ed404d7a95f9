"""A search from a grid, as the page shows it and a report keeps it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from PIL import Image

from generation.denoising import Region
from search import DEFAULT, Attempt, Budget, Plan
from search.records import Outcome

Box = tuple[float, float, float, float]
"""Left, top, width and height, as shares of the image."""


class Found(NamedTuple):
    """Which attempt of a search an image is; the search begins with the seed of its cell."""

    strategy: str
    attempt: int
    """From 1, as the page counts."""

    def __str__(self) -> str:
        """As links and reports say it.

        >>> str(Found("repair", 2)), Found.read("repair.2")
        ('repair.2', Found(strategy='repair', attempt=2))
        """
        return f"{self.strategy}.{self.attempt}"

    @classmethod
    def read(cls, text: str) -> Found:
        strategy, attempt = text.split(".")
        return cls(strategy, int(attempt))


@dataclass(frozen=True, kw_only=True)
class Tried(Outcome):
    """An attempt whose image is stored, without what only the search itself needs."""

    file: str
    """Of its image."""
    box: Box | None = None
    """Around what was denoised again."""

    @classmethod
    def of(cls, attempt: Attempt, file: str) -> Tried:
        """An attempt whose image is in a file."""
        known = {each.name: getattr(attempt, each.name) for each in fields(Outcome)}
        return cls(**known, file=file, box=_box(attempt.region))

    @property
    def usable(self) -> bool:
        """Whether it can be part of a grid: it was finished, and asked."""
        return not self.given_up and self.table.rows[0] is not None

    @property
    def of_a_seed(self) -> bool:
        """Whether its seed alone makes the image."""
        return self.plan.parent is None and self.plan.wording == Plan.wording


@dataclass(frozen=True)
class SearchState:
    """A search from a finished grid, as far as it is."""

    budget: Budget
    cell: int | None = None
    """Whose image is repaired; None where any image will do."""
    tried: tuple[Tried, ...] = ()
    strategy: str = DEFAULT

    def made(self, number: int) -> tuple[str, int, Found | None]:
        """The file of an attempt, a seed, and how a search from it makes the image.

        The last is None where the seed alone does.
        """
        tried = self.tried[number]
        if tried.of_a_seed:
            return tried.file, tried.plan.seed, None
        return tried.file, self.tried[0].plan.seed, Found(self.strategy, number + 1)

    @property
    def found(self) -> int | None:
        """The attempt that shows all that could be judged."""
        return next((n for n, each in enumerate(self.tried) if each.holds), None)

    @property
    def plain(self) -> dict[str, Any]:
        """As a report has it."""
        return {
            "strategy": self.strategy,
            "cell": self.cell,
            "budget": asdict(self.budget),
            "attempts": [each.plain for each in self.tried],
        }


def _box(region: Region | None) -> Box | None:
    """Around a region; None where there is nothing in it."""
    if region is None or not (edges := Image.fromarray(region).getbbox()):
        return None
    left, top, right, bottom = edges
    high, wide = region.shape
    return left / wide, top / high, (right - left) / wide, (bottom - top) / high

"""A comparison of systems: the same prompts, generated and scored in two to four ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations, product

import alignment
import generation
from alignment.ranking import check_method
from generation import InvalidRequestError
from generation.records import PROMPT
from generation.validation import validate_sides
from request import Request
from session.jobs import generate_and_score, score_uploads
from session.run import Turn
from session.state import GridState
from session.storage import CellStore
from session.systems.system import VQ2, System

MOST_PROMPTS = 100
MOST_SYSTEMS = 4
MOST_IMAGES = 1_000
"""Images of a whole comparison."""
LETTERS = "ABCD"
"""The short name of each system."""


@dataclass(frozen=True)
class ComparisonState:
    """Everything known about a comparison so far; each stage of its job returns a new state."""

    prompts: tuple[str, ...]
    systems: tuple[System, ...]
    rows: int = 2
    """Of each grid."""
    columns: int = 2
    rank_by: str = "vq2"
    grids: Mapping[tuple[int, int], GridState] = field(default_factory=dict)
    """Prompt and system, by their places -> the grid, finished or under way."""

    @property
    def identity(self) -> str:
        """Tells what is asked for from every other comparison, however far its grids are.

        >>> asked = ComparisonState(("a cat",), (System(), System(seed=9)))
        >>> len(asked.identity), asked.identity == replace(asked, rank_by="clip").identity
        (16, False)
        """
        return sha256(repr(replace(self, grids={})).encode()).hexdigest()[:16]

    def requested(self, prompt: int, system: int) -> GridState:
        """The grid to be generated and scored."""
        how = self.systems[system]
        own = {**vars(how), "vq2": VQ2[how.vq2], "rank_by": self.rank_by}
        return GridState(Request(self.prompts[prompt], self.rows, self.columns, **own))

    def called(self, system: int) -> str:
        """What tells the grids of a system from those of any other comparison.

        >>> ComparisonState(("a cat",), (System(), System(seed=9))).called(1)
        'icons, scored by embedded, seed 9, 2 x 2 by vq2'
        """
        size = f"{self.rows} x {self.columns} by {self.rank_by}"
        return f"{self.systems[system].name}, {size}"

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Prompt and system of every grid, in the order in which they are generated."""
        return tuple(product(range(len(self.prompts)), range(len(self.systems))))

    @property
    def finished(self) -> Mapping[tuple[int, int], GridState]:
        """The grids that have a report."""
        return {place: grid for place, grid in self.grids.items() if grid.report}


def compare(
    requested: ComparisonState, store: CellStore, turn: Turn = nullcontext
) -> Iterator[ComparisonState]:
    """Generate and score every grid, prompt by prompt.

    Images that two systems would generate alike, and only score by other models, are generated
    once.

    Raises:
        InvalidRequestError, UnknownBundleError, UnknownMethodError, UnknownModelError: before
            anything is loaded.
    """
    check(requested)
    state = requested
    for place in requested.places:
        for grid in _grid_states(state, requested.requested(*place), store, turn):
            state = replace(state, grids={**state.grids, place: grid})
            yield state


def check(requested: ComparisonState) -> None:
    """Say what keeps a comparison from being made."""
    prompts, systems = len(requested.prompts), len(requested.systems)
    if not 1 <= prompts <= MOST_PROMPTS:
        raise InvalidRequestError(
            f"there are {prompts} prompts; write 1 to {MOST_PROMPTS}, one per line"
        )
    if not 2 <= systems <= MOST_SYSTEMS:
        raise InvalidRequestError(f"there are {systems} columns; compare 2 to {MOST_SYSTEMS}")
    validate_sides(requested.rows, requested.columns)
    check_method(requested.rank_by)
    _check_difference(requested.systems)
    _check_wordings(requested)
    for place in requested.places:
        request = requested.requested(*place).request
        generation.validate_request(request)
        alignment.find_bundle(request.bundle)
    images = prompts * systems * requested.rows * requested.columns
    if images > MOST_IMAGES:
        raise InvalidRequestError(
            f"the comparison has {images} images; it can have {MOST_IMAGES}: take fewer prompts "
            "or smaller grids"
        )


def prompts_of(text: str) -> tuple[str, ...]:
    r"""The prompts of a text, one a line, each once.

    >>> prompts_of("a red car\n\n a cat \na red car")
    ('a red car', 'a cat')
    """
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def _check_difference(systems: tuple[System, ...]) -> None:
    for (one, first), (other, second) in combinations(zip(LETTERS, systems, strict=False), 2):
        if first == second:
            raise InvalidRequestError(
                f"columns {one} and {other} are the same; change something in one of them, such "
                "as its model, its wording or its seed"
            )


def _check_wordings(requested: ComparisonState) -> None:
    """Without the prompt in its wording, a system would make the same grid for every prompt."""
    prompts = len(requested.prompts)
    for letter, system in zip(LETTERS, requested.systems, strict=False):
        if prompts > 1 and PROMPT not in system.wording:
            raise InvalidRequestError(
                f"the wording of column {letter} has no {PROMPT}, so its images would be the "
                f"same for all {prompts} prompts; put {PROMPT} in it, or write one prompt"
            )


def _grid_states(
    state: ComparisonState, wanted: GridState, store: CellStore, turn: Turn
) -> Iterator[GridState]:
    """The states of one grid, from its own images or from those of an equal request."""
    images = wanted.request.grid
    same = (grid for grid in state.finished.values() if grid.request.grid == images)
    known = next(same, None)
    if known is None or known.report is None:
        yield from generate_and_score(wanted, store, turn)
        return
    seconds = known.report.timings.get("generating", 0.0)
    made = replace(
        wanted,
        request=replace(wanted.request, revision=known.request.revision),
        images=known.images,
        truncated_words=known.truncated_words,
    )
    for grid in score_uploads(made, (), turn):
        yield grid.timed(generating=seconds)

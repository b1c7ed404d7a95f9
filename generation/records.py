"""What goes into a grid of pictures and what comes out of it: frozen records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL.Image import Image

from generation.completion import complete_prompt

if TYPE_CHECKING:
    from generation.settings import ImageSettings


@dataclass(frozen=True)
class GridRequest:
    """One prompt to be generated `rows` x `columns` times."""

    prompt: str
    rows: int = 3
    columns: int = 3
    seed: int = 7
    """Cell k is generated from `seed + k`, so that any cell can be made again alone."""
    model: str = "stickers"
    """A name in `generation.MODELS`."""
    completion: bool = False
    """Whether what the prompt leaves open is drawn by each seed: see `generation.completion`."""

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.rows * self.columns

    def given(self, seed: int) -> str:
        """The prompt that the model is given for a seed: the person's own, or completed.

        >>> GridRequest("a red car", completion=True).given(seed=4)
        'a red car at night'
        """
        return complete_prompt(self.prompt, seed).text if self.completion else self.prompt

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seed of each cell, row by row."""
        return tuple(self.seed + cell for cell in range(self.size))


@dataclass(frozen=True)
class GridCell:
    """One finished picture of the grid."""

    cell: int
    """Place in the grid as generated, row by row, from 0."""
    seed: int
    image: Image
    filtered: bool = False
    """True when a safety checker blacked the picture out; it is left out of the ranking."""
    settings: ImageSettings | None = None
    """How it was generated, where that is known."""


@dataclass(frozen=True)
class ImageGrid:
    """The finished pictures of one request, in cell order; fewer than asked for after a stop."""

    request: GridRequest
    cells: tuple[GridCell, ...]


@dataclass(frozen=True)
class SamplingProgress:
    """One step of generating: where the work stands and what can be shown so far."""

    step: int
    """Denoising steps finished, over all batches."""
    steps: int
    """Denoising steps in all."""
    cells: tuple[GridCell, ...]
    """The cells that are finished, in cell order."""
    previews: tuple[GridCell, ...]
    """Rough pictures of the cells being generated now."""

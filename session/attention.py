"""A board and an arrangement of its cells come in; where the eye is drawn on it goes out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.set_metrics.saliency import cell_attention, compose_grid, saliency_map
from session.state import GridState
from session.storage import picture

THUMBNAIL = (160, 160)
DIMMEST = 0.22
"""How much light the least looked-at spot keeps."""


def spotlit(state: GridState, cells: Sequence[int]) -> Image:
    """The small grid picture, lit where the eye is drawn."""
    return _seen(_files(state, cells), state.rows, state.columns)[0]


def attention(state: GridState, cells: Sequence[int]) -> tuple[float, ...]:
    """The attention that each place draws, row by row, sum 1."""
    return _seen(_files(state, cells), state.rows, state.columns)[1]


def _files(state: GridState, cells: Sequence[int]) -> tuple[str | None, ...]:
    return tuple(None if cell in state.filtered else state.pictures[cell] for cell in cells)


@lru_cache(maxsize=64)
def _seen(
    files: tuple[str | None, ...], rows: int, columns: int
) -> tuple[Image, tuple[float, ...]]:
    images = [picture(file) if file else None for file in files]
    for image in filter(None, images):
        image.thumbnail(THUMBNAIL)
    whole, boxes = compose_grid(images, rows, columns)
    density = saliency_map(whole)
    return spotlight(whole, density), cell_attention(density, boxes)


def spotlight(picture: Image, density: npt.NDArray[np.float64]) -> Image:
    """The grid picture, lit where the eye is drawn and dim elsewhere.

    Args:
        picture: the grid as shown.
        density: shape (height, width) of the picture, >= 0.

    >>> lit = spotlight(PillowImage.new("RGB", (2, 1), "white"), np.array([[0.0, 1.0]]))
    >>> lit.getpixel((0, 0)), lit.getpixel((1, 0))
    ((56, 56, 56), (255, 255, 255))
    """
    brightest = float(np.quantile(density, 0.99)) or 1.0
    light = DIMMEST + (1 - DIMMEST) * np.clip(density / brightest, 0, 1)
    pixels = np.asarray(picture.convert("RGB"), dtype=float) * light[:, :, None]
    return PillowImage.fromarray(pixels.round().astype(np.uint8))

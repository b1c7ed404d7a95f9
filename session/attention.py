"""How much attention each place of an arranged grid draws, and the grid image that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.arrays import Floats
from alignment.set_metrics.saliency import (
    Box,
    cell_attention,
    compose_grid,
    saliency_map,
    small_image,
)
from session.state import GridState
from session.storage import load_image

SHOWN_SIDE = 640
"""The longer side in pixels of the grid image on the page."""
DIMMEST = 0.22
"""The light that the least salient spot keeps."""


def saliency_overlay(state: GridState, cells: Sequence[int]) -> Image:
    """A small image of the arranged grid, lit where it is salient."""
    return _overlay(*_grid(state, cells))


@lru_cache(maxsize=32)
def _overlay(files: tuple[str | None, ...], rows: int, columns: int) -> Image:
    images = [load_image(file) if file else None for file in files]
    grid, _ = compose_grid(images, rows, columns)
    grid.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
    density, _ = _density(files, rows, columns)
    coarse = PillowImage.fromarray((density / density.max()).astype(np.float32))
    return overlay(grid, np.asarray(coarse.resize(grid.size), dtype=float))


def attention(state: GridState, cells: Sequence[int]) -> tuple[float, ...]:
    """The attention that each place draws, row by row, sum 1.

    It is computed as `alignment.evaluate` computes it for the report.
    """
    return _attention(*_grid(state, cells))


def _grid(state: GridState, cells: Sequence[int]) -> tuple[tuple[str | None, ...], int, int]:
    """The files, rows and columns of the arranged grid."""
    filtered = state.images.filtered
    files = tuple(None if cell in filtered else state.file(cell) for cell in cells)
    return files, state.request.rows, state.request.columns


@lru_cache(maxsize=1024)
def _attention(files: tuple[str | None, ...], rows: int, columns: int) -> tuple[float, ...]:
    return cell_attention(*_density(files, rows, columns))


def _density(
    files: tuple[str | None, ...], rows: int, columns: int
) -> tuple[Floats, tuple[Box, ...]]:
    """Where people look in the small grid, and where its cells are."""
    grid, boxes = compose_grid([_small(file) if file else None for file in files], rows, columns)
    return saliency_map(grid), boxes


@lru_cache(maxsize=256)
def _small(file: str) -> Image:
    return small_image(load_image(file))


def overlay(image: Image, density: Floats) -> Image:
    """An image, lit where a saliency map is high and dim elsewhere.

    Args:
        density: shape (height, width) of the image, >= 0.

    >>> lit = overlay(PillowImage.new("RGB", (2, 1), "white"), np.array([[0.0, 1.0]]))
    >>> lit.getpixel((0, 0)), lit.getpixel((1, 0))
    ((56, 56, 56), (255, 255, 255))
    """
    brightest = float(np.quantile(density, 0.99)) or 1.0
    light = DIMMEST + (1 - DIMMEST) * np.clip(density / brightest, 0, 1)
    pixels = np.asarray(image.convert("RGB"), dtype=float) * light[:, :, None]
    return PillowImage.fromarray(pixels.round().astype(np.uint8))

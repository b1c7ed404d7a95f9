"""A board and an arrangement of its cells come in; where the eye is drawn on it goes out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL.Image import Image

from alignment.saliency import cell_masses, compose_grid, saliency_map
from desk.pictures import picture
from view.board import Board
from view.figures import spotlight

THUMBNAIL = (160, 160)


def spotlit(board: Board, cells: Sequence[int]) -> Image:
    """The small grid picture, lit where the eye is drawn."""
    return _seen(_files(board, cells), board.rows, board.columns)[0]


def attention(board: Board, cells: Sequence[int]) -> tuple[float, ...]:
    """The attention that each place draws, row by row, sum 1."""
    return _seen(_files(board, cells), board.rows, board.columns)[1]


def _files(board: Board, cells: Sequence[int]) -> tuple[str | None, ...]:
    return tuple(None if cell in board.filtered else board.pictures[cell] for cell in cells)


@lru_cache(maxsize=64)
def _seen(
    files: tuple[str | None, ...], rows: int, columns: int
) -> tuple[Image, tuple[float, ...]]:
    images = [picture(file) if file else None for file in files]
    for image in filter(None, images):
        image.thumbnail(THUMBNAIL)
    whole, boxes = compose_grid(images, rows, columns)
    density = saliency_map(whole)
    return spotlight(whole, density), cell_masses(density, boxes)

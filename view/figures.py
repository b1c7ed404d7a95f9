"""A grid, where the eye goes and what each picture earns come in; two small maps go out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from view.board import Board
from view.words import safe

DIMMEST = 0.22
"""How much light the least looked-at spot keeps."""


def spotlight(picture: Image.Image, density: npt.NDArray[np.float64]) -> Image.Image:
    """The grid picture, lit where the eye is drawn and dim elsewhere.

    Args:
        picture: the grid as shown.
        density: shape (height, width) of the picture, >= 0.

    >>> lit = spotlight(Image.new("RGB", (2, 1), "white"), np.array([[0.0, 1.0]]))
    >>> lit.getpixel((0, 0)), lit.getpixel((1, 0))
    ((56, 56, 56), (255, 255, 255))
    """
    brightest = float(np.quantile(density, 0.99)) or 1.0
    light = DIMMEST + (1 - DIMMEST) * np.clip(density / brightest, 0, 1)
    pixels = np.asarray(picture.convert("RGB"), dtype=float) * light[:, :, None]
    return Image.fromarray(pixels.round().astype(np.uint8))


def maps(board: Board, arrangement: str, spotlit: str, shares: Sequence[float | None]) -> str:
    """The two maps side by side, with their captions.

    Args:
        board: the grid.
        arrangement: "generated" or "reranked".
        spotlit: the address of the picture that `spotlight` made.
        shares: what each place adds to the metric, row by row; None where nothing was judged.
    """
    lit = f'<img src="{safe(spotlit)}" alt="the grid, lit where the eye is drawn">'
    earned = earnings(board, arrangement, shares)
    return (
        f'<div class="maps">{_captioned(lit, "where the eye is drawn")}'
        f"{_captioned(earned, 'who earns it: each share of ERR')}</div>"
    )


def earnings(board: Board, arrangement: str, shares: Sequence[float | None]) -> str:
    """Each picture's part of the whole, as a filled thumbnail with its per cent."""
    total = sum(share or 0.0 for share in shares) or 1.0
    cells = "".join(
        _earning(board.address(cell), (share or 0.0) / total)
        for cell, share in zip(board.arranged(arrangement), shares, strict=True)
    )
    return f'<div class="earnings" style="--columns: {board.columns}">{cells}</div>'


def _captioned(figure: str, caption: str) -> str:
    return f'<figure class="map">{figure}<figcaption>{caption}</figcaption></figure>'


def _earning(address: str | None, part: float) -> str:
    picture = f'<img src="{safe(address)}" alt="">' if address else ""
    return f'<span class="earning" style="--part: {part:.4f}">{picture}<b>{part:.0%}</b></span>'

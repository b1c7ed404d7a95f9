"""A grid, where the eye goes and what each picture earns come in; two small maps go out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt
from PIL import Image

from view.board import Board
from view.words import help_mark, percent, safe

SHARE = "share"
"""What a part of ERR is called where it is explained."""
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


def maps(
    board: Board, arrangement: Sequence[int], spotlit: str, shares: Sequence[float | None]
) -> str:
    """The two maps side by side with their captions, and the picture that earns most in words.

    Args:
        board: the grid.
        arrangement: the cell at each place, row by row.
        spotlit: the address of the picture that `spotlight` made.
        shares: what each place adds to the metric, row by row; None where nothing was judged.
    """
    lit = f'<img src="{safe(spotlit)}" alt="the grid, lit where the eye is drawn">'
    earned = earnings(board, arrangement, shares)
    return (
        f'<div class="maps">{_captioned(lit, "where the eye is drawn")}'
        f"{_captioned(earned, f'who earns it: each share of ERR{help_mark(SHARE)}')}</div>"
        f'<p class="earner">{safe(best_earner(board, arrangement, shares))}</p>'
    )


def earnings(board: Board, arrangement: Sequence[int], shares: Sequence[float | None]) -> str:
    """Each picture's part of the whole, as a filled thumbnail with its per cent."""
    cells = "".join(
        _earning(board.address(cell), part, f"{board.known_as(cell)} earns {share or 0.0:.6f}")
        for cell, share, part in zip(arrangement, shares, _parts(shares), strict=True)
    )
    return f'<div class="earnings" style="--columns: {board.columns}">{cells}</div>'


def best_earner(board: Board, arrangement: Sequence[int], shares: Sequence[float | None]) -> str:
    """Which picture earns most of what the grid gives, and how many it takes for nine tenths.

    E.g. "#1 (seed 12) earns 93 % of this; it alone is over nine tenths of it."
    """
    parts = sorted(zip(_parts(shares), arrangement, strict=True), reverse=True)
    if not sum(part for part, _ in parts):
        return "No picture earns anything here."
    most, cell = parts[0]
    needed = 1 + sum(earlier < 0.9 for earlier in accumulate(part for part, _ in parts))
    said = f"#{board.rank(cell)} ({board.known_as(cell)}) earns {percent(most)} of this; "
    return said + (
        "it alone is over nine tenths of it."
        if needed == 1
        else f"{needed} pictures together earn nine tenths of it."
    )


def _parts(shares: Sequence[float | None]) -> list[float]:
    """Each share of their sum; noughts when there is nothing to share."""
    total = sum(share or 0.0 for share in shares) or 1.0
    return [(share or 0.0) / total for share in shares]


def _captioned(figure: str, caption: str) -> str:
    return f'<figure class="map">{figure}<figcaption>{caption}</figcaption></figure>'


def _earning(address: str | None, part: float, passport: str) -> str:
    picture = f'<img src="{safe(address)}" alt="">' if address else ""
    return (
        f'<span class="earning" style="--part: {part:.4f}" title="{safe(passport)}">'
        f"{picture}<b>{part:.0%}</b></span>"
    )

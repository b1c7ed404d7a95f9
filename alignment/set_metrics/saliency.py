"""Visual saliency of a grid, and the share of attention that each cell draws.

The map is computed on the image of the whole grid as it is shown, gutters included, and then
integrated over each cell's own rectangle. It needs no trained weights, and has not been compared
with where people look: no recordings of eye movements were at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from PIL import Image

from alignment.arrays import Floats

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are outside."""

GROUND = (250, 250, 250)
"""The gutters: what the page shows between images."""
MISSING = (128, 128, 128)
"""A cell without an image."""
ANALYSED_SIDE = 96
"""The longer side, in pixels, at which the map is computed."""
CENTRE_SIGMA = 0.3
"""Spread of the centre prior, as a share of each side."""
CENTRE_EXPONENT = 0.5
"""How much the centre prior counts beside the image."""
SPECTRAL_RESIDUAL = "spectral-residual"
"""The name of `saliency_map`."""
CELL_SIDE = 64
"""The longer side, in pixels, at which an image takes part in the image of its grid: attention is
that of the grid as a whole, whatever the size of the files. The map is analysed at less."""
GUTTER_SHARE = 1 / 16
"""The gutters between cells and around them, as a share of a cell's longer side."""
FLOOR = 0.05
"""What a spot without any contrast keeps, as a share of the mean: people look there too."""


def compose_grid(
    images: Sequence[Image.Image | None], rows: int, columns: int
) -> tuple[Image.Image, tuple[Box, ...]]:
    """The image of the grid as it is shown, and where each cell is in it.

    Args:
        images: row by row, at most rows * columns; None for a missing or filtered image, which
            is shown as neutral grey. Images smaller than the largest are put in the middle of
            their cell.
        rows: of the grid.
        columns: of the grid.

    Returns:
        The image, and rows * columns boxes, row by row.

    Raises:
        ValueError: there are more images than cells, or no image at all.

    >>> grid, boxes = compose_grid([Image.new("RGB", (10, 10)), None], 1, 2)
    >>> grid.size, boxes
    ((23, 12), ((1, 1, 11, 11), (12, 1, 22, 11)))
    """
    shown = [image for image in images if image is not None]
    if not shown or len(images) > rows * columns:
        raise ValueError(f"{len(shown)} images for {rows} x {columns} cells; give 1 to all")
    width = max(image.width for image in shown)
    height = max(image.height for image in shown)
    gutter = max(1, round(max(width, height) * GUTTER_SHARE))
    boxes = _cell_boxes(rows, columns, width, height, gutter)
    size = (columns * (width + gutter) + gutter, rows * (height + gutter) + gutter)
    grid = Image.new("RGB", size, GROUND)
    for cell, (left, top, right, bottom) in enumerate(boxes):
        image = images[cell] if cell < len(images) else None
        if image is None:
            grid.paste(MISSING, (left, top, right, bottom))
        else:
            middle = (left + (width - image.width) // 2, top + (height - image.height) // 2)
            grid.paste(image.convert("RGB"), middle)
    return grid, boxes


def small_image(image: Image.Image) -> Image.Image:
    """An image no larger than `CELL_SIDE`; itself where it is not."""
    if max(image.size) <= CELL_SIDE:
        return image
    small = image.convert("RGB")
    small.thumbnail((CELL_SIDE, CELL_SIDE))
    return small


def grid_attention(
    images: Sequence[Image.Image | None], rows: int, columns: int
) -> tuple[float, ...]:
    """The share of attention that each place of a grid draws, row by row, sum 1; grey for None."""
    small = [image and small_image(image) for image in images]
    grid, boxes = compose_grid(small, rows, columns)
    return cell_attention(saliency_map(grid), boxes)


def _cell_boxes(rows: int, columns: int, width: int, height: int, gutter: int) -> tuple[Box, ...]:
    """The rectangle of each cell, row by row, for cells of `width` x `height` pixels."""
    return tuple(
        (left, top, left + width, top + height)
        for top in range(gutter, gutter + rows * (height + gutter), height + gutter)
        for left in range(gutter, gutter + columns * (width + gutter), width + gutter)
    )


def saliency_map(image: Image.Image) -> Floats:
    """Where people look first: spectral residual on opponent colours, with a centre prior.

    log map = log(floor + spectral residual) + 0.5 log(centre prior), up to a constant.

    Returns:
        Shape (height, width), each > 0, sum 1.

    Source: X. Hou, L. Zhang, "Saliency Detection: A Spectral Residual Approach", 2007; the prior
    is added to the log density as in DeepGaze (M. Kuemmerer et al., 2016).

    >>> saliency_map(Image.new("RGB", (30, 20), "white")).shape
    (20, 30)
    """
    small = _shrunk(image)
    contrast = sum(_spectral_residual(channel) for channel in _opponent_colours(small))
    log_density = np.log(_above_floor(np.asarray(contrast)))
    log_density += CENTRE_EXPONENT * _log_centre_prior(*log_density.shape)
    coarse = Image.fromarray(log_density.astype(np.float32))
    full = np.asarray(coarse.resize(image.size, Image.Resampling.BILINEAR), dtype=float)
    density = np.exp(full - full.max())
    return np.asarray(density / density.sum())


def cell_attention(density: Floats, boxes: Sequence[Box]) -> tuple[float, ...]:
    """The share of attention each cell draws; what falls on the gutters is left out.

    Args:
        density: shape (height, width), > 0: a saliency map of the grid image.
        boxes: the rectangle of each cell.

    Returns:
        One share per box, sum 1.

    >>> cell_attention(np.ones((2, 4)), [(0, 0, 3, 2), (3, 0, 4, 2)])
    (0.75, 0.25)
    """
    inside = [density[top:bottom, left:right].sum() for left, top, right, bottom in boxes]
    return tuple(float(share / sum(inside)) for share in inside)


def _shrunk(image: Image.Image) -> Floats:
    """Shape (height, width, 3) in [0, 1], longer side `ANALYSED_SIDE`; no rounding to bytes."""
    scale = ANALYSED_SIDE / max(image.size)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    channels = [
        np.asarray(channel.convert("F").resize(size, Image.Resampling.BOX))
        for channel in image.convert("RGB").split()
    ]
    return np.stack(channels, axis=2).astype(float) / 255


def _opponent_colours(image: Floats) -> tuple[Floats, Floats, Floats]:
    """Light - dark, red - green, blue - yellow."""
    red, green, blue = np.moveaxis(image, 2, 0)
    return (red + green + blue) / 3, red - green, blue - (red + green) / 2


def _spectral_residual(channel: Floats) -> Floats:
    """What is unexpected in the log amplitude spectrum, back in space, in units of contrast.

    The residual itself does not see how strong a channel is, so that a faint one would count as
    much as a vivid one; the channel's standard deviation restores it.
    """
    from scipy import fft, ndimage

    if np.ptp(channel) == 0:
        return np.zeros_like(channel)
    margin = min(channel.shape) // 4
    spectrum = fft.fft2(np.pad(channel - channel.mean(), margin, mode="symmetric"))
    expected = ndimage.uniform_filter(np.log(np.abs(spectrum) + 1e-9), size=3, mode="wrap")
    back = fft.ifft2(spectrum * np.exp(-expected))
    energy = back.real**2 + back.imag**2
    smooth = ndimage.gaussian_filter(energy, sigma=2.5, mode="nearest")
    inner = smooth[margin : margin + channel.shape[0], margin : margin + channel.shape[1]]
    return np.asarray(channel.std() * inner / inner.mean())


def _above_floor(contrast: Floats) -> Floats:
    """The contrast over its mean plus a floor; flat for an image without contrast."""
    mean = contrast.mean()
    return FLOOR + contrast / mean if mean > 1e-9 else np.ones_like(contrast)


def _log_centre_prior(height: int, width: int) -> Floats:
    """Logarithm of a Gaussian in the middle, up to a constant, shape (height, width)."""
    y, x = ((np.arange(side) + 0.5) / side - 0.5 for side in (height, width))
    return np.asarray(-(y[:, None] ** 2 + x[None, :] ** 2) / (2 * CENTRE_SIGMA**2))

"""Where a failing claim is decided: the places without which its thing is gone, or free room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image as Images

import alignment
from alignment import Models, Vq2Settings
from alignment.answers import AnswerTable
from alignment.set_metrics.saliency import saliency_map
from search.records import answers_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from generation.denoising import Region

PLACES = 3
"""Places of a window, from edge to edge, in each direction."""
HIDDEN = 0.75
"""The share of the most that is lost anywhere, from which a place is part of a thing."""
SHARE = 0.5
"""The side of a window, as a share of the image's."""


@dataclass(frozen=True)
class Windows:
    """Tries windows of half the image's side, at nine places.

    Of a thing that is there: the places without which the evaluator sees it least. Where the thing
    itself is missing: the window that draws least attention, as there is room.
    """

    models: Models
    settings: Vq2Settings
    questions: int = PLACES**2

    def __call__(self, image: Image, table: AnswerTable, claim: int) -> Region | None:
        """See `RegionOf`; never None."""
        windows = every_window()
        thing = thing_of(table, claim)
        if thing is None:
            attention = saliency_map(image)
            seen = [attention[scaled(window, attention.shape)].mean() for window in windows]
            return windows[int(np.argmin(seen))]
        return hidden_by(windows, self._seen_without(image, table, thing, windows))

    def _seen_without(
        self, image: Image, table: AnswerTable, thing: int, windows: list[Region]
    ) -> list[float]:
        """P(the thing is there), each window covered in turn."""
        pair, prompt = table.claims[thing].pairs[0], table.prompt
        covered_images = [covered(image, window) for window in windows]
        matrix = alignment.score(
            covered_images, [prompt], self.models, "vq2", self.settings, {prompt: (pair,)}
        )
        return [row[0].evidence[0].probability for row in matrix.scores]


def thing_of(table: AnswerTable, claim: int) -> int | None:
    """What a claim is about and the image shows: what it rests on; None where that is missing."""
    holds = answers_of(table)
    below = [index for index in table.claims[claim].rests_on if holds.get(index)]
    return min(below, key=lambda index: len(table.claims[index].span.text), default=None)


def hidden_by(windows: Sequence[Region], seen: Sequence[float]) -> Region:
    """Where the windows lie together that hide a thing.

    Args:
        windows: that were covered.
        seen: P(the thing is there), without each.
    """
    lost, stack = max(seen) - np.asarray(seen), np.stack(windows).astype(float)
    mean = np.tensordot(lost, stack, 1) / stack.sum(0)
    return np.asarray(mean >= HIDDEN * mean.max())


def every_window() -> list[Region]:
    """The windows, row by row."""
    side = 2 * (PLACES - 1)
    size, windows = round(SHARE * side), []
    for row in range(PLACES):
        for column in range(PLACES):
            window = np.zeros((side, side), dtype=bool)
            window[row : row + size, column : column + size] = True
            windows.append(window)
    return windows


def scaled(region: Region, shape: tuple[int, ...]) -> Region:
    """A region with a place for each pixel.

    >>> scaled(np.array([[True, False]]), (2, 4)).astype(int).tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0]]
    """
    rows, columns = (np.arange(n) * of // n for n, of in zip(shape, region.shape, strict=True))
    return np.asarray(region[np.ix_(rows, columns)])


def covered(image: Image, region: Region) -> Image:
    """An image whose region has its mean colour."""
    pixels = np.asarray(image.convert("RGB")).copy()
    pixels[scaled(region, pixels.shape[:2])] = pixels.mean((0, 1)).astype(np.uint8)
    return Images.fromarray(pixels)

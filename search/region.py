"""Where an image is repaired: where the thing is that a failing claim is about, or in free room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alignment.answers import AnswerTable
from alignment.models.partial_view import scaled
from alignment.models.vlm import VisionLanguageModel
from alignment.region import QUESTIONS, SIDE, region_of, thing_of, windows
from alignment.set_metrics.saliency import saliency_map

if TYPE_CHECKING:
    from PIL.Image import Image

    from generation.denoising import Region


def region_to_repair(
    image: Image, table: AnswerTable, claim: int, model: VisionLanguageModel
) -> tuple[Region, int]:
    """Where to denoise an image again, and how many questions it took to find that out.

    Args:
        image: that was asked.
        table: the claims of the prompt, with the image's answers in row 0.
        claim: which fails, by index.
        model: that answered.

    Returns:
        Where the thing is that the claim is about; where that is missing, the half of the image's
        side, in each direction, that draws least attention, as there is room.
    """
    thing = thing_of(table, 0, claim)
    if thing is None:
        return room(image), 0
    found = region_of(table.claims[thing].pairs[0], image, model, model.encode([image]))
    return (room(image), 1) if found is None else (found, QUESTIONS)


def room(image: Image) -> Region:
    """The window of half the image's side that draws least attention, of nine."""
    attention = saliency_map(image)
    halves = windows(SIDE // 2, SIDE // 4)
    return min(halves, key=lambda window: attention[scaled(window, attention.shape)].mean())

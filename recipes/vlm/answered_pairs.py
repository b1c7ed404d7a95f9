"""Labelled pairs of typed prompts and their images, as readers answered, to calibrate scores on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from PIL import Image

from recipes.vlm.answered_images import AnsweredPrompt, is_right, write_images
from recipes.world.labelled_pairs import Row, write_table


def write_answered_pairs(folder: Path, asked: Sequence[AnsweredPrompt], images: Path) -> Path:
    """Prompts with their images: right where all that is asked of one is true.

    Only prompts that are asked about wholly, and the first images of each, as more were generated
    where these were wrong; none of which readers did not settle whether all is true.

    Args:
        folder: of table and images.
        asked: prompts that no model learned from.
        images: the file of `write_images`; what it lacks is generated.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return write_table(folder, _rows(folder, asked, images))


def _rows(folder: Path, asked: Sequence[AnsweredPrompt], images: Path) -> Iterator[Row]:
    pixels = iter(torch.load(write_images(asked, images), weights_only=True)["pixels"])
    seen = set[str]()
    for number, each in enumerate(asked):
        for cell, letters in enumerate(each.letters):
            image, right = next(pixels), is_right(letters)
            if each.whole and right is not None and each.prompt not in seen:
                name = f"{number:04}-{cell}.png"
                Image.fromarray(image.permute(1, 2, 0).numpy()).save(folder / name)
                yield name, each.prompt, int(right), folder.name
        seen.add(each.prompt)

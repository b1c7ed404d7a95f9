"""Labelled pairs of typed prompts and their images, as readers answered, to calibrate scores on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from recipes.vlm.answered_images import AnsweredPrompt, AnsweredSet, is_right, write_images
from recipes.world.labelled_pairs import Row, write_table


def write_answered_pairs(folder: Path, asked: Sequence[AnsweredPrompt], images: Path) -> Path:
    """Prompts with their images: right where all that is asked of one is true.

    Only prompts that are asked about wholly, and the first images of each, as whether it has more
    depends on these; none of which readers did not settle whether all is true.

    Args:
        folder: of table and images.
        asked: prompts that no model learned from.
        images: the file of `write_images`; what it lacks is generated.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pictures, first = iter(AnsweredSet.read(write_images(asked, images)).pictures), set[str]()
    rows = list[Row]()
    for number, each in enumerate(asked):
        own = [*islice(pictures, len(each.letters))]
        for cell, (image, letters) in enumerate(zip(own, each.letters, strict=True)):
            right = is_right(letters)
            if each.whole and right is not None and each.prompt not in first:
                name = f"{number:04}-{cell}.png"
                image.save(folder / name)
                rows.append((name, each.prompt, int(right), folder.name))
        first.add(each.prompt)
    return write_table(folder, rows)

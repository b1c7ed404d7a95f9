"""Labelled pairs of an image and a text, in the format of SeeTRUE, to calibrate scores on.

Drawn pairs show scenes with held-out compositions, each with a true caption and a foil. Recognised
pairs are images of a text-to-image model, each with its prompt and with a foil of it, labelled by
what looks as it is drawn, and by what was read in them.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.data.seetrue import COLUMNS
from benchmarks.stickers.detector import to_pixels
from benchmarks.stickers.generated import LoadedGenerator
from recipes.diffusion.canonical_layout import canonical_layout
from recipes.diffusion.read_things import ReadAs, read_things
from recipes.diffusion.recognition import shown_in
from recipes.diffusion.text_encoder import caption_of
from recipes.world.art import draw
from recipes.world.captions import write_caption
from recipes.world.domains import Domain
from recipes.world.held_out_images import contrast, held_out_scene
from recipes.world.truth import as_asked, distort, entailed

FOLDER = Path("runs/labelled")
TABLE = "pairs.csv"
SIDE = 2
"""Rows and columns of images for each prompt."""
IMAGE_SEED = 600_000
"""Of the first image of a table, plus the table's own seed."""

Row = tuple[str, str, int, str]


def write_drawn_pairs(folder: Path, seed: int, count: int, domain: Domain) -> Path:
    """Draw scenes, each with a true caption and a foil; returns the table."""
    folder.mkdir(parents=True, exist_ok=True)
    rng, kinds, rows = np.random.default_rng(seed), Counter[str](), list[Row]()
    for number in range(count):
        scene = held_out_scene(rng, domain)
        caption, foil, change = contrast(rng, scene, kinds, domain)
        name = f"{number:04}.png"
        draw(scene, domain.stamp).save(folder / name)
        rows += [(name, caption, 1, "drawn"), (name, foil, 0, f"drawn {change.kind}")]
    return write_table(folder, rows)


def write_recognised_pairs(
    folder: Path,
    seed: int,
    count: int,
    domain: Domain,
    generator: LoadedGenerator,
    read_as: ReadAs,
) -> Path:
    """Generate four images for each prompt, labelled by what is recognised of them.

    Those with something in doubt are left out.

    Args:
        seed: of prompts and foils and, with `IMAGE_SEED`, of the images.
        generator: of the weights whose images were read.
        read_as: as what they were read; of "touching" ones readers also said whether they do.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng, rows, read = np.random.default_rng(seed), list[Row](), read_things(f"{read_as}-labelled")
    for number in range(count):
        scene = canonical_layout(domain.sample(rng, None))
        caption = caption_of(rng, scene, domain, readings=())
        claim = as_asked(caption.claim)
        wrong, kind, _ = distort(rng, claim, domain.world)
        foil = write_caption(rng, wrong, domain.world).text
        images = generator.grid(caption.text, (SIDE, SIDE), IMAGE_SEED + seed + SIDE**2 * number)
        for cell, (image, pixels) in enumerate(zip(images, to_pixels(images), strict=True)):
            own = read.get(SIDE**2 * number + cell, ())
            shown = shown_in(pixels, scene, domain, wrong.groups, own, read_as)
            if shown is not None:
                name = f"{number:04}-{cell}.png"
                image.save(folder / name)
                right, foiled = (int(entailed(each, shown)) for each in (claim, wrong))
                rows += [(name, caption.text, right, folder.name)]
                rows += [(name, foil, foiled, f"{folder.name} {kind}")]
    return write_table(folder, rows)


def write_table(folder: Path, rows: Iterable[Row]) -> Path:
    """Write the table of a folder of images: file, text, label and source of each pair."""
    table = folder / TABLE
    with table.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines).writerows([COLUMNS, *rows])
    return table

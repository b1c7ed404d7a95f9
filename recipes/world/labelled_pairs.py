"""Labelled pairs of an image and a text, in the format of SeeTRUE, to calibrate scores on.

Drawn pairs show scenes with held-out compositions, each with a true caption and a foil. Generated
pairs are pictures of the text-to-image model for prompts with held-out compositions, each with its
prompt and with a foil of it; the detector says whether either is right. Composed pairs are the same
for prompts of three or four things. Recognised pairs are pictures of icons, labelled by what
looks as it is drawn.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np

from benchmarks.stickers.detector import detect, load_detector, to_pixels
from benchmarks.stickers.generated import LoadedGenerator
from benchmarks.stickers.prompts import EvaluationPrompt, RequestedGroup, satisfies
from recipes.diffusion.canonical_layout import canonical_claim, canonical_layout
from recipes.diffusion.recognition import recognise
from recipes.diffusion.text_encoder import caption_of
from recipes.world.art import draw
from recipes.world.captions import Description, describe, write_caption
from recipes.world.domains import STICKERS, Domain
from recipes.world.held_out_pictures import contrast, held_out_scene
from recipes.world.held_out_prompts import KINDS, held_out_prompt
from recipes.world.scenes import sample_several
from recipes.world.truth import distort, entailed
from recipes.world.worlds import WORLD

FOLDER = Path("runs/labelled")
ICON_FOLDER = Path("runs/labelled-icons")
TABLE = "pairs.csv"
COLUMNS = ("image", "text", "label", "dataset_source")
SIDE = 2
"""Rows and columns of pictures for each prompt."""
IMAGE_SEED = 600_000
"""Of the first picture of a table, plus the table's own seed."""

Row = tuple[str, str, int, str]


def write_drawn_pairs(folder: Path, seed: int, count: int, domain: Domain = STICKERS) -> Path:
    """Draw scenes, each with a true caption and a foil; returns the table."""
    folder.mkdir(parents=True, exist_ok=True)
    rng, kinds, rows = np.random.default_rng(seed), Counter[str](), list[Row]()
    for number in range(count):
        scene = held_out_scene(rng, domain)
        caption, foil, change = contrast(rng, scene, kinds, domain)
        kinds[change.kind] += 1
        name = f"{number:04}.png"
        draw(scene, domain.stamp).save(folder / name)
        rows += [(name, caption, 1, "drawn"), (name, foil, 0, f"drawn {change.kind}")]
    return _write(folder, rows)


def held_out_prompts(rng: np.random.Generator) -> Iterator[tuple[str, Description]]:
    """Prompts with held-out compositions and what each claims, of all kinds in turn."""
    for kind in cycle(KINDS):
        yield held_out_prompt(rng, kind)


def prompts_of_several(rng: np.random.Generator) -> Iterator[tuple[str, Description]]:
    """Prompts of three or four things of several kinds, and what each claims."""
    while True:
        scene = sample_several(rng)
        said = describe(rng, scene)
        told = canonical_claim(rng, scene, said, WORLD)
        claim = replace(told, background=said.background)  # prompts may leave the place open
        yield write_caption(rng, claim).text, claim


def write_generated_pairs(
    folder: Path, prompts: Iterable[tuple[str, Description]], seed: int
) -> Path:
    """Generate four pictures for each prompt; returns the table.

    Args:
        folder: of the pictures and the table.
        prompts: each with what it claims.
        seed: of the foils and, with `IMAGE_SEED`, of the pictures.
    """
    folder.mkdir(parents=True, exist_ok=True)
    generator, detector = LoadedGenerator.of("stickers"), load_detector()
    foils, rows = np.random.default_rng(seed), list[Row]()
    for number, (prompt, claim) in enumerate(prompts):
        wrong, kind, _ = distort(foils, claim)
        asked = [(prompt, claim, folder.name)]
        asked += [(write_caption(foils, wrong).text, wrong, f"{folder.name} {kind}")]
        images = generator.grid(prompt, (SIDE, SIDE), IMAGE_SEED + seed + SIDE**2 * number)
        names = [f"{number:04}-{cell}.png" for cell in range(len(images))]
        for name, image in zip(names, images, strict=True):
            image.save(folder / name)
        scenes = detect(detector, to_pixels(images))
        for text, described, source in asked:
            wanted = evaluation_prompt(text, described)
            for name, scene in zip(names, scenes, strict=True):
                rows.append((name, text, int(satisfies(scene, wanted)), source))
    return _write(folder, rows)


def write_recognised_pairs(folder: Path, seed: int, count: int, domain: Domain) -> Path:
    """Generate four icon pictures for each prompt, labelled by what is recognised of them.

    Those with something in doubt are left out; returns the table.
    """
    folder.mkdir(parents=True, exist_ok=True)
    generator, rows = LoadedGenerator.of("icons"), list[Row]()
    rng = np.random.default_rng(seed)
    for number in range(count):
        scene = canonical_layout(domain.sample(rng, None))
        caption = caption_of(rng, scene, domain)
        wrong, kind, _ = distort(rng, caption.claim, domain.world)
        foil = write_caption(rng, wrong, domain.world).text
        images = generator.grid(caption.text, (SIDE, SIDE), IMAGE_SEED + seed + SIDE**2 * number)
        for cell, (image, pixels) in enumerate(zip(images, to_pixels(images), strict=True)):
            shown = recognise(pixels, scene.groups, domain, wrong.groups)
            if shown is not None:
                name = f"{number:04}-{cell}.png"
                image.save(folder / name)
                right, foiled = (int(entailed(claim, shown)) for claim in (caption.claim, wrong))
                rows += [(name, caption.text, right, folder.name)]
                rows += [(name, foil, foiled, f"{folder.name} {kind}")]
    return _write(folder, rows)


def evaluation_prompt(text: str, claim: Description, kind: str = "") -> EvaluationPrompt:
    """What a picture of a prompt must hold, of which the claim is known."""
    groups = tuple(
        RequestedGroup(each.name, each.count, each.colour, each.state, each.size)
        for each in claim.groups
    )
    return EvaluationPrompt(text, kind, groups, claim.relation, claim.background)


def _write(folder: Path, rows: Iterable[Row]) -> Path:
    table = folder / TABLE
    with table.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines).writerows([COLUMNS, *rows])
    return table

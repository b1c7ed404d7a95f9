"""Is the weakest pair of VQ2 about the word that is wrong?

Each image is held against a foil, its caption with one claim changed: the pair that scores lowest
should be about the changed words. Beside it stands what a pair chosen at random would reach, in
exact expectation; 95 % intervals draw captions. Without options, the sticker test set. An example
is a line of JSON: image, caption, foil and, if known, changed (its kind, and the ranges of the
foil's characters that are wrong); where ranges are not given, they are the words of the foil that
the caption does not have.

Published, rated by people: 88 % on COCO-Con, 74 % on DrawBench, 80 % on Winoground (M. Yarom et
al., "What You See is What You Read?", 2023).

The 420 foils of the sticker test set take about five minutes on a CPU; `--limit 20` gives a first
look.

For example:

    python -m benchmarks localisation --limit 20
    python -m benchmarks localisation --examples examples.jsonl --images FOLDER --bundle paper
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from alignment.evaluation import scores_of
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from benchmarks import options as given
from benchmarks.data.images import ImageStore
from benchmarks.data.numbers import beside_chance, pivot, publish
from benchmarks.progress import watched
from benchmarks.stickers.evaluators import (
    DEVELOPMENT,
    NEEDED,
    CaptionAndFoil,
    StickerExample,
    example_of,
    pointing_at,
)
from benchmarks.stickers.quality import pointing
from cli.flags import Vq2Flags, with_flags
from session.tables import objects

METHOD = "vq2"


@with_flags(Vq2Flags, "vq2")
def main(
    *,
    examples: Annotated[
        Path, typer.Option("--examples", help="A file with a line of JSON for each example.")
    ] = DEVELOPMENT / "scenes.jsonl",
    images: Annotated[
        list[Path] | None,
        typer.Option("--images", help="A folder or .zip of its images. Repeatable."),
    ] = None,
    limit: given.Limit = None,
    bundle: given.BundleName = "embedded",
    vq2: Vq2Flags,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    settings = vq2.over(AS_PUBLISHED)
    lines = objects(examples, *NEEDED)[:limit]
    store, models = ImageStore(*(images or [DEVELOPMENT])), Models(find_bundle(bundle))
    found = [
        point(example_of(line, store.open), models, settings)
        for line in watched(lines, "foils scored")
    ]
    about = {"method": METHOD, "bundle": bundle}
    captions = [line["caption"] for line in lines]
    numbers = [
        replace(each, about={**about, **each.about})
        for each in pointing(found, np.random.default_rng(seed), captions)
    ]
    title = "The weakest pair is about the changed words (95 %, captions drawn)"
    publish("localisation", [pivot(title, numbers, ["changed"], "name", beside_chance)], numbers)


def point(
    example: StickerExample, models: Models, settings: Vq2Settings = AS_PUBLISHED
) -> CaptionAndFoil:
    """Where the weakest pair of the foil points."""
    pictures = Pictures([example.image])
    ((_, (score,)),) = scores_of(example.foil, pictures, [METHOD], models, settings)
    return CaptionAndFoil(example.kind, {}, {}, *pointing_at(score, example.changed))

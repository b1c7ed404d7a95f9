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

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from PIL.Image import Image

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from alignment.records import ImageScore
from benchmarks import options as given
from benchmarks.data.images import ImageStore
from benchmarks.data.numbers import beside_chance, pivot, publish
from benchmarks.data.scores import scores_of
from benchmarks.progress import watched
from benchmarks.stickers.evaluators import DEVELOPMENT, CaptionAndFoil, pointing_at
from benchmarks.stickers.quality import pointing
from session.tables import objects

METHOD = "vq2"

_Range = tuple[int, int]
"""Start and end among the characters of a foil."""


@dataclass(frozen=True)
class Foil:
    """An image, and a caption of it that is wrong in a known place."""

    image: str
    caption: str
    """The true one."""
    text: str
    changed: tuple[_Range, ...]
    kind: str
    """Of the claim that was changed, "" where nobody says."""


def main(
    examples: Annotated[
        Path, typer.Option("--examples", help="A file with a line of JSON for each example.")
    ] = DEVELOPMENT / "scenes.jsonl",
    images: Annotated[
        list[Path] | None,
        typer.Option("--images", help="A folder or .zip of its images. Repeatable."),
    ] = None,
    limit: given.Limit = None,
    bundle: given.BundleName = "embedded",
    vq2: given.Vq2Flags = None,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    settings = given.vq2_settings(vq2 or ())
    foils = read_foils(examples)[:limit]
    store, models = ImageStore(*(images or [DEVELOPMENT])), Models(find_bundle(bundle))
    found = [point(foil, models, store.open, settings) for foil in watched(foils, "foils scored")]
    about = {"method": METHOD, "bundle": bundle}
    captions = [foil.caption for foil in foils]
    numbers = [
        replace(each, about={**about, **each.about})
        for each in pointing(found, np.random.default_rng(seed), captions)
    ]
    title = "The weakest pair is about the changed words (95 %, captions drawn)"
    publish("localisation", [pivot(title, numbers, ["changed"], "name", beside_chance)], numbers)


def read_foils(file: Path) -> list[Foil]:
    """The examples of a file, a line of JSON each."""
    return [_foil(line) for line in objects(file, "image", "caption", "foil")]


def _foil(line: dict[str, Any]) -> Foil:
    changed = line.get("changed", {})
    ranges = changed.get("ranges") or changed_ranges(line["caption"], line["foil"])
    places = tuple((start, end) for start, end in ranges)
    return Foil(line["image"], line["caption"], line["foil"], places, changed.get("kind", ""))


def changed_ranges(caption: str, foil: str) -> list[_Range]:
    """The words of a foil that its caption does not have in that place, letter case aside.

    Where words are only left out, the words on both sides of the gap.

    >>> changed_ranges("a black cat on a mat", "a white cat on a mat")
    [(2, 7)]
    >>> changed_ranges("a black cat", "a cat")
    [(0, 1), (2, 5)]
    """
    told, words = (list(re.finditer(r"\w+", text.lower())) for text in (caption, foil))
    same = SequenceMatcher(None, [w[0] for w in told], [w[0] for w in words], autojunk=False)
    places = [
        place
        for change, _, _, start, end in same.get_opcodes()
        if change != "equal"
        for place in (range(start, end) or (start - 1, start))
    ]
    return [words[place].span() for place in places if 0 <= place < len(words)]


def point(
    foil: Foil, models: Models, image: Callable[[str], Image], settings: Vq2Settings = AS_PUBLISHED
) -> CaptionAndFoil:
    """Where the weakest pair points."""
    ((_, scores),) = scores_of(foil.text, Pictures([image(foil.image)]), [METHOD], models, settings)
    return pointed(foil, *scores)


def pointed(foil: Foil, score: ImageScore) -> CaptionAndFoil:
    """Hold the weakest pair, and every pair, against the changed words."""
    right, chance = pointing_at(score, foil.changed) or (None, 0.0)
    return CaptionAndFoil(foil.kind, {}, {}, right, chance)

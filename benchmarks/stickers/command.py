"""`python -m benchmarks stickers`: its options, and the tables and the JSON line it prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.questions.settings import default_settings
from alignment.statistics.intervals import measured_proportion
from benchmarks import options as given
from benchmarks.charts import contact_sheet
from benchmarks.data.numbers import Number, beside_chance, pivot, publish
from benchmarks.progress import watched
from benchmarks.stickers.detector import load_detector
from benchmarks.stickers.evaluators import SETS, read_examples
from benchmarks.stickers.generated import (
    GeneratedImage,
    LoadedGenerator,
    autoencoder_errors,
    generate,
    peak_ratio,
)
from benchmarks.stickers.prompts import KINDS, first_of_each_kind, read_prompts
from benchmarks.stickers.quality import FREE, POINTED, YES_OR_NO, measure
from cli.flags import with_vq2_flags

GENERATED = "Images that show what their prompt asks for, as the detector reads them (95 %)"
Part: TypeAlias = Literal["images", "prompts", "autoencoder"]
"""What is measured."""
SHOWN, ACROSS = 64, 8
"""Images on the contact sheet, and in a row of it."""
SECONDS = 2.5
"""What one image of the test set, or one prompt, takes on two cores, about."""
TYPED = "typed"
"""The kind of prompts that may have words which nothing here knows."""
HELD_OUT = "all but those as people type"
KIND_NAMES = {
    "one": "one coloured thing",
    "two": "two coloured things, not swapped",
    "count": "two to four of a kind, exact",
    "relation": "one thing beside another, where it should be",
    "typed": "as people type, its known part",
    "many": "three or four things of more than one kind",
}


@with_vq2_flags
def main(
    *,
    split: given.Split = "development",
    only: Annotated[
        Part | None,
        typer.Option(
            help="`images`: evaluators alone; `prompts`: generation alone; `autoencoder`: what "
            "the autoencoder of the text-to-image model keeps, in a minute or two."
        ),
    ] = None,
    images: Annotated[
        Path | None,
        typer.Option(
            help="A folder with other images, such as those of icons: "
            "`python -m recipes test-images --world icons`."
        ),
    ] = None,
    bundle: given.BundleName = "embedded",
    vq2: Mapping[str, Any],
    model: given.ModelName = "stickers",
    steps: Annotated[
        int | None, typer.Option(min=1, help="Of denoising; the model's own by default.")
    ] = None,
    guidance: Annotated[
        float | None, typer.Option(min=0, help="Classifier-free, the model's own by default.")
    ] = None,
    limit: given.Limit = None,
    out: Annotated[
        Path | None, typer.Option(help="Where a sheet of 64 unselected images goes, as PNG.")
    ] = None,
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
    models = Models(find_bundle(bundle))
    examples = read_examples(images or SETS[split], limit=limit)
    prompts = read_prompts(limit=limit, split=split)
    asked: dict[str, Any] = {"split": split, "bundle": bundle, "model": model, "seed": seed}
    asked |= {"images": str(images)} if images else {}
    asked |= {"steps": steps} if steps else {}
    asked |= {"guidance": guidance} if guidance is not None else {}
    parts = [only] if only else get_args(Part)
    _announce(len(examples) * ("images" in parts) + len(prompts) * ("prompts" in parts))
    generator, console, numbers = np.random.default_rng(seed), Console(), list[Number]()
    if "images" in parts:
        settings = replace(default_settings(bundle), **vq2)
        found = measure(examples, models, generator, settings)
        console.print(*tables(found, len(examples)), str(settings.signature), sep="\n")
        numbers += found
        asked["settings"] = str(settings.signature)
    if "prompts" in parts:
        made = generate(prompts, LoadedGenerator.of(model, steps, guidance), load_detector())
        generated = [*watched(made, "images", len(prompts))]
        shown = [*generated_right(generated)]
        console.print(pivot(GENERATED, shown, ["prompts"], "name"))
        numbers += shown
        if out:
            labelled = [(each.image, each.prompt.prompt) for each in unselected(generated)]
            contact_sheet(labelled, ACROSS).save(out)
    if "autoencoder" in parts:
        drawn = [each.image for each in watched(examples, "autoencoder")]
        kept = peak_ratio(autoencoder_errors(drawn, LoadedGenerator.of(model).pipeline), generator)
        decibels = Number.of("decibels", {"n": kept.n}, kept)
        console.print(pivot("What the autoencoder keeps", [decibels], ["n"], "name"))
        numbers.append(decibels)
    publish("stickers", [], numbers, asked)


def _announce(items: int) -> None:
    minutes = items * SECONDS / 60
    Console(stderr=True).print(f"About {minutes:.0f} min on two cores; --limit makes it shorter.")


def unselected(generated: Sequence[GeneratedImage]) -> list[GeneratedImage]:
    """The first images of every kind, about as many of each, good or bad."""
    each = -(-SHOWN // len(KINDS))
    return first_of_each_kind(generated, each, attrgetter("prompt.kind"))[:SHOWN]


def generated_right(generated: Sequence[GeneratedImage]) -> Iterator[Number]:
    """The share of right images, by kind of prompt and of all that are held out."""
    held_out = [each for each in generated if each.prompt.kind != TYPED]
    kinds = {kind: [each for each in generated if each.prompt.kind == kind] for kind in KINDS}
    for kind, some in {**kinds, HELD_OUT: held_out}.items():
        if some:
            about = {"kind": kind, "prompts": KIND_NAMES.get(kind, kind)}
            right = measured_proportion(sum(each.correct for each in some), len(some))
            yield Number.of("generated right", about, right)


def tables(found: Sequence[Number], images: int) -> Iterator[Table]:
    """What was measured of questions, and of captions."""
    for title, names, rows, column in (
        (f"Questions about {images} held-out images", {YES_OR_NO, FREE}, "kind,asked", "name"),
        (
            "True captions against foils, by the claim that was changed",
            {"AUC"},
            "method",
            "changed",
        ),
        ("True captions above their foils", {"caption above foil"}, "method", "name"),
        ("The weakest pair of a foil is about the changed words", {POINTED}, "changed", "name"),
    ):
        some = [each for each in found if each.name in names]
        drawn = f"{title} (95 %, images drawn)"
        yield pivot(drawn, some, rows.split(","), column, beside_chance)

"""`python -m benchmarks stickers`: its options, and the tables and the JSON line it prints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from enum import Enum
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.questions.settings import default_settings
from alignment.statistics.intervals import Measured
from benchmarks.charts import contact_sheet
from benchmarks.data.numbers import blank_table
from benchmarks.options import (
    BundleName,
    Limit,
    ModelName,
    Seed,
    Split,
    SplitName,
    Vq2Flags,
    vq2_settings,
)
from benchmarks.progress import watched
from benchmarks.stickers.detector import load_detector
from benchmarks.stickers.evaluators import SETS, read_examples
from benchmarks.stickers.generated import (
    GeneratedImage,
    LoadedGenerator,
    accuracy,
    accuracy_by_kind,
    autoencoder_errors,
    generate,
    peak_ratio,
)
from benchmarks.stickers.prompts import KINDS, first_of_each_kind, read_prompts
from benchmarks.stickers.quality import EvaluatorResults, measure

SHOWN, ACROSS = 64, 8
"""Pictures on the contact sheet, and in a row of it."""
SECONDS = 2.5
"""What one picture of the test set, or one prompt, takes on two cores, about."""
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


class Part(str, Enum):
    """What is measured."""

    pictures = "pictures"
    prompts = "prompts"
    autoencoder = "autoencoder"


def main(
    split: SplitName = Split.development,
    only: Annotated[
        Part | None,
        typer.Option(
            help="`pictures`: evaluators alone; `prompts`: generation alone; `autoencoder`: what "
            "the autoencoder of the text-to-image model keeps, in a minute or two."
        ),
    ] = None,
    bundle: BundleName = "embedded",
    vq2: Vq2Flags = None,
    model: ModelName = "stickers",
    limit: Limit = None,
    out: Annotated[
        Path | None, typer.Option(help="Where a sheet of 64 unselected pictures goes, as PNG.")
    ] = None,
    seed: Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
    models = Models(find_bundle(bundle))
    examples = read_examples(SETS[split.value], limit=limit)
    prompts = read_prompts(limit=limit, split=split.value)
    asked: dict[str, Any] = {"split": split.value, "bundle": bundle, "model": model, "seed": seed}
    asked |= {"vq2": vq2} if vq2 else {}
    parts = [only] if only else [*Part]
    _announce(len(examples) * (Part.pictures in parts) + len(prompts) * (Part.prompts in parts))
    generator, console = np.random.default_rng(seed), Console()
    if Part.pictures in parts:
        settings = vq2_settings(vq2) if vq2 else default_settings(bundle)
        evaluators = measure(examples, models, generator, settings)
        console.print(*tables(evaluators), sentence(evaluators), sep="\n")
        asked |= asdict(evaluators)
    if Part.prompts in parts:
        painter, detector = LoadedGenerator.of(model), load_detector()
        generated = [*watched(generate(prompts, painter, detector), "pictures", len(prompts))]
        console.print(generation_table(generated))
        by_kind = accuracy_by_kind(generated)
        asked |= {"generated": {kind: asdict(each) for kind, each in by_kind.items()}}
        if out:
            labelled = [(each.image, each.prompt.prompt) for each in unselected(generated)]
            contact_sheet(labelled, ACROSS).save(out)
    if Part.autoencoder in parts:
        drawn = [each.image for each in watched(examples, "autoencoder")]
        kept = peak_ratio(autoencoder_errors(drawn, LoadedGenerator.of(model).pipeline), generator)
        console.print(
            f"The autoencoder keeps {kept.value:.1f} dB (95 %, pictures drawn: {kept.low:.1f} .. "
            f"{kept.high:.1f}, {kept.n} pictures)."
        )
        asked |= {"decibels": asdict(kept)}
    print(json.dumps(asked))


def _announce(items: int) -> None:
    minutes = items * SECONDS / 60
    Console(stderr=True).print(f"About {minutes:.0f} min on two cores; --limit makes it shorter.")


def unselected(generated: Sequence[GeneratedImage]) -> list[GeneratedImage]:
    """The first pictures of every kind, about as many of each, good or bad."""
    each = -(-SHOWN // len(KINDS))
    return first_of_each_kind(generated, each, attrgetter("prompt.kind"))[:SHOWN]


def generation_table(generated: Sequence[GeneratedImage]) -> Table:
    """How many pictures show what was asked for, by kind of prompt and of all that are held out."""
    title = "Pictures that show what their prompt asks for, as the detector reads them"
    table = blank_table(title, "prompt", "generated", "correct", "95 %")
    found = {KIND_NAMES[kind]: each for kind, each in accuracy_by_kind(generated).items()}
    held_out = [each for each in generated if each.prompt.kind != TYPED]
    for name, each in {**found, HELD_OUT: accuracy(held_out)}.items():
        table.add_row(name, str(each.n), f"{each.value:.3f}", each.interval)
    return table


def tables(measured: EvaluatorResults) -> tuple[Table, Table]:
    """What was measured of questions, and of captions."""
    questions = blank_table(
        f"Questions about {measured.pictures} held-out pictures (95 %, pictures drawn)",
        *("kind", "asked", "pictures", "yes/no, balanced", "95 %", "chance"),
        *("free answer right", "95 %", "chance"),
    )
    for kind, each in measured.answers.items():
        questions.add_row(
            *(kind, str(each.questions), str(each.exact.n)),
            *(*_cells(each.balanced_accuracy), "0.5"),
            *(*_cells(each.exact), f"{each.exact_by_chance:.3f}"),
        )
    kinds = sorted(measured.captions["vnli"].by_kind)
    captions = blank_table(
        "True captions against foils: ROC AUC (chance 0.5; 95 %, pictures drawn), by the claim "
        "that was changed",
        *("method", "n", "AUC", "95 %", "caption above foil", "95 %", *kinds),
    )
    captions.caption = measured.settings
    for method, found in measured.captions.items():
        known = (f"{found.by_kind[kind]:.2f}" if kind in found.by_kind else "" for kind in kinds)
        row = (str(found.auc.n), *_cells(found.auc), *_cells(found.paired), *known)
        captions.add_row(method, *row)
    return questions, captions


def _cells(found: Measured) -> tuple[str, str]:
    return f"{found.value:.3f}", found.interval


def sentence(measured: EvaluatorResults) -> str:
    """How often the weakest pair is where the mistake is."""
    found, share = measured.pointed, measured.pointed.share
    return (
        f"Of {share.n} foils, the weakest pair points at the changed words in {share.value:.1%} "
        f"(95 %: {share.low:.1%} .. {share.high:.1%}; a pair chosen at random: "
        f"{found.chance:.1%}); {found.unasked} more had no question."
    )

"""The options come in; tables of what the embedded models can, and a line of JSON, go out."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

import numpy as np
from PIL.Image import Image
from rich.console import Console
from rich.progress import track
from rich.table import Table

import benchmarks.stickers as room
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from benchmarks.data.sheets import contact_sheet
from benchmarks.stickers.detector import load_judge
from benchmarks.stickers.evaluators import measure, read_examples, sentence, tables
from benchmarks.stickers.generated import (
    KINDS,
    Painted,
    Painter,
    Wish,
    first_of_each_kind,
    paint,
    read_wishes,
    shares,
    sharpness,
)
from benchmarks.stickers.reranked import choices, precision
from generation import ModelSpec, find_model, load_pipeline

HARD = ("typed", "many")
"""Kinds to rank pictures of: of the others nearly every picture is right."""
RERANKED = 40
"""Prompts of each hard kind of which nine pictures are ranked."""
SHOWN, ACROSS = 64, 8
"""Pictures on the contact sheet, and in a row of it."""
KIND_NAMES = {
    "one": "one coloured thing",
    "two": "two coloured things, not swapped",
    "count": "two to four of a kind, exact",
    "relation": "one thing beside another, where it should be",
    "typed": "as people type, its known part",
    "many": "three or four things of more than one kind",
}

Item = TypeVar("Item")


@dataclass(frozen=True)
class Paintings:
    """What a painter can."""

    painted: tuple[Painted, ...]
    first: Mapping[str, float]
    """Precision at 1 of nine: at random, ranked by VQ2, and at best."""
    decibels: float
    """What its autoencoder keeps of drawn pictures."""


def main(arguments: Sequence[str]) -> None:
    """Print the tables, then one JSON line."""
    parser = ArgumentParser(prog="python -m benchmarks stickers", description=room.__doc__)
    parser.add_argument("--bundle", default="embedded", help="name of a bundle")
    parser.add_argument("--model", default="stickers", help="a name in generation.MODELS")
    parser.add_argument("--limit", type=int, help="only the first pictures, and prompts of a kind")
    parser.add_argument("--out", type=Path, help="where a sheet of 64 unselected pictures goes")
    parser.add_argument("--seed", type=int, default=7, help="of the intervals")
    options = parser.parse_args(arguments)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
    models, spec = Models(find_bundle(options.bundle)), find_model(options.model)
    examples = read_examples(limit=options.limit)
    measured = measure(examples, models, np.random.default_rng(options.seed))
    wishes = read_wishes(limit=options.limit)
    paintings = paint_all(wishes, spec, models, [each.image for each in examples])
    seen = (*tables(measured), sentence(measured))
    Console().print(*seen, painted_table(paintings), painted_sentence(paintings), sep="\n")
    result = {"bundle": options.bundle, "model": options.model, "seed": options.seed}
    print(json.dumps({**result, **asdict(measured), **figures(paintings)}))
    if options.out:
        labelled = [(each.image, each.wish.prompt) for each in unselected(paintings.painted)]
        contact_sheet(labelled, ACROSS).save(options.out)


def paint_all(
    wishes: Sequence[Wish], spec: ModelSpec, models: Models, drawn: Sequence[Image]
) -> Paintings:
    """Paint every wish once, and the first of the hard kinds nine times."""
    judge, pipeline = load_judge(), load_pipeline(spec)
    painter = Painter(pipeline, spec)
    painted = tuple(_watched(paint(wishes, painter, judge), "paintings", len(wishes)))
    some = first_of_each_kind(wishes, RERANKED, kinds=HARD)
    grids = tuple(_watched(choices(some, painter, models, judge), "grids", len(some)))
    return Paintings(painted, precision(grids), sharpness(drawn, pipeline))


def _watched(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    return track(items, what, total, console=Console(stderr=True))


def figures(paintings: Paintings) -> dict[str, object]:
    """What of the paintings goes into the JSON line."""
    first, decibels = paintings.first, paintings.decibels
    return {"painted": shares(paintings.painted), "first": first, "decibels": decibels}


def unselected(painted: Sequence[Painted]) -> list[Painted]:
    """The first pictures of every kind, about as many of each, good or bad."""
    each = -(-SHOWN // len(KINDS))
    return first_of_each_kind(painted, each, attrgetter("wish.kind"))[:SHOWN]


def painted_table(paintings: Paintings) -> Table:
    """How many pictures show what was asked for, by kind of prompt."""
    table = Table(title="Pictures that show what their prompt asks for, as the judge reads them")
    table.add_column("prompt")
    table.add_column("painted", justify="right")
    table.add_column("right", justify="right")
    for kind, share in shares(paintings.painted).items():
        asked = sum(each.wish.kind == kind for each in paintings.painted)
        table.add_row(KIND_NAMES[kind], str(asked), f"{share:.3f}")
    return table


def painted_sentence(paintings: Paintings) -> str:
    """What reranking gains, and how sharp a picture can be."""
    first = paintings.first
    gap = first["best"] - first["random"]
    gained = (
        f"{(first['ranked'] - first['random']) / gap:.0%} of the way" if gap else "no way to go"
    )
    return (
        f"First of nine pictures right: {first['random']:.3f} at random, {first['ranked']:.3f} "
        f"ranked by VQ2, {first['best']:.3f} at best ({gained}). "
        f"The autoencoder keeps {paintings.decibels:.1f} dB."
    )

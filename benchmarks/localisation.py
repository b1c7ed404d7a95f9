"""Is the weakest pair of VQ2 about the word that is wrong?

    python -m benchmarks localisation [--bundle embedded] [--limit 50]
    python -m benchmarks localisation --examples examples.jsonl --images FOLDER

Each picture is held against a foil, its caption with one claim changed: the pair that scores lowest
should be about the changed words. Beside it stands what a pair chosen at random would reach, in
exact expectation. An example is a line of JSON: image, caption, foil and, if known, changed (its
kind, and the ranges of the foil's characters that are wrong); where ranges are not given, they are
the words of the foil that the caption does not have.

Published, judged by people: 88 % on COCO-Con, 74 % on DrawBench, 80 % on Winoground (M. Yarom et
al., "What You See is What You Read?", 2023).
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
from PIL.Image import Image
from rich.console import Console
from rich.progress import track
from rich.table import Table

from alignment.evaluation import read_prompt
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.records import ImageScore
from alignment.scorers import SCORERS, ScoringInput
from benchmarks.data.numbers import Number, blank_table, publish, signature
from benchmarks.data.pictures import Album
from benchmarks.data.tables import objects
from benchmarks.statistics.agreement import bootstrap_interval
from benchmarks.stickers.evaluators import TEST_SET, overlaps

METHOD = "vq2"
ALL = "all"

Range = tuple[int, int]
"""Start and end among the characters of a foil."""


@dataclass(frozen=True)
class Foil:
    """A picture, and a caption of it that is wrong in a known place."""

    image: str
    text: str
    changed: tuple[Range, ...]
    kind: str
    """Of the claim that was changed, "" where nobody says."""


@dataclass(frozen=True)
class Pointed:
    """Where the weakest pair of a foil points."""

    kind: str
    right: bool
    """Whether it is about changed words."""
    chance: float
    """The part of all pairs that are."""


def main(arguments: Sequence[str]) -> None:
    """Print the table, then one JSON line."""
    parser = ArgumentParser(prog="python -m benchmarks localisation", description=__doc__)
    parser.add_argument("--examples", type=Path, default=TEST_SET / "scenes.jsonl")
    parser.add_argument("--images", type=Path, default=TEST_SET, help="a folder or .zip")
    parser.add_argument("--bundle", default="embedded", help="name of a bundle")
    parser.add_argument("--limit", type=int, help="only the first examples")
    parser.add_argument("--seed", type=int, default=7, help="of the intervals")
    options = parser.parse_args(arguments)
    foils = read_foils(options.examples)[: options.limit]
    models, album = Models(find_bundle(options.bundle)), Album(options.images)
    watched = track(foils, "foils", console=Console(stderr=True))
    found = [point(foil, models, album.open) for foil in watched]
    rows = measure(found, options.bundle, np.random.default_rng(options.seed))
    unasked = f"{found.count(None)} of {len(foils)} foils had no question."
    publish("localisation", [table_of(rows), unasked], [each for row in rows for each in row[1:]])


def read_foils(file: Path) -> list[Foil]:
    """The examples of a file, a line of JSON each."""
    return [_foil(line) for line in objects(file, "image", "caption", "foil")]


def _foil(line: dict[str, Any]) -> Foil:
    changed = line.get("changed", {})
    ranges = changed.get("ranges") or changed_ranges(line["caption"], line["foil"])
    places = tuple((start, end) for start, end in ranges)
    return Foil(line["image"], line["foil"], places, changed.get("kind", ""))


def changed_ranges(caption: str, foil: str) -> list[Range]:
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


def point(foil: Foil, models: Models, picture: Callable[[str], Image]) -> Pointed | None:
    """Where the weakest pair points; None when no question could be asked."""
    asked = ScoringInput(foil.text, read_prompt(foil.text, models))
    (score,) = SCORERS[METHOD](models).score(asked, Pictures([picture(foil.image)]))
    return pointed(foil, score)


def pointed(foil: Foil, score: ImageScore) -> Pointed | None:
    """Hold the weakest pair, and every pair, against the changed words."""
    if not score.weakest:
        return None
    spans = [entry.pair.answer for entry in (score.weakest, *score.evidence)]
    first, *every = [overlaps((span.start, span.end), foil.changed) for span in spans]
    return Pointed(foil.kind, first, float(np.mean(every)))


def measure(
    found: Sequence[Pointed | None], bundle: str, generator: np.random.Generator
) -> list[tuple[str, Number, Number]]:
    """A row for all foils and for each kind: the part that points right, and chance."""
    rows = []
    for kind, part in by_kind([each for each in found if each]):
        said = {"method": METHOD, "bundle": bundle, "changed": kind, "n": len(part)}
        right = np.array([each.right for each in part], dtype=float)
        chance = float(np.mean([each.chance for each in part]))
        interval = bootstrap_interval(right, generator)
        pointing = Number(signature("pointed", **said), float(right.mean()), *interval)
        rows.append((kind, pointing, Number(signature("pointed at random", **said), chance)))
    return rows


def by_kind(found: Sequence[Pointed]) -> Iterator[tuple[str, list[Pointed]]]:
    """All foils, then those of each kind."""
    if found:
        yield ALL, [*found]
    for kind in sorted({each.kind for each in found} - {""}):
        yield kind, [each for each in found if each.kind == kind]


def table_of(rows: Sequence[tuple[str, Number, Number]]) -> Table:
    """A row for all foils, then for each kind of change."""
    title = "The weakest pair is about the changed words"
    table = blank_table(title, "changed", "pointed", "95 %", "at random")
    for kind, pointing, chance in rows:
        table.add_row(kind, str(pointing), pointing.interval, str(chance))
    return table


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])

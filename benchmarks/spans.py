"""Are the answer spans of a prompt those that a reader would mark?

Precision, recall and F1 of the spans of published prompts, at most 100 characters long, drawn at
random (110 of PartiPrompts, Yu et al., 2022, and 40 of GenEval, Ghosh et al., 2023), with 95 %
intervals in which prompts are drawn. FOLDER holds `PartiPrompts.tsv` and `geneval.jsonl`.

`first` and `second` are two readers' marks of the same prompts, made without a parser's output by
`assets/benchmarks/spans/GUIDE.md`; how far they agree with one another is the last row. Actions,
parts of names and the medium ("a photo") were marked later in both, by one reader: agreement on
them was not measured.

It takes a few seconds.

For example:

    python -m benchmarks spans --reference FOLDER
    python -m benchmarks spans --reference FOLDER --bundle embedded+parser=en_core_web_lg
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.questions.spans import answer_spans
from alignment.statistics.intervals import measured_ratio
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.progress import watched
from session.errors import DataError

FOLDER = Path(__file__).parent.parent / "assets" / "benchmarks" / "spans"
MARKS = {name: FOLDER / f"{name}.jsonl" for name in ("first", "second")}
"""Who marked -> the file of marks."""
FILES = ("PartiPrompts.tsv", "geneval.jsonl")

Bounds = tuple[int, int]
"""First character, and the one after the last."""


@dataclass(frozen=True)
class MarkedPrompt:
    """A prompt and its right spans."""

    prompt: str
    spans: frozenset[Bounds]


class SpanCounts(NamedTuple):
    """How many spans of a prompt were found, were to be found, and both."""

    found: int
    gold: int
    both: int


def read_marked(folder: Path, marks: Path) -> Iterator[MarkedPrompt]:
    """The marked prompts.

    Args:
        folder: of the published files.
        marks: one of `MARKS`.

    Raises:
        DataError: a file is not there, or is another version of it.
    """
    prompts = {name: _prompts(folder / name) for name in FILES}
    for line in map(json.loads, marks.read_text(encoding="utf-8").splitlines()):
        rows = prompts[line["file"]]
        if line["row"] >= len(rows) or len(rows[line["row"]]) != line["length"]:
            raise DataError(f"{folder / line['file']} is not the version whose spans were marked")
        yield MarkedPrompt(
            rows[line["row"]], frozenset((start, end) for start, end in line["spans"])
        )


def _prompts(file: Path) -> list[str]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{file} cannot be read; --reference wants the folder of it") from error
    if file.suffix == ".jsonl":
        return [json.loads(line)["prompt"] for line in text.splitlines()]
    table = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [row["Prompt"] for row in table]


def main(
    reference: Annotated[
        Path, typer.Option("--reference", help="The folder of the two published files.")
    ],
    bundle: given.BundleName = "embedded",
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    parser = Models(find_bundle(bundle)).parser
    generator = np.random.default_rng(seed)
    numbers = []
    marked = {name: [*read_marked(reference, marks)] for name, marks in MARKS.items()}
    for name, prompts in marked.items():
        counts = [count(each, parser) for each in watched(prompts, name)]
        numbers += measure(counts, bundle, name, generator)
    pairs = zip(marked["first"], marked["second"], strict=True)
    numbers += measure([agreement(*pair) for pair in pairs], "readers", "first:second", generator)
    title = "Answer spans against marked ones (95 %, prompts drawn)"
    publish("spans", [pivot(title, numbers, ["data"], "name")], numbers)


def agreement(first: MarkedPrompt, second: MarkedPrompt) -> SpanCounts:
    """Hold the marks of one reader against those of another."""
    return SpanCounts(len(second.spans), len(first.spans), len(first.spans & second.spans))


def count(marked: MarkedPrompt, parser: Any) -> SpanCounts:
    """Hold the spans that a parser finds in a prompt against those marked."""
    spans = {(span.start, span.end) for span in answer_spans(parser(marked.prompt))}
    return SpanCounts(len(spans), len(marked.spans), len(spans & marked.spans))


def measure(
    counts: Sequence[SpanCounts], bundle: str, data: str, generator: np.random.Generator
) -> list[Number]:
    """Precision, recall and their harmonic mean over all spans of all prompts.

    >>> counts = [SpanCounts(found=10, gold=15, both=9)]
    >>> [number.value for number in measure(counts, "tiny", "first", np.random.default_rng(7))]
    [0.9, 0.6, 0.72]
    """
    found, gold, both = np.array(counts, dtype=float).T
    ratios = {"precision": (both, found), "recall": (both, gold), "f1": (2 * both, found + gold)}
    said = {"data": f"spans:{data}", "bundle": bundle, "n": int(gold.sum())}
    return [
        Number.of(name, said, measured_ratio(above, below, generator))
        for name, (above, below) in ratios.items()
    ]

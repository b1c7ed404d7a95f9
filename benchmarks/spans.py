"""Are the answer spans of a prompt those that a person would mark?

    python -m benchmarks spans --reference FOLDER [--bundle embedded]

FOLDER holds `PartiPrompts.tsv` (Yu et al., 2022) and `geneval.jsonl` (Ghosh et al., 2023). Of 150
of their prompts, drawn at random (110 and 40, at most 100 characters long), the spans were gone
through by hand: `assets/benchmarks/spans/gold.jsonl` has the row and the characters of every right
one, not the prompts. They began as what the embedded parser found and were then corrected, so that
a span about which people may differ counts for it.
"""

from __future__ import annotations

import csv
import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.questions.spans import answer_spans
from benchmarks.data.errors import DataError
from benchmarks.data.numbers import Number, blank_table, publish, signature

GOLD = Path(__file__).parent.parent / "assets" / "benchmarks" / "spans" / "gold.jsonl"
FILES = ("PartiPrompts.tsv", "geneval.jsonl")

Bounds = tuple[int, int]
"""First character, and the one after the last."""


@dataclass(frozen=True)
class Marked:
    """A prompt and its right spans."""

    prompt: str
    spans: frozenset[Bounds]


@dataclass(frozen=True)
class Agreement:
    """How many spans were found, were to be found, and both."""

    found: int
    gold: int
    both: int

    @property
    def precision(self) -> float:
        """Part of the found spans that are right."""
        return self.both / self.found

    @property
    def recall(self) -> float:
        """Part of the right spans that are found."""
        return self.both / self.gold

    @property
    def f1(self) -> float:
        """Harmonic mean of both.

        >>> Agreement(found=10, gold=15, both=9).f1
        0.72
        """
        return 2 * self.both / (self.found + self.gold)


def read_marked(folder: Path, gold: Path = GOLD) -> Iterator[Marked]:
    """The marked prompts.

    Raises:
        DataError: a file is not there, or is another version of it.
    """
    prompts = {name: _prompts(folder / name) for name in FILES}
    for line in map(json.loads, gold.read_text(encoding="utf-8").splitlines()):
        rows = prompts[line["file"]]
        if line["row"] >= len(rows) or len(rows[line["row"]]) != line["length"]:
            raise DataError(f"{folder / line['file']} is not the version whose spans were marked")
        yield Marked(rows[line["row"]], frozenset((start, end) for start, end in line["spans"]))


def _prompts(file: Path) -> list[str]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{file} cannot be read; --reference wants the folder of it") from error
    if file.suffix == ".jsonl":
        return [json.loads(line)["prompt"] for line in text.splitlines()]
    table = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [row["Prompt"] for row in table]


def main(arguments: Sequence[str]) -> None:
    """Print the table, then one JSON line."""
    parser = ArgumentParser(prog="python -m benchmarks spans", description=__doc__)
    parser.add_argument("--reference", type=Path, required=True, help="folder of the two files")
    parser.add_argument("--bundle", default="embedded", help="name of a bundle")
    options = parser.parse_args(arguments)
    nlp = Models(find_bundle(options.bundle)).parser
    found = gold = both = 0
    for marked in read_marked(options.reference):
        spans = {(span.start, span.end) for span in answer_spans(marked.prompt, nlp)}
        found, gold = found + len(spans), gold + len(marked.spans)
        both += len(spans & marked.spans)
    agreement = Agreement(found, gold, both)
    table = blank_table("Answer spans against those marked by hand", "measure", "value")
    numbers = []
    for name in ("precision", "recall", "f1"):
        value = getattr(agreement, name)
        table.add_row(name, f"{value:.3f}")
        numbers.append(Number(signature(name, data="spans", bundle=options.bundle, n=gold), value))
    publish("spans", [table], numbers)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])

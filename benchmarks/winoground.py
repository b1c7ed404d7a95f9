"""Are two pictures told apart by two captions of the same words?

    python -m benchmarks winoground --examples examples.jsonl --images FOLDER [--scores FOLDER]
    python -m benchmarks winoground --hub facebook/winoground

Text score: each picture scores higher with its own caption than with the other; image score: each
caption scores higher with its own picture; group score: both. Comparisons are strict, and an
example that a method could not judge is wrong. Also the ROC AUC of all pairs, as in SeeTRUE. Given
for all examples and for each tag, with 95 % intervals in which examples are drawn.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.table import Table

from benchmarks.data.judged import add_judges, judge_pairs
from benchmarks.data.numbers import Number, blank_table, publish, signature
from benchmarks.data.pictures import fetch
from benchmarks.data.scores import Values
from benchmarks.data.tables import objects
from benchmarks.statistics.agreement import bootstrap_interval
from benchmarks.statistics.caption_pairs import chance_pair_scores, pair_scores
from benchmarks.statistics.classification import roc_auc, roc_auc_interval

EXAMPLES, ARCHIVE = "data/examples.jsonl", "data/images.zip"
ALL = "all"
SCORES = ("text", "image", "group", "AUC")


@dataclass(frozen=True)
class Example:
    """Two captions of the same words, each with its picture."""

    captions: tuple[str, str]
    images: tuple[str, str]
    """Names of files; that of caption i is at i."""
    tag: str

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Picture and caption: both pictures of the first caption, then of the second."""
        return [(image, caption) for caption in self.captions for image in self.images]


def main(arguments: Sequence[str]) -> None:
    """Print the table, then one JSON line."""
    options = options_of(arguments)
    file, images = options.examples, options.images
    if options.hub:
        file, images = fetch(options.hub, EXAMPLES, ARCHIVE)
    examples = read_examples(file)[: options.limit]
    values = judge_pairs([pair for each in examples for pair in each.pairs], options, images)
    generator = np.random.default_rng(options.seed)
    found = {
        (method, tag): measure(table[of_tag], tag, method, options.bundle, generator)
        for method in options.methods
        for table in [scores_of(values, method)]
        for tag, of_tag in tags(examples)
    }
    publish("winoground", [table_of(found)], [each for row in found.values() for each in row])


def options_of(arguments: Sequence[str]) -> Namespace:
    """Where the examples are, and who judges them."""
    parser = ArgumentParser(prog="python -m benchmarks winoground", description=__doc__)
    parser.add_argument("--examples", type=Path, help="the published examples.jsonl")
    parser.add_argument("--images", type=Path, help="a folder or .zip of its pictures")
    parser.add_argument("--hub", help="a data set of the hub instead, e.g. facebook/winoground")
    parser.add_argument("--limit", type=int, help="only the first examples")
    add_judges(parser)
    options = parser.parse_args(arguments)
    if not options.hub and not (options.examples and options.images):
        parser.error("give --examples and --images, or --hub")
    return options


def read_examples(file: Path) -> list[Example]:
    """The examples of the published file, which names pictures without their ending."""
    return [
        Example(
            (line["caption_0"], line["caption_1"]),
            (f"{line['image_0']}.png", f"{line['image_1']}.png"),
            line["collapsed_tag"],
        )
        for line in objects(file, "caption_0", "caption_1", "image_0", "image_1", "collapsed_tag")
    ]


def scores_of(values: Sequence[Values], method: str) -> npt.NDArray[np.float64]:
    """Shape (examples, 2 captions, 2 pictures); not a number where the method could not judge."""
    return np.array([each[method] for each in values], dtype=float).reshape(-1, 2, 2)


def tags(examples: Sequence[Example]) -> Iterator[tuple[str, npt.NDArray[np.intp]]]:
    """`ALL` with every example, then each tag with its own."""
    yield ALL, np.arange(len(examples))
    for tag in sorted({each.tag for each in examples}):
        yield tag, np.flatnonzero([each.tag == tag for each in examples])


def measure(
    scores: npt.NDArray[np.float64],
    tag: str,
    method: str,
    bundle: str,
    generator: np.random.Generator,
) -> list[Number]:
    """The numbers of `SCORES` over some examples; what is not a number is never greater."""
    unjudged = int(np.isnan(scores).any(axis=(1, 2)).sum())
    said = {"tag": tag, "method": method, "bundle": bundle, "n": len(scores), "unjudged": unjudged}
    right = [asdict(pair_scores(each[None])) for each in scores]
    parts = {name: np.array([each[name] for each in right]) for name in SCORES[:-1]}
    return [
        *(
            Number(
                signature(name, **said), float(part.mean()), *bootstrap_interval(part, generator)
            )
            for name, part in parts.items()
        ),
        _auc(scores, signature("AUC", **said), generator),
    ]


def _auc(scores: npt.NDArray[np.float64], made_of: str, generator: np.random.Generator) -> Number:
    """Over the examples that could be judged."""
    known = scores[~np.isnan(scores).any(axis=(1, 2))]
    if not len(known):
        return Number(made_of, float("nan"))
    labels = np.broadcast_to(np.eye(2, dtype=bool), known.shape).ravel()
    groups = np.repeat(np.arange(len(known)), 4)
    interval = roc_auc_interval(labels, known.ravel(), groups, generator)
    return Number(made_of, roc_auc(labels, known.ravel()), *interval)


def table_of(found: Mapping[tuple[str, str], Sequence[Number]]) -> Table:
    """A row for each method and tag, and one of scores that know nothing."""
    table = blank_table("Winoground (95 %)", "method", "examples", *SCORES)
    for (method, tag), row in found.items():
        table.add_row(method, tag, *(f"{each}\n{each.interval}".rstrip() for each in row))
    chance = (f"{value:.3f}" for value in asdict(chance_pair_scores()).values())
    table.add_row("chance", ALL, *chance, "0.500")
    return table


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])

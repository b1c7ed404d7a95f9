"""Are two images told apart by two captions of the same words?

Text score: each image scores higher with its own caption than with the other; image score: each
caption scores higher with its own image; group score: both. Comparisons are strict, and an example
that a method could not score is wrong; chance is 25, 25 and 16.67 %. Also the ROC AUC of all pairs,
as in SeeTRUE. Given for all examples and for each tag, with 95 % intervals in which examples are
drawn.

400 examples are 1,600 pairs, about a second each with the embedded models; `--limit 10` gives a
first look.

Source: T. Thrush et al., "Winoground", 2022.

For example:

    python -m benchmarks winoground --examples examples.jsonl --images FOLDER --scores kept
    python -m benchmarks winoground --hub facebook/winoground
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from rich.table import Table

from alignment.statistics.intervals import mean_interval
from benchmarks import options as given
from benchmarks.data.images import fetch
from benchmarks.data.numbers import Number, blank_table, publish, signature
from benchmarks.data.scored_pairs import score_pairs
from benchmarks.data.scores import Values
from benchmarks.statistics.caption_pairs import chance_pair_scores, pair_scores
from benchmarks.statistics.classification import roc_auc, roc_auc_interval
from session.errors import DataError
from session.tables import objects

EXAMPLES, ARCHIVE = "data/examples.jsonl", "data/images.zip"
ALL = "all"
CHANCE = {**asdict(chance_pair_scores()), "AUC": 0.5}
"""Score -> what scores that know nothing reach."""


@dataclass(frozen=True)
class CaptionPair:
    """Two captions of the same words, each with its image."""

    captions: tuple[str, str]
    images: tuple[str, str]
    """Names of files; that of caption i is at i."""
    tag: str

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Image and caption: both images of the first caption, then of the second."""
        return [(image, caption) for caption in self.captions for image in self.images]


def main(
    examples: Annotated[
        Path | None, typer.Option("--examples", help="The published examples.jsonl.")
    ] = None,
    images: given.ImageHomes = None,
    hub: Annotated[
        str | None, typer.Option("--hub", help="Or a data set of the hub: facebook/winoground.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="For a first look: so many examples.")
    ] = None,
    bundle: given.BundleName = "embedded",
    role: given.RoleModels = None,
    methods: given.MethodNames = given.METHODS,
    vq2: given.Vq2Flags = None,
    scores: given.ScoresFolder = None,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    evaluators = given.evaluators(bundle, role, methods, vq2, scores)
    file, homes = _files(examples, images or [], hub)
    pairs = read_examples(file)[:limit]
    values = score_pairs([pair for each in pairs for pair in each.pairs], evaluators, homes)
    generator = np.random.default_rng(seed)
    found = {
        (method, tag): measure(table[of_tag], tag, method, evaluators.name, generator)
        for method in evaluators.methods
        for table in [scores_of(values, method)]
        for tag, of_tag in tags(pairs)
    }
    publish("winoground", [table_of(found)], [each for row in found.values() for each in row])


def _files(
    examples: Path | None, images: Sequence[Path], hub: str | None
) -> tuple[Path, Sequence[Path]]:
    if hub:
        file, archive = fetch(hub, EXAMPLES, ARCHIVE)
        return file, [archive]
    if not (examples and images):
        raise DataError("give --examples and --images, or --hub")
    return examples, images


def read_examples(file: Path) -> list[CaptionPair]:
    """The examples of the published file, which names images without their ending."""
    return [
        CaptionPair(
            (line["caption_0"], line["caption_1"]),
            (f"{line['image_0']}.png", f"{line['image_1']}.png"),
            line["collapsed_tag"],
        )
        for line in objects(file, "caption_0", "caption_1", "image_0", "image_1", "collapsed_tag")
    ]


def scores_of(values: Sequence[Values], method: str) -> npt.NDArray[np.float64]:
    """Shape (examples, 2 captions, 2 images); not a number where the method could not score."""
    return np.array([each[method] for each in values], dtype=float).reshape(-1, 2, 2)


def tags(examples: Sequence[CaptionPair]) -> Iterator[tuple[str, npt.NDArray[np.intp]]]:
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
    """Text, image and group score and AUC of some examples; not-a-number is never greater."""
    unjudged = int(np.isnan(scores).any(axis=(1, 2)).sum())
    said = {"tag": tag, "method": method, "bundle": bundle, "n": len(scores), "unjudged": unjudged}
    right = [asdict(pair_scores(each[None])) for each in scores]
    numbers = []
    for name in right[0]:
        part = np.array([each[name] for each in right])
        interval = mean_interval(part, generator)
        about = signature(name, **said)
        numbers.append(Number(about, float(part.mean()), *interval, chance=CHANCE[name]))
    return [*numbers, _auc(scores, signature("AUC", **said), generator)]


def _auc(scores: npt.NDArray[np.float64], about: str, generator: np.random.Generator) -> Number:
    """Over the examples that could be judged."""
    known = scores[~np.isnan(scores).any(axis=(1, 2))]
    if not len(known):
        return Number(about, float("nan"), chance=CHANCE["AUC"])
    labels = np.broadcast_to(np.eye(2, dtype=bool), known.shape).ravel()
    examples = np.repeat(np.arange(len(known)), 4)
    interval = roc_auc_interval(labels, known.ravel(), examples, generator)
    return Number(about, roc_auc(labels, known.ravel()), *interval, chance=CHANCE["AUC"])


def table_of(found: Mapping[tuple[str, str], Sequence[Number]]) -> Table:
    """A row for each method and tag, and one of scores that know nothing."""
    table = blank_table("Winoground (95 %, examples drawn)", "method", "examples", *CHANCE)
    for (method, tag), row in found.items():
        table.add_row(method, tag, *(each.cell for each in row))
    table.add_row("chance", ALL, *(f"{value:.3f}" for value in CHANCE.values()))
    return table

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

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.images import fetch
from benchmarks.data.numbers import Number, auc, pivot, publish
from benchmarks.data.scored_pairs import score_pairs
from benchmarks.data.scores import Values
from benchmarks.statistics.classification import chance_pair_scores, pair_scores
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


@given.with_evaluators
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
    *,
    chosen: given.Evaluators,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    file, homes = _files(examples, images or [], hub)
    pairs = read_examples(file)[:limit]
    values = score_pairs([pair for each in pairs for pair in each.pairs], chosen, homes)
    generator = np.random.default_rng(seed)
    found = [
        number
        for method in chosen.methods
        for table in [scores_of(values, method)]
        for tag, of_tag in tags(pairs)
        for number in measure(table[of_tag], tag, method, chosen.name, generator)
    ]
    about = {"method": "chance", "tag": ALL}
    rows = [*found, *(Number(name, about, value) for name, value in CHANCE.items())]
    title = "Winoground (95 %, examples drawn)"
    publish("winoground", [pivot(title, rows, ["method", "tag"], "name")], found)


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
    """Text, image and group score of some examples, and the AUC of those that could be judged.

    A score that is not a number is never greater than another.
    """
    unjudged = int(np.isnan(scores).any(axis=(1, 2)).sum())
    said = {"tag": tag, "method": method, "bundle": bundle, "n": len(scores), "unjudged": unjudged}
    right = [asdict(pair_scores(each[None])) for each in scores]
    numbers = []
    for name in right[0]:
        found = measured_mean([each[name] for each in right], generator)
        numbers.append(Number.of(name, said, found, chance=CHANCE[name]))
    known = scores[~np.isnan(scores).any(axis=(1, 2))]
    labels = np.broadcast_to(np.eye(2, dtype=bool), known.shape).ravel()
    examples = np.repeat(np.arange(len(known)), 4)
    return [*numbers, auc(labels, known.ravel(), examples, generator, said)]

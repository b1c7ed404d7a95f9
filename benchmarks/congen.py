"""Can a language model write captions that contradict given ones? ConGen as a command.

Writes a data set of captions and contradictions, as COCO-Con and PickaPic-Con were made: a language
model that is shown seven contradicting and eight agreeing examples changes each caption several
times, a language inference model says how probable it is that each change contradicts, and the
most contradicting one is kept if that probability reaches `--threshold`; one that rather agrees is
rejected. `embedded` uses its model that was trained to contradict and has no inference model:
nothing is compared unless `--set inference=deberta-nli` gives it one. Changes are refused that hold
a word which no caption has and the parser does not know ("a cut kangarooard"), that only leave
words out, and that repeat themselves. The embedded model knows the world of stickers alone: of
other captions, expect few and poor changes.

`--captions` is a text file with a caption on each line, or a .jsonl file of image and caption,
whose images then stand in the data set: `--table OUT` of `seetrue` and `--examples OUT` of
`localisation` read it.

Source: M. Yarom et al., "What You See is What You Read?", 2023, section 2.3.

The embedded model takes about half a second for each caption. `--limit 20` gives a first look.

For example:

    python -m benchmarks congen --captions captions.txt --out contradictions.jsonl
    python -m benchmarks congen --captions coco.jsonl --out coco-con.jsonl --bundle paper
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from alignment.contrast_check import contradicting
from alignment.models.loading import Models
from alignment.questions.contradictions import Contradiction
from benchmarks import options as given
from benchmarks.data.numbers import blank_table, publish
from benchmarks.progress import watched
from session.errors import DataError
from session.tables import objects

KEPT, GARBLED, UNCERTAIN, NOTHING = (
    "kept",
    "garbled",
    "below the threshold",
    "none that contradicts",
)
REPEATED = 3
"""Words that stand twice in a garbled text."""


@dataclass(frozen=True)
class GivenCaption:
    """A caption and, where known, the image that it is of."""

    text: str
    image: str = ""


@dataclass(frozen=True)
class ContradictedCaption:
    """What became of one caption."""

    caption: str
    image: str
    outcome: str
    foil: str = ""
    probability: float | None = None
    """The chance that the foil contradicts the caption; None where no model said."""


def main(
    captions: Annotated[Path, typer.Option(help="Captions: a line each, or .jsonl.")],
    out: Annotated[Path, typer.Option(help="The .jsonl file to write: image, caption, foil.")],
    threshold: Annotated[
        float,
        typer.Option(min=0.0, max=1.0, help="The least probability that a change contradicts."),
    ] = 0.5,
    candidates: Annotated[int, typer.Option(min=1, help="Changes written of each caption.")] = 8,
    limit: given.Limit = None,
    bundle: given.BundleName = "embedded",
    role: given.RoleModels = None,
    seed: Annotated[int, typer.Option(min=0, help="Of what is written.")] = 0,
) -> None:
    """Write the data set; print the table, then one JSON line."""
    every = read_captions(captions)
    known = {word for caption in every for word in words(caption.text)}
    models = Models(given.bundle_with(bundle, role or ()))
    found = [
        choose(
            caption, contradicting(caption.text, models, candidates, seed), known, models, threshold
        )
        for caption in watched(every[:limit], "captions")
    ]
    kept = [each for each in found if each.outcome == KEPT]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("".join(_line(each) for each in kept), encoding="utf-8")
    counts = Counter(each.outcome for each in found)
    settings = {"bundle": bundle, "threshold": threshold, "candidates": candidates, "seed": seed}
    publish("congen", [table_of(counts), *_some(kept)], [], {**settings, "outcomes": counts})


def read_captions(file: Path) -> list[GivenCaption]:
    """The captions of a file.

    Raises:
        DataError: there is no such file, or it has no caption.
    """
    if file.suffix == ".jsonl":
        lines = objects(file, "image", "caption")
        captions = [GivenCaption(line["caption"], line["image"]) for line in lines]
    elif file.is_file():
        texts = file.read_text(encoding="utf-8").splitlines()
        captions = [GivenCaption(text.strip()) for text in texts if text.strip()]
    else:
        raise DataError(f"there is no file {file}")
    if not captions:
        raise DataError(f"{file.name} has no caption")
    return captions


def choose(
    caption: GivenCaption,
    written: Sequence[Contradiction],
    known: Iterable[str],
    models: Models,
    threshold: float,
) -> ContradictedCaption:
    """The likeliest change that is not garbled, if it contradicts with enough certainty."""
    sound = [
        each
        for each in sorted(written, key=lambda change: -(change.probability or 0.0))
        if not _only_leaves_out(caption.text, each.text)
        and not repeats_itself(each.text)
        and not unknown_words(each.text, known, models.parser)
    ]
    outcome = KEPT
    if not sound:
        outcome = GARBLED if written else NOTHING
        return ContradictedCaption(caption.text, caption.image, outcome)
    first = sound[0]
    if first.probability is not None and first.probability < threshold:
        outcome = UNCERTAIN
    return ContradictedCaption(caption.text, caption.image, outcome, first.text, first.probability)


def words(text: str) -> list[str]:
    """The words of a text in small letters.

    >>> words("A boy's red-haired dog.")
    ['a', 'boy', 's', 'red', 'haired', 'dog']
    """
    return re.findall(r"[^\W\d_]+", text.casefold())


def unknown_words(text: str, known: Iterable[str], parser: Any) -> list[str]:
    """The words of a text that are neither known nor have a vector in the parser's vocabulary."""
    return [word for word in words(text) if word not in known and not parser.vocab[word].has_vector]


def _only_leaves_out(caption: str, change: str) -> bool:
    """Whether a change has no word that the caption does not have in that order.

    >>> _only_leaves_out("a bird gives an apple to a squirrel", "a bird to a squirrel")
    True
    >>> _only_leaves_out("a red cat", "a blue cat")
    False
    """
    said = iter(words(caption))
    return all(word in said for word in words(change))


def repeats_itself(text: str) -> bool:
    """Whether three words follow one another twice.

    >>> repeats_itself("covered on the ground, covered on the ground")
    True
    """
    said = words(text)
    runs = [tuple(said[at : at + REPEATED]) for at in range(len(said) - REPEATED + 1)]
    return len(set(runs)) < len(runs)


def _line(found: ContradictedCaption) -> str:
    plain = {name: value for name, value in asdict(found).items() if name != "outcome"}
    return json.dumps(plain, ensure_ascii=False) + "\n"


def table_of(counts: Counter[str]) -> Table:
    """How many captions came to what."""
    table = blank_table("Captions", "outcome", "captions")
    for outcome in (KEPT, UNCERTAIN, GARBLED, NOTHING):
        table.add_row(outcome, str(counts[outcome]))
    return table


def _some(kept: Sequence[ContradictedCaption], shown: int = 5) -> list[str]:
    return [f"{each.caption}  ->  {each.foil}" for each in kept[:shown]]

"""Command-line options come in; SeeTRUE's pairs with the scores of each method go out."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.scorers import SCORERS
from benchmarks.data.errors import DataError
from benchmarks.data.pictures import Album, fetch
from benchmarks.data.scores import Pair, Values, judge, kept_in
from benchmarks.data.seetrue import Labelled, read_labelled

METHODS = ("vq2", "vnli", "mean", "clip")
TABLE, ARCHIVE = "SeeTRUE.csv", "images.zip"


@dataclass(frozen=True)
class Judged:
    """A labelled pair and what the methods say of it."""

    pair: Labelled
    scores: Values


@dataclass(frozen=True)
class Column:
    """Some pairs by one method, as arrays of shape (pairs,)."""

    labels: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.float64]
    texts: npt.NDArray[np.str_]


def options_of(name: str, doc: str | None, arguments: Sequence[str]) -> Namespace:
    """The options of a benchmark that needs nothing but pairs."""
    parser = ArgumentParser(prog=f"python -m benchmarks {name}", description=doc)
    add_options(parser)
    options = parser.parse_args(arguments)
    if not is_given(options):
        parser.error("give --table and --images, or --hub")
    return options


def add_options(parser: ArgumentParser) -> None:
    """Where the pairs are, and who judges them."""
    parser.add_argument("--table", type=Path, help="the public CSV, or one with its columns")
    parser.add_argument("--images", type=Path, help="a folder or .zip of its pictures")
    parser.add_argument("--hub", help="a data set of the hub instead, e.g. yonatanbitton/SeeTRUE")
    parser.add_argument("--limit", type=int, help="only the first prompts of each data set")
    add_judges(parser)


def add_judges(parser: ArgumentParser) -> None:
    """Who judges, and where scores are kept."""
    parser.add_argument("--bundle", default="embedded", help="name of a bundle")
    parser.add_argument("--methods", type=read_methods, default=[*METHODS], metavar="A,B")
    parser.add_argument("--scores", type=Path, help="a folder: scores are kept, and taken up again")
    parser.add_argument("--seed", type=int, default=7, help="of the intervals")


def read_methods(text: str) -> list[str]:
    """The methods of a list like "vq2,mean".

    >>> read_methods("vq2,mean")
    ['vq2', 'mean']
    """
    known = dict.fromkeys((*SCORERS, "mean"))
    for name in text.split(","):
        if name not in known:
            raise ArgumentTypeError(f"no method {name!r}; known: {', '.join(known)}")
    return text.split(",")


def is_given(options: Namespace) -> bool:
    """Whether the options say where the pairs are."""
    return bool(options.hub or (options.table and options.images))


def read(options: Namespace, wanted: Callable[[Labelled], object] = bool) -> list[Judged]:
    """The scores of the pairs that are wanted, data set by data set and text by text.

    Raises:
        DataError: nothing in the table is wanted, or a file is missing.
    """
    table, images = options.table, options.images
    if options.hub:
        table, images = fetch(options.hub, TABLE, ARCHIVE)
    pairs = first_prompts([*filter(wanted, read_labelled(table))], options.limit)
    if not pairs:
        raise DataError(f"{table.name} has no pairs that this benchmark is about")
    scores = judge_pairs([(pair.image, pair.text) for pair in pairs], options, images)
    return [Judged(*each) for each in zip(pairs, scores, strict=True)]


def judge_pairs(pairs: Sequence[Pair], options: Namespace, images: Path) -> list[Values]:
    """The scores of pairs by the judges of the options, with a bar meanwhile."""
    models, album = Models(find_bundle(options.bundle)), Album(images)
    with kept_in(options.scores) as kept:
        scores = judge(pairs, options.methods, models, album.open, kept)
        return [*track(scores, "judging", total=len(pairs), console=Console(stderr=True))]


def first_prompts(pairs: Collection[Labelled], limit: int | None = None) -> list[Labelled]:
    """The pairs of the first texts of each data set, those of one text next to each other."""
    places: dict[str, dict[str, int]] = {}
    for pair in pairs:
        texts = places.setdefault(pair.data_set, {})
        texts.setdefault(pair.text, len(texts))
    ordered = sorted(pairs, key=lambda pair: (pair.data_set, places[pair.data_set][pair.text]))
    within = len(ordered) if limit is None else limit
    return [pair for pair in ordered if places[pair.data_set][pair.text] < within]


def column(judged: Iterable[Judged], method: str) -> Column:
    """The pairs that the method could judge."""
    known = [
        (each.pair.holds, value, each.pair.text)
        for each in judged
        if (value := each.scores[method]) is not None
    ]
    labels, scores, texts = zip(*known, strict=True) if known else ((), (), ())
    return Column(np.array(labels, bool), np.array(scores, float), np.array(texts, str))


def by(judged: Iterable[Judged], name: Callable[[Labelled], str]) -> dict[str, list[Judged]]:
    """The pairs by something of theirs, in the order of first appearance; "" is left out.

    >>> by([Judged(Labelled("1.png", "owl", True, "coco_t2i"), {})], lambda p: p.text).keys()
    dict_keys(['owl'])
    """
    parts: dict[str, list[Judged]] = {}
    for each in judged:
        if part := name(each.pair):
            parts.setdefault(part, []).append(each)
    return parts

"""Labelled pairs of image and text with the scores of each method."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from alignment.models.loading import Models
from benchmarks.data.images import ImageStore, fetch
from benchmarks.data.scores import PairScorer, Values, scores_in
from benchmarks.data.seetrue import Labelled, read_labelled
from benchmarks.options import Evaluators, PairSource
from benchmarks.progress import watched
from session.errors import DataError

FILES = {"facebook/winoground": ("data/examples.jsonl", "data/images.zip")}
"""Data set of the hub -> its pairs and its images."""
AS_SEETRUE = ("SeeTRUE.csv", "images.zip")
OTHER_SPLITS = ("train", "dev")
"""End the names of files that nothing is measured on."""


@dataclass(frozen=True)
class LabelledScores:
    """A labelled pair and its scores."""

    pair: Labelled
    scores: Values


@dataclass(frozen=True)
class Column:
    """Some pairs by one method, as arrays of shape (pairs,)."""

    labels: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.float64]
    units: npt.NDArray[np.str_]
    """What intervals draw."""


def read_scored(
    source: PairSource,
    evaluators: Evaluators,
    wanted: Callable[[Labelled], object] = bool,
) -> list[LabelledScores]:
    """The scores of the pairs that are wanted, data set by data set and text by text.

    Raises:
        DataError: no pairs are given, none is wanted, or a file is missing.
    """
    tables, images = _files(source)
    labelled = [pair for table in tables for pair in read_labelled(table)]
    pairs = first_units([*filter(wanted, labelled)], source.limit)
    if not pairs:
        names = ", ".join(table.name for table in tables)
        raise DataError(f"{names} has no pairs that this benchmark is about")
    named = [(pair.image, pair.text) for pair in pairs]
    with scores_in(evaluators.scores) as cache:
        image, models = ImageStore(*images).open, Models(evaluators.bundle)
        scorer = PairScorer(models, image, cache, evaluators.settings)
        scores = watched(scorer.score(named, evaluators.methods), "pairs scored", len(pairs))
        return [LabelledScores(*each) for each in zip(pairs, scores, strict=True)]


def _files(source: PairSource) -> tuple[Sequence[Path], Sequence[Path]]:
    """All tables, and the folders and archives of their images."""
    tables, images = list[Path](), [*(source.images or ())]
    for name in source.hub or ():
        table, archive = fetch(name, *FILES.get(name, AS_SEETRUE))
        tables.append(table)
        images.append(archive)
    for each in source.table or ():
        tables += tables_in(each) if each.is_dir() else [each]
        images += [each, *sorted(each.rglob("*.zip"))] if each.is_dir() else []
    if tables and images:
        return tables, images
    raise DataError("give --table and --images, a folder of both as --table, or --hub")


def tables_in(folder: Path) -> list[Path]:
    """The tables of a data set as it is published; of several splits the test set.

    Raises:
        DataError: there is none.
    """
    tables = sorted(each for each in folder.rglob("*") if each.suffix in {".csv", ".jsonl"})
    found = [each for each in tables if not each.stem.endswith(OTHER_SPLITS)]
    if not found:
        raise DataError(f"{folder} has no table; give a folder with a .csv or .jsonl file")
    return found


def first_units(pairs: Collection[Labelled], limit: int | None = None) -> list[Labelled]:
    """The pairs of the first texts or examples of each data set, each next to its like."""
    places: dict[str, dict[str, int]] = {}
    for pair in pairs:
        units = places.setdefault(pair.data_set, {})
        units.setdefault(pair.unit, len(units))
    ordered = sorted(pairs, key=lambda pair: (pair.data_set, places[pair.data_set][pair.unit]))
    within = len(ordered) if limit is None else limit
    return [pair for pair in ordered if places[pair.data_set][pair.unit] < within]


def column(scored: Iterable[LabelledScores], method: str) -> Column:
    """The pairs that the method could score."""
    known = [
        (each.pair.holds, value, each.pair.unit)
        for each in scored
        if (value := each.scores[method]) is not None
    ]
    labels, scores, units = zip(*known, strict=True) if known else ((), (), ())
    return Column(np.array(labels, bool), np.array(scores, float), np.array(units, str))


def scored_by_all(scored: Iterable[LabelledScores]) -> list[LabelledScores]:
    """The pairs that every method could score, so that methods are compared on the same ones."""
    return [each for each in scored if None not in each.scores.values()]


def by(
    scored: Iterable[LabelledScores], name: Callable[[Labelled], str]
) -> dict[str, list[LabelledScores]]:
    """The pairs by something of theirs, in the order of first appearance; "" is left out.

    >>> owl = LabelledScores(Labelled("1.png", "owl", True, "coco_t2i"), {})
    >>> by([owl], lambda pair: pair.text).keys()
    dict_keys(['owl'])
    """
    parts: dict[str, list[LabelledScores]] = {}
    for each in scored:
        if part := name(each.pair):
            parts.setdefault(part, []).append(each)
    return parts

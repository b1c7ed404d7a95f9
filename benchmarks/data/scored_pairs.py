"""Labelled pairs of image and text as a table, with the scores of each method."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path

import pandas as pd

from benchmarks.data.images import fetch
from benchmarks.data.scores import PairScorer
from benchmarks.data.seetrue import Labelled, read_labelled
from benchmarks.progress import watched
from session.errors import DataError

FILES = {"facebook/winoground": ("data/examples.jsonl", "data/images.zip")}
"""Data set of the hub -> its pairs and its images."""
AS_SEETRUE = ("SeeTRUE.csv", "images.zip")
OTHER_SPLITS = ("train", "dev")
"""End the names of files that nothing is measured on."""


def published_files(
    tables: Iterable[Path], images: Iterable[Path], hub: Iterable[str]
) -> tuple[list[Path], list[Path]]:
    """All tables of data sets, and the folders and archives of their images.

    Args:
        tables: files, or folders with their images.

    Raises:
        DataError: there is no table, or there are no images.
    """
    files, homes = list[Path](), [*images]
    for name in hub:
        table, archive = fetch(name, *FILES.get(name, AS_SEETRUE))
        files.append(table)
        homes.append(archive)
    for each in tables:
        files += tables_in(each) if each.is_dir() else [each]
        homes += [each, *sorted(each.rglob("*.zip"))] if each.is_dir() else []
    if files and homes:
        return files, homes
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


def read_pairs(
    tables: Sequence[Path], wanted: Callable[[Labelled], object], limit: int | None
) -> list[Labelled]:
    """The pairs that are wanted, data set by data set and text by text.

    Raises:
        DataError: none is wanted, or a file is missing.
    """
    labelled = [pair for table in tables for pair in read_labelled(table)]
    pairs = first_units([*filter(wanted, labelled)], limit)
    if not pairs:
        names = ", ".join(table.name for table in tables)
        raise DataError(f"{names} has no pairs that this benchmark is about")
    return pairs


def first_units(pairs: Collection[Labelled], limit: int | None = None) -> list[Labelled]:
    """The pairs of the first texts or examples of each data set, each next to its like."""
    places: dict[str, dict[str, int]] = {}
    for pair in pairs:
        units = places.setdefault(pair.data, {})
        units.setdefault(pair.unit, len(units))
    ordered = sorted(pairs, key=lambda pair: (pair.data, places[pair.data][pair.unit]))
    within = len(ordered) if limit is None else limit
    return [pair for pair in ordered if places[pair.data][pair.unit] < within]


def pair_table(pairs: Iterable[Labelled]) -> pd.DataFrame:
    """A row for each pair: image, text, holds, example, tag, unit, data, model, category."""
    names = ("image", "text", "holds", "example", "tag", "unit", "data", "model", "category")
    return pd.DataFrame({name: getattr(pair, name) for name in names} for pair in pairs)


def with_scores(table: pd.DataFrame, scorer: PairScorer, methods: Sequence[str]) -> pd.DataFrame:
    """The same table with a column for each method; not a number where it could not score."""
    pairs = [*zip(table["image"], table["text"], strict=True)]
    found = [*watched(scorer.score(pairs, methods), "pairs scored", len(pairs))]
    scores = {method: [each[method] for each in found] for method in methods}
    return table.assign(**{name: pd.array(each, float) for name, each in scores.items()})


def parts(table: pd.DataFrame, column: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows by the value of a column, in the order of first appearance; "" is left out.

    >>> [(name, len(part)) for name, part in parts(pd.DataFrame({"tag": ["b", "", "b"]}), "tag")]
    [('b', 2)]
    """
    for name, part in table[table[column] != ""].groupby(column, sort=False):
        yield str(name), part

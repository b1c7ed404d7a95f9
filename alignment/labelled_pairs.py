"""Labelled pairs of an image and a text: the tables that calibrations are fitted on."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

COLUMNS = ("image", "text", "label")


@dataclass(frozen=True)
class LabelledPair:
    """An image, a text, and whether the image shows what the text says."""

    image: Path
    text: str
    right: bool
    source: str
    """Its table, see `names_of`."""


def read_labelled_pairs(table: Path, source: str = "") -> tuple[LabelledPair, ...]:
    """The pairs of a CSV file in the format of SeeTRUE.

    Args:
        table: with columns image (a file, relative to the table's folder), text and label (0 or 1).
        source: what the table is called.

    Raises:
        ValueError: a column is missing, or a label is neither 0 nor 1.
    """
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    missing = [name for name in COLUMNS if not rows or name not in rows[0]]
    if missing:
        raise ValueError(f"{table.name} has no {', '.join(missing)}; give {', '.join(COLUMNS)}")
    if strange := [row["label"] for row in rows if row["label"] not in ("0", "1")]:
        raise ValueError(f"{table.name} has the label {strange[0]!r}; give 0 or 1")
    return tuple(
        LabelledPair(table.parent / row["image"], row["text"], row["label"] == "1", source)
        for row in rows
    )


def names_of(tables: Sequence[Path]) -> tuple[str, ...]:
    """What tables are called in a calibration: folder and file, after what tells them apart.

    Raises:
        ValueError: a table is given twice.

    >>> names_of([Path("/old/drawn/pairs.csv"), Path("/new/drawn/pairs.csv"), Path("/new/a/b.csv")])
    ('old/drawn/pairs.csv', 'new/drawn/pairs.csv', 'a/b.csv')
    """
    paths = [table.resolve().parts for table in tables]
    if twice := [table for table, path in zip(tables, paths, strict=True) if paths.count(path) > 1]:
        raise ValueError(f"{twice[-1]} is given twice; give each table once")
    return tuple(Path(*path[-_length(path, paths) :]).as_posix() for path in paths)


def _length(path: Sequence[str], paths: Sequence[Sequence[str]]) -> int:
    """How many last parts of a path, two or more, no other has."""
    return next(n for n in range(2, len(path) + 1) if [p[-n:] for p in paths].count(path[-n:]) == 1)


def units_of(pairs: Sequence[LabelledPair]) -> list[int]:
    """The unit of each pair: pairs of a table that share an image or a text are of one.

    Four images of one prompt and of its foil are one unit, and so are a drawn scene with its
    caption and its foil.

    >>> pairs = [("1", "owl"), ("1", "cat"), ("2", "cat"), ("3", "fox")]
    >>> units_of([LabelledPair(Path(image), text, True, "") for image, text in pairs])
    [0, 0, 0, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    images = _numbered((pair.source, pair.image) for pair in pairs)
    texts = _numbered((pair.source, pair.text) for pair in pairs)
    first = max(images, default=-1) + 1
    size = first + max(texts, default=-1) + 1
    joined = ([True] * len(pairs), (images, [first + text for text in texts]))
    _, units = connected_components(coo_array(joined, shape=(size, size)), directed=False)
    return [int(units[image]) for image in images]


def _numbered(names: Iterable[object]) -> list[int]:
    """0 for the first name, the next number for each new one."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(name, len(numbers)) for name in names]

"""Labelled pairs of an image and a text: the tables that calibrations are fitted on."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("image", "text", "label")


def read_labelled_pairs(table: Path, source: str = "") -> pd.DataFrame:
    """The pairs of a CSV file in the format of SeeTRUE.

    Args:
        table: with columns image (a file, relative to the table's folder), text and label (0 or 1).
        source: what the table is called, see `names_of`.

    Returns:
        A row for each pair: `image`, the path of its file; `text`; `right`, whether the image shows
        what the text says; `source`.

    Raises:
        ValueError: a column or an image is missing, or a label is neither 0 nor 1.
    """
    import pandas as pd

    with table.open(encoding="utf-8-sig", newline="") as lines:
        rows = pd.DataFrame([*csv.DictReader(lines)])
    missing = [name for name in COLUMNS if name not in rows]
    if missing:
        raise ValueError(f"{table.name} has no {', '.join(missing)}; give {', '.join(COLUMNS)}")
    if strange := [label for label in rows["label"] if label not in ("0", "1")]:
        raise ValueError(f"{table.name} has the label {strange[0]!r}; give 0 or 1")
    images = [str(table.parent / name) for name in rows["image"]]
    if lost := [image for image in images if not Path(image).is_file()]:
        raise ValueError(f"{table.name} names {lost[0]}, which is no file; give its images too")
    right = rows["label"] == "1"
    return pd.DataFrame({"image": images, "text": rows["text"], "right": right, "source": source})


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


def units_of(pairs: pd.DataFrame) -> npt.NDArray[np.int_]:
    """The unit of each pair: pairs of a table that share an image or a text are of one.

    Four images of one prompt and of its foil are one unit, and so are a drawn scene with its
    caption and its foil.

    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"image": [*"1123"], "text": ["owl", "cat", "cat", "fox"]})
    >>> units_of(pairs.assign(source="")).tolist()
    [0, 0, 0, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    images, texts = (
        pairs.groupby(["source", name], sort=False).ngroup().to_numpy()
        for name in ("image", "text")
    )
    texts = texts + images.max() + 1
    size = texts.max() + 1
    joined = coo_array((np.ones(len(pairs)), (images, texts)), shape=(size, size))
    _, units = connected_components(joined, directed=False)
    return np.asarray(units[images])

"""A table of SeeTRUE's columns, and scores as if some judges had been there, for tests."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from benchmarks.data.scores import kept_in, key


class Row(NamedTuple):
    """A pair and what it scores."""

    image: str
    text: str
    label: int
    data_set: str
    scores: Mapping[str, float | None]


def write(folder: Path, rows: Sequence[Row]) -> list[str]:
    """The table, the kept scores and an empty folder of pictures; gives back the options."""
    table, images, scores = folder / "SeeTRUE.csv", folder / "images", folder / "scores"
    images.mkdir()
    with table.open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["image", "text", "label", "original_dataset_id", "dataset_source"])
        lines.writerows([row.image, row.text, row.label, "-", row.data_set] for row in rows)
    models = Models(find_bundle("embedded"))
    with kept_in(scores) as kept:
        for row in rows:
            for method, value in row.scores.items():
                kept.add(key(models, method, row.image, row.text), value)
    return ["--table", str(table), "--images", str(images), "--scores", str(scores)]

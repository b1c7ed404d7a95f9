"""A table of SeeTRUE's columns and scores that are known already, for tests."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL.Image import Image

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from benchmarks.data.scores import PairScorer, ScoreCache, scores_in


class Row(NamedTuple):
    """A pair and what it scores."""

    image: str
    text: str
    label: int
    data_set: str
    scores: Mapping[str, float | None]


def scorer() -> PairScorer:
    """Of the embedded models; it opens no image."""
    return PairScorer(Models(find_bundle("embedded")), unopened, ScoreCache())


def unopened(name: str) -> Image:
    raise AssertionError(f"{name} has a score already")


def write(folder: Path, rows: Sequence[Row]) -> list[str]:
    """The table, the kept scores and an empty folder of images; gives back the options."""
    table, images, scores = folder / "SeeTRUE.csv", folder / "images", folder / "scores"
    images.mkdir()
    with table.open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["image", "text", "label", "original_dataset_id", "dataset_source"])
        lines.writerows([row.image, row.text, row.label, "-", row.data_set] for row in rows)
    with scores_in(scores) as cache:
        for row in rows:
            for method, value in row.scores.items():
                cache.add(scorer().key(method, row.image, row.text), value)
    return ["--table", str(table), "--images", str(images), "--scores", str(scores)]

"""Do scores tell pictures that show what a text says from those that do not, as people judged it?

    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER [--scores FOLDER]
    python -m benchmarks seetrue --hub yonatanbitton/SeeTRUE --bundle paper

ROC AUC of each method on each data set, with a 95 % interval in which whole prompts are drawn, and
the mean over data sets. Pairs that a method could not judge are left out and counted. Below stands
what has been published; the same data sets, other models.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from types import MappingProxyType

import numpy as np
from rich.table import Table

from benchmarks.data.judged import Judged, by, column, options_of, read
from benchmarks.data.numbers import Number, blank_table, publish, signature
from benchmarks.statistics.classification import roc_auc, roc_auc_interval

DATA_SETS = (
    "snli-ve",
    "winoground",
    "drawbench",
    "editbench",
    "coco_t2i",
    "coco-con",
    "pickapic-con",
)
PUBLISHED = MappingProxyType(
    {
        "CLIP ViT-L/14": (65.8, 53.3, 60.5, 62.1, 58.8, 70.7, 66.8),
        "BLIP": (75.2, 58.2, 60.5, 68.0, 70.7, 84.2, 76.6),
        "BLIP-2 (COCO)": (75.9, 60.0, 65.7, 70.0, 73.3, 85.8, 78.0),
        "VQ2": (88.0, 63.5, 82.6, 73.6, 83.4, 87.1, 81.7),
        "VNLI (PaLI + synthetic)": (94.2, 61.8, 86.8, 77.2, 83.2, 91.0, 85.9),
        "mean of VQ2 and VNLI": (93.9, 63.5, 87.8, 78.4, 85.1, 93.0, 87.3),
    }
)
"""ROC AUC in percent on `DATA_SETS`: Yarom et al., "What You See is What You Read?"."""


def main(arguments: Sequence[str]) -> None:
    """Print the tables, then one JSON line."""
    options = options_of("seetrue", __doc__, arguments)
    judged, generator = read(options), np.random.default_rng(options.seed)
    found = {
        method: measure(judged, method, options.bundle, generator) for method in options.methods
    }
    names = [*by(judged, lambda pair: pair.data_set), "mean"]
    numbers = [number for each in found.values() for number in each]
    publish("seetrue", (table_of(found, names), published_table()), numbers)


def measure(
    judged: Sequence[Judged], method: str, bundle: str, generator: np.random.Generator
) -> list[Number]:
    """The AUC on each data set in order, then the mean over them."""
    parts = by(judged, lambda pair: pair.data_set)
    numbers = [auc(part, name, method, bundle, generator) for name, part in parts.items()]
    made_of = signature("AUC", data="mean of data sets", method=method, bundle=bundle)
    return [*numbers, Number(made_of, fmean(each.value for each in numbers))]


def auc(
    judged: Sequence[Judged], name: str, method: str, bundle: str, generator: np.random.Generator
) -> Number:
    """The AUC of a method on some pairs, with what it is about in its signature."""
    known = column(judged, method)
    made_of = signature(
        "AUC",
        data=name,
        method=method,
        bundle=bundle,
        n=len(known.labels),
        positive=int(known.labels.sum()),
        unjudged=len(judged) - len(known.labels),
    )
    value = roc_auc(known.labels, known.scores)
    if np.isnan(value):
        return Number(made_of, value)
    interval = roc_auc_interval(known.labels, known.scores, known.texts, generator)
    return Number(made_of, value, *interval)


def table_of(found: dict[str, list[Number]], names: Sequence[str]) -> Table:
    """A row for each method, a column for each data set."""
    table = blank_table("ROC AUC (95 %)", "method", *names)
    for method, numbers in found.items():
        table.add_row(method, *(f"{each}\n{each.interval}".rstrip() for each in numbers))
    return table


def published_table() -> Table:
    """What has been published."""
    table = blank_table("Published: ROC AUC in percent", "method", *DATA_SETS, "mean")
    for method, values in PUBLISHED.items():
        table.add_row(method, *(f"{value:.1f}" for value in (*values, fmean(values))))
    return table


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])

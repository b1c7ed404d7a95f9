"""Do scores tell images that show what a text says from those that do not, as people labelled them?

ROC AUC of each method on each data set, with a 95 % interval in which whole prompts are drawn, and
the mean over data sets; chance is 0.5. Methods are compared on the pairs that every one of them
could score; beside that, each one on all that it could score itself. Below stands what has been
published: the same data sets, other models.

A first look takes minutes on a CPU, e.g. with `--limit 20`; all 6,930 public pairs take about a
second each with the embedded models, and a GPU with a bundle of the hub.

For example:

    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --scores kept
    python -m benchmarks seetrue --hub yonatanbitton/SeeTRUE --bundle paper
    python -m benchmarks seetrue --table snli_ve_test.jsonl --images flickr30k_images
    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --set clip=clip-rn50x64
    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --vq2 assessment=B
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from types import MappingProxyType

import numpy as np
from rich.table import Table

from benchmarks import options as given
from benchmarks.data.numbers import Number, blank_table, publish, signature
from benchmarks.data.scored_pairs import LabelledScores, by, column, read_scored, scored_by_all
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
"""ROC AUC in percent on `DATA_SETS`: Yarom et al., "What You See is What You Read?", table 2."""
CHANCE = 0.5


def main(
    table: given.Tables = None,
    images: given.ImageHomes = None,
    hub: given.HubDataSet = None,
    limit: given.Limit = None,
    bundle: given.BundleName = "embedded",
    role: given.RoleModels = None,
    methods: given.MethodNames = given.METHODS,
    vq2: given.Vq2Flags = None,
    scores: given.ScoresFolder = None,
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    evaluators = given.evaluators(bundle, role, methods, vq2, scores)
    scored = read_scored(given.pair_source(table, images, hub, limit), evaluators)
    generator = np.random.default_rng(seed)
    names = [*by(scored, lambda pair: pair.data_set), "mean"]
    said = (evaluators.methods, generator, evaluators.name)
    shared = measure(scored_by_all(scored), *said, "all methods")
    own = measure(scored, *said, "each method")
    tables = [
        table_of(shared, names, "pairs that all methods could score"),
        table_of(own, names, "pairs that each method could score"),
        published_table(),
    ]
    rows = [*shared.values(), *own.values()]
    publish("seetrue", tables, [number for row in rows for number in row.values()])


def measure(
    scored: Sequence[LabelledScores],
    methods: Sequence[str],
    generator: np.random.Generator,
    bundle: str,
    judged_by: str,
) -> dict[str, dict[str, Number]]:
    """Method -> data set, or "mean" -> AUC.

    Args:
        scored: of any data sets.
        methods: what the scores are called by.
        generator: of the intervals.
        bundle: whose models scored, for the signature.
        judged_by: how the pairs were chosen, for the signature.
    """
    parts = by(scored, lambda pair: pair.data_set)
    found = {}
    for method in methods:
        said = {"bundle": bundle, "judged_by": judged_by}
        numbers = {name: auc(part, method, generator, name, **said) for name, part in parts.items()}
        if numbers:
            value = fmean(each.value for each in numbers.values())
            about = signature("AUC", data="mean of data sets", method=method, **said)
            numbers["mean"] = Number(about, value, chance=CHANCE)
        found[method] = numbers
    return found


def auc(
    scored: Sequence[LabelledScores],
    method: str,
    generator: np.random.Generator,
    data: str,
    **said: object,
) -> Number:
    """The AUC of a method on some pairs, with what it is about in its signature."""
    known = column(scored, method)
    about = signature(
        "AUC",
        data=data,
        method=method,
        **said,
        n=len(known.labels),
        positive=int(known.labels.sum()),
        unjudged=len(scored) - len(known.labels),
    )
    value = roc_auc(known.labels, known.scores)
    if np.isnan(value):
        return Number(about, value, chance=CHANCE)
    interval = roc_auc_interval(known.labels, known.scores, known.texts, generator)
    return Number(about, value, *interval, chance=CHANCE)


def table_of(found: Mapping[str, Mapping[str, Number]], names: Sequence[str], pairs: str) -> Table:
    """A row for each method, a column for each data set."""
    table = blank_table(f"ROC AUC (95 %, prompts drawn), {pairs}", "method", *names)
    for method, numbers in found.items():
        table.add_row(method, *(numbers[name].cell if name in numbers else "" for name in names))
    return table


def published_table() -> Table:
    """What has been published."""
    table = blank_table("Published: ROC AUC in percent", "method", *DATA_SETS, "mean")
    for method, values in PUBLISHED.items():
        table.add_row(method, *(f"{value:.1f}" for value in (*values, fmean(values))))
    return table

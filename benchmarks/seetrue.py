"""Do scores tell images that show what a text says from those that do not, as people labelled them?

ROC AUC of each method on each data set, with a 95 % interval in which whole prompts are drawn, and
the mean over data sets; chance is 0.5. Methods are compared on the pairs that every one of them
could score; beside that, each one on all that it could score itself. Below stands what has been
published: the same data sets, other models.

`--by` tells pairs apart by something else: DrawBench's categories, the text-to-image model, and of
EditBench what kind of attribute the prompt is about (counts, colours, materials, shapes, sizes),
whether text or an object is asked for, and the scene.

`--rows table-2` scores by the zero-shot methods of the publication, whose models are about 40 GB
(`--row` takes some of them); `--rows table-7` by VQ2 with each way of assessing answers, with and
without spans of several words: C asks whether the expected answer is true of the image, A asks
openly and compares answers by a language inference model (which `embedded` has not), B by the
vision-language model.

A first look takes minutes on a CPU, e.g. with `--limit 20`; all 6,930 public pairs take about a
second each with the embedded models, and a GPU with a bundle of the hub.

For example:

    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --scores kept
    python -m benchmarks seetrue --hub yonatanbitton/SeeTRUE --bundle paper
    python -m benchmarks seetrue --table snli_ve_test.jsonl --images flickr30k_images
    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --by attribute --by scene
    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --set clip=clip-rn50x64
    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --vq2 assessment=B
    python -m benchmarks seetrue --hub yonatanbitton/SeeTRUE --rows table-2 --bundle paper
    python -m benchmarks seetrue --hub yonatanbitton/SeeTRUE --rows table-7 --row C --row B
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from types import MappingProxyType
from typing import Annotated, Literal

import numpy as np
import typer
from rich.table import Table

from benchmarks import options as given
from benchmarks.data.numbers import Number, auc, blank_table, pivot, publish
from benchmarks.data.scored_pairs import LabelledScores, by, column, read_scored, scored_by_all
from benchmarks.data.seetrue import GROUPS, Grouping
from benchmarks.options import Evaluators, PairSource, bundle_with, vq2_settings
from session.errors import DataError

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


@dataclass(frozen=True)
class TableRow:
    """One row: a method, with which models and settings."""

    method: str
    roles: Sequence[str] = ()
    """Like "clip=clip-rn50x64": models that take the place of those of the bundle."""
    vq2: Sequence[str] = ()
    """Like "assessment=A": settings of VQ2."""


PublishedTable = Literal["table-2", "table-7"]
TABLES: Mapping[PublishedTable, Mapping[str, TableRow]] = MappingProxyType(
    {
        "table-2": {
            "CLIP RN50x64": TableRow("clip", ("clip=clip-rn50x64",)),
            "CLIP ViT-L/14": TableRow("clip", ("clip=clip-vit-l-14",)),
            "CoCa ViT-L/14": TableRow("clip", ("clip=coca-vit-l-14",)),
            "CoCa ViT-L/14 (COCO)": TableRow("clip", ("clip=coca-vit-l-14-coco",)),
            "BLIP": TableRow("itm", ("matcher=blip-itm",)),
            "BLIP-2 (COCO)": TableRow("itm", ("matcher=blip2-itm",)),
            "TIFA": TableRow("tifa"),
            "VQ2": TableRow("vq2"),
            "VNLI, zero-shot": TableRow("vnli"),
            "mean of VQ2 and VNLI": TableRow("mean"),
        },
        "table-7": {
            assessment + ending: TableRow("vq2", vq2=(f"assessment={assessment}", spans))
            for assessment in "ABC"
            for ending, spans in (
                ("", "multi_word=yes"),
                (", no multi-word spans", "multi_word=no"),
            )
        },
    }
)
"""Tables of "What You See is What You Read?", M. Yarom et al., 2023: zero-shot methods, and ways of
assessing VQ2's answers (appendix A.3). OFA has no class in transformers and is left out; BLIP-2
stands in for PaLI, whose weights were never published, and VNLI is not fine-tuned."""


@given.with_pairs
@given.with_evaluators
def main(
    *,
    source: given.PairSource,
    chosen: given.Evaluators,
    group: Annotated[
        list[Grouping] | None,
        typer.Option("--by", help="What pairs are told apart by; repeatable. `data` by default."),
    ] = None,
    rows: Annotated[
        PublishedTable | None, typer.Option(help="Methods and settings of a published table.")
    ] = None,
    row: Annotated[
        list[str] | None, typer.Option(help="Only this row of the table. Repeatable.")
    ] = None,
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    generator, tables, numbers = np.random.default_rng(seed), list[Table](), list[Number]()
    groupings = [each.value for each in group or [Grouping.data]]
    if rows:
        columns = choose_rows(TABLES[rows], row)
        scored, methods = score_rows(columns, source, chosen), tuple(columns)
    else:
        wanted = [GROUPS[name] for name in groupings]
        scored = read_scored(source, chosen, lambda pair: any(of(pair) for of in wanted))
        methods = chosen.methods
    judged = {"all rows" if rows else "all methods": scored_by_all(scored)}
    judged |= {} if rows else {"each method": scored}
    for name in groupings:
        for judged_by, some in judged.items():
            found = measure(some, name, methods, generator, chosen.name, judged_by)
            title = f"ROC AUC (95 %, prompts drawn), pairs that {judged_by} could score"
            tables.append(pivot(title, found, ["method"], name))
            numbers += found
    publish("seetrue", [*tables, *([published_table()] if "data" in groupings else [])], numbers)


def measure(
    scored: Sequence[LabelledScores],
    grouping: str,
    methods: Sequence[str],
    generator: np.random.Generator,
    bundle: str,
    judged_by: str,
) -> list[Number]:
    """The AUC of each method on each group of pairs, and the mean over data sets.

    Args:
        scored: of any data sets.
        grouping: one of `GROUPS`.
        methods: what the scores are called by.
        generator: of the intervals.
        bundle: whose models scored, for the signature.
        judged_by: how the pairs were chosen, for the signature.
    """
    parts, found = by(scored, GROUPS[grouping]), list[Number]()
    for method in methods:
        said = {"method": method, "bundle": bundle, "judged_by": judged_by}
        numbers = [
            auc_of(part, method, generator, {grouping: name, **said})
            for name, part in parts.items()
        ]
        found += numbers
        if numbers and grouping == "data":
            mean = fmean(each.value for each in numbers)
            found.append(Number("AUC", {"data": "mean of data sets", **said}, mean, chance=0.5))
    return found


def auc_of(
    scored: Sequence[LabelledScores],
    method: str,
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> Number:
    """The AUC of a method on the pairs that it could score."""
    known = column(scored, method)
    counts = {
        "n": len(known.labels),
        "positive": int(known.labels.sum()),
        "unjudged": len(scored) - len(known.labels),
    }
    return auc(known.labels, known.scores, known.texts, generator, {**about, **counts})


def published_table() -> Table:
    """What has been published."""
    table = blank_table("Published: ROC AUC in percent", "method", *DATA_SETS, "mean")
    for method, values in PUBLISHED.items():
        table.add_row(method, *(f"{value:.1f}" for value in (*values, fmean(values))))
    return table


def choose_rows(rows: Mapping[str, TableRow], names: Sequence[str] | None) -> dict[str, TableRow]:
    """The rows of these names, or all.

    Raises:
        DataError: there is no such row.
    """
    for name in names or ():
        if name not in rows:
            raise DataError(f"no row {name!r}; known: {', '.join(rows)}")
    return {name: row for name, row in rows.items() if not names or name in names}


def score_rows(
    rows: Mapping[str, TableRow], source: PairSource, chosen: Evaluators
) -> list[LabelledScores]:
    """Every pair with its score in each row, by the name of the row.

    Args:
        rows: by name; their models come after those that were chosen.
        source: of the pairs.
        chosen: the bundle, and where scores are kept.
    """
    columns = {name: read_scored(source, _as_in(row, chosen)) for name, row in rows.items()}
    pairs = next(iter(columns.values()))
    return [
        LabelledScores(
            each.pair,
            {name: column[at].scores[rows[name].method] for name, column in columns.items()},
        )
        for at, each in enumerate(pairs)
    ]


def _as_in(row: TableRow, chosen: Evaluators) -> Evaluators:
    bundle = bundle_with(chosen.bundle, row.roles)
    return replace(chosen, bundle=bundle, methods=(row.method,), vq2=vq2_settings(row.vq2))

"""Which zero-shot method tells true pairs from false ones best? Every row of table 2.

ROC AUC of CLIP, CoCa, BLIP, BLIP-2, TIFA, VQ2, zero-shot VNLI and the mean of VQ2 and VNLI on the
data sets that are given, on the pairs that all rows could score, with 95 % intervals in which
prompts are drawn; chance is 0.5. Rows differ from the published ones where weights were never
published: BLIP-2 stands in for PaLI, and VNLI is not fine-tuned. OFA has no class in transformers
and is left out.

The models of all rows are about 40 GB; `--row` takes some of them, `--limit 20` gives a first look.

Source: M. Yarom et al., "What You See is What You Read?", 2023, table 2.

For example:

    python -m benchmarks zero_shot --table SeeTRUE.csv --images FOLDER --scores kept
    python -m benchmarks zero_shot --hub yonatanbitton/SeeTRUE --row "CLIP ViT-L/14" --row VQ2
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

import numpy as np
import typer

from benchmarks import options as given
from benchmarks.data.numbers import publish
from benchmarks.data.rows import TableRow, choose_rows, score_rows
from benchmarks.data.scored_pairs import by, scored_by_all
from benchmarks.seetrue import measure, published_table, table_of

ROWS = MappingProxyType(
    {
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
    }
)


def main(
    table: given.Tables = None,
    images: given.ImageHomes = None,
    hub: given.HubDataSet = None,
    limit: given.Limit = None,
    bundle: given.BundleName = "paper",
    role: given.RoleModels = None,
    row: Annotated[
        list[str] | None, typer.Option(help=f"Only this row: {', '.join(ROWS)}. Repeatable.")
    ] = None,
    scores: given.ScoresFolder = None,
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    rows = choose_rows(ROWS, row)
    source = given.pair_source(table, images, hub, limit)
    scored = score_rows(rows, source, bundle, role or (), scores)
    generator = np.random.default_rng(seed)
    shared = measure(scored_by_all(scored), [*rows], generator, bundle, "all rows")
    names = [*by(scored, lambda pair: pair.data_set), "mean"]
    tables = [table_of(shared, names, "pairs that all rows could score"), published_table()]
    numbers = [number for each in shared.values() for number in each.values()]
    publish("zero_shot", tables, numbers)

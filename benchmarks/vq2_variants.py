r"""Which way of assessing answers serves VQ2 best, and do spans of several words help? Table 7.

ROC AUC of VQ2 with each assessment, with and without spans of several words such as "black and
white" and "in the air", on the pairs that all variants could score, with 95 % intervals in which
prompts are drawn; chance is 0.5. C asks whether the expected answer is true of the image. A asks
openly and compares the answers by a language inference model: the pair from the text is the
premise. B asks openly and lets the vision-language model compare. Assessment A needs a bundle with
an inference model, which `embedded` has not.

Six variants take six times as long as one: about six seconds for each pair with the embedded
models. `--limit 20` gives a first look.

Source: M. Yarom et al., "What You See is What You Read?", 2023, appendix A.3.

For example:

    python -m benchmarks vq2_variants --table SeeTRUE.csv --images FOLDER --bundle paper
    python -m benchmarks vq2_variants --table SeeTRUE.csv --images FOLDER --bundle embedded \
        --row C --row "C, no multi-word spans" --row B
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
from benchmarks.seetrue import measure, table_of

WITHOUT = "no multi-word spans"
SPANS = MappingProxyType({"": "multi_word=yes", f", {WITHOUT}": "multi_word=no"})
ROWS = MappingProxyType(
    {
        assessment + ending: TableRow("vq2", vq2=(f"assessment={assessment}", spans))
        for assessment in "ABC"
        for ending, spans in SPANS.items()
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
        list[str] | None, typer.Option(help="Only this variant, as the table names it. Repeatable.")
    ] = None,
    scores: given.ScoresFolder = None,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    rows = choose_rows(ROWS, row)
    source = given.pair_source(table, images, hub, limit)
    scored = score_rows(rows, source, bundle, role or (), scores)
    generator = np.random.default_rng(seed)
    shared = measure(scored_by_all(scored), [*rows], generator, bundle, "all variants")
    names = [*by(scored, lambda pair: pair.data_set), "mean"]
    title = "VQ2's variants, pairs that all of them could score"
    numbers = [number for each in shared.values() for number in each.values()]
    publish("vq2_variants", [table_of(shared, names, title)], numbers)

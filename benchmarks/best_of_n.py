"""Is the first of n generated images a right one, and is it as right as its score says?

By the sticker detector, which shares nothing with the methods: nine images of each of 80 prompts
(as people type them; several things) are generated and scored. One grid of nine tells exactly how
often the best-scored of 1, 2, ... 9 images is right, for each method and at best; the first of nine
is given beside that as generated, with what each method adds to it, prompt by prompt.

Choosing among more images also chooses among more mistakes of the score. So the chance that a
method gives its first image, which is calibrated for images that nobody chose, is held against the
share that is right: their difference is how far the choice is believed too much.

A grid takes about ten seconds with the embedded models; `--limit 20` gives a first look.

For example:

    python -m benchmarks best_of_n
    python -m benchmarks best_of_n --limit 5 --methods vq2,vnli
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import typer

from alignment.models.loading import Models
from alignment.ranking import METHODS
from benchmarks import options as given
from benchmarks.data.numbers import publish
from benchmarks.progress import watched
from benchmarks.stickers.detector import load_detector
from benchmarks.stickers.generated import LoadedGenerator
from benchmarks.stickers.prompts import first_of_each_kind, read_prompts
from benchmarks.stickers.reranked import (
    HARD,
    RERANKED,
    by_n_table,
    first_right,
    first_table,
    gains,
    promised,
    ranked_grids,
    right_by_n,
)
from generation import find_model, load_pipeline


@given.with_evaluators
def main(
    *,
    chosen: given.Evaluators,
    model: Annotated[
        str, typer.Option(help="Generates: a name in `generation.MODELS`.")
    ] = "stickers",
    limit: given.Limit = None,
    seed: given.Seed = 7,
) -> None:
    """Generate and score all grids, then print the tables and one JSON line."""
    spec, generator = find_model(model), np.random.default_rng(seed)
    prompts = first_of_each_kind(read_prompts(), limit or RERANKED, kinds=HARD)
    painter, models = LoadedGenerator(load_pipeline(spec), spec), Models(chosen.bundle)
    every = ranked_grids(prompts, painter, models, load_detector(), chosen.vq2)
    grids = [*watched(every, "grids", len(prompts))]
    methods = [name for name in chosen.methods if name in METHODS]
    about = {"model": model, "bundle": chosen.name, "right": "detector"}
    found, gained = (each(grids, generator, methods, **about) for each in (first_right, gains))
    by_n, gaps = (each(grids, generator, methods, **about) for each in (right_by_n, promised))
    tables = [
        first_table(found, gained),
        by_n_table("Best of n images right, by the detector", by_n),
        by_n_table("Chance that its method gives it, minus that", gaps),
    ]
    curves = [number for each in (*by_n.values(), *gaps.values()) for number in each]
    publish("best_of_n", tables, [*found.values(), *gained.values(), *curves])

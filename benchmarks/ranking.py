"""Does reranking bring forward the images that people rate higher?

GenAI-Bench-Ranking: 800 prompts with nine images each by two text-to-image models, rated from 1 to
5. Arrangements of the nine are: as given; reranked by a method, row by row; best, the layout that
earns most ERR by the method's own scores; and the oracle, ranked by people's ratings. P@1 is the
chance that the first image looked at is one of those that people rate highest; with `--order
positional`, reranked, it is the published top-1 accuracy. Agreement is over the pairs of images of
one prompt that people rate apart.

FOLDER is as published (huggingface.co/datasets/zhiqiulin/GenAI-Image-Ranking-800, MIT):
human_rating.json, and for each model a folder or a .zip of its images, MODEL/00000_01.jpeg and on.

About fifteen seconds a grid with the embedded models, most of it for the best layout, which only
the saliency order has; `--limit 5` gives a first look.

For example:

    python -m benchmarks ranking FOLDER --methods vq2,clip --scores kept
    python -m benchmarks ranking FOLDER --order positional --limit 20
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy as np
import typer
from PIL.Image import Image

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.questions.settings import AS_PUBLISHED
from alignment.ranking import rank
from alignment.records import Arrangement
from alignment.set_metrics.grid import grid_value
from alignment.set_metrics.layout import best_layout
from alignment.set_metrics.metrics import ERR, RBP, SetMetric
from alignment.set_metrics.saliency import grid_attention, small_image
from alignment.set_metrics.viewing_orders import Order
from alignment.statistics.intervals import measured_mean
from alignment.statistics.preferences import preference_agreement
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.data.rated_grids import RatedGrid, image_opener, read_grids
from benchmarks.data.scores import PairScorer, scores_in
from benchmarks.progress import watched
from benchmarks.statistics.correlation import measured_rank_correlation
from cli.flags import with_vq2_flags

Scores: TypeAlias = Mapping[str, tuple[float | None, ...]]
"""Method -> the score of each image of a grid."""
Look: TypeAlias = Callable[[Sequence[int]], tuple[float, ...]]

SIDE = 3
"""Rows and columns of a grid."""


@with_vq2_flags
def main(
    folder: Annotated[Path, typer.Argument(help="As GenAI-Bench-Ranking is published.")],
    *,
    bundle: given.BundleName = "embedded",
    methods: given.MethodNames = given.METHODS,
    vq2: Mapping[str, Any],
    scores: given.ScoresFolder = None,
    order: Annotated[Order, typer.Option(help="In which images are looked at.")] = "saliency",
    persistence: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="The chance to look at one more image.")
    ] = 0.8,
    limit: given.Limit = None,
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    grids, image = read_grids(folder), image_opener(folder)
    prompts = [*dict.fromkeys(grid.prompt for grid in grids)][:limit]
    grids = [grid for grid in grids if grid.prompt in prompts]
    names = given.read_methods(methods)
    settings = replace(AS_PUBLISHED, **vq2)
    with scores_in(scores) as kept:
        scorer = PairScorer(Models(find_bundle(bundle)), image, kept, settings)
        scored = [*_scored(grids, scorer, names)]
    metrics = {
        "P@1": RBP(0, order=order),
        "E[RBP]": RBP(persistence, order=order),
        "E[ERR]": ERR(persistence, order=order),
    }
    generator = np.random.default_rng(seed)
    worth = [
        number
        for model in dict.fromkeys(grid.model for grid in grids)
        for number in worth_of(
            [each for each in scored if each[0].model == model], metrics, image, generator
        )
    ]
    agreeing = [each for method in names for each in agreement(scored, method, generator)]
    tables = [
        pivot(f"What the arrangements are worth, {order} order", worth, ["data", "shown"], "name"),
        pivot("Agreement with people's ratings", agreeing, ["method"], "name"),
    ]
    publish("ranking", tables, [*worth, *agreeing], {"bundle": bundle})


def _scored(
    grids: Sequence[RatedGrid], scorer: PairScorer, methods: Sequence[str]
) -> Iterator[tuple[RatedGrid, Scores]]:
    """Each grid with the scores of its images by each method."""
    for grid in watched(grids, "grids scored"):
        scores = [*scorer.score([(name, grid.prompt) for name in grid.images], methods)]
        yield grid, {method: tuple(each[method] for each in scores) for method in methods}


def worth_of(
    scored: Sequence[tuple[RatedGrid, Scores]],
    metrics: Mapping[str, SetMetric],
    image: Callable[[str], Image],
    generator: np.random.Generator,
) -> list[Number]:
    """What each arrangement of one model's grids is worth to viewers by people's ratings."""
    values: dict[tuple[str, str], list[float]] = {}
    by_saliency = metrics["E[ERR]"].order == "saliency"
    for grid, scores in watched(scored, "grids arranged"):
        look = _look_at([image(name) for name in grid.images]) if by_saliency else _alike
        top = [float(each == max(grid.relevance)) for each in grid.relevance]
        for shown, cells in arrangements(scores, grid.relevance, metrics["E[ERR]"], look):
            arrangement = Arrangement(cells, look(cells))
            for name, metric in metrics.items():
                relevance = top if name == "P@1" else grid.relevance
                worth = grid_value(metric, relevance, arrangement)
                values.setdefault((shown, name), []).append(worth)
    about = {"data": scored[0][0].model}
    return [
        Number.of(
            name,
            {**about, "shown": shown, "by": str(metrics[name]), "n": len(each)},
            measured_mean(each, generator, bounds=(0.0, metrics[name].best(SIDE * SIDE))),
        )
        for (shown, name), each in values.items()
    ]


def arrangements(
    scores: Scores, rated: Sequence[float], err: SetMetric, look: Look
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What each arrangement is called, and the cell at each place."""
    yield "as given", tuple(range(len(rated)))
    for method, each in scores.items():
        order = rank(each).order
        yield f"reranked by {method}", order
        if err.order == "saliency":
            best = best_layout(err, each, look, known=[order])
            yield f"best by {method}", best.cells
    yield "oracle", rank(rated).order


def _alike(cells: Sequence[int]) -> tuple[float, ...]:
    """Every place draws as much attention as every other."""
    return (1.0,) * len(cells)


def _look_at(images: Sequence[Image]) -> Look:
    """From an arrangement to the attention that each place draws; each is looked at once."""
    small = [*map(small_image, images)]

    @cache
    def looked(cells: tuple[int, ...]) -> tuple[float, ...]:
        return grid_attention([small[cell] for cell in cells], SIDE, SIDE)

    return lambda cells: looked(tuple(cells))


def agreement(
    scored: Sequence[tuple[RatedGrid, Scores]], method: str, generator: np.random.Generator
) -> list[Number]:
    """How a method's scores go with people's ratings; images without a score are left out."""
    known, pairs = [], []
    for grid, scores in scored:
        both = zip(scores[method], grid.relevance, strict=True)
        judged = [(score, rating) for score, rating in both if score is not None]
        known += [(*each, grid.prompt) for each in judged]
        pairs += [(b[1] - a[1], b[0] - a[0], grid.prompt) for a, b in combinations(judged, 2)]
    if not any(apart for apart, *_ in pairs):
        return []
    people, metric, prompts = zip(*pairs, strict=True)
    found = preference_agreement(people, metric, prompts, generator)
    values, ratings, about_prompts = zip(*known, strict=True)
    about = {"method": method, "pairs": found.n}
    return [
        Number.of("agrees", about, found.rate),
        Number.of("agrees where it decides", about, found.decided, chance=0.5),
        Number.of(
            "Spearman",
            {"method": method, "images": len(known)},
            measured_rank_correlation(values, ratings, about_prompts, generator),
        ),
    ]

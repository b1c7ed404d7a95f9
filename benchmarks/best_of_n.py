"""Is the first of n generated images a right one, and is it as right as its score says?

By the detector, which shares nothing with the methods, so that a method can lose: nine
images of each of 80 prompts (as people type them; several things; of the test set 40 of several
things) are generated and scored. One grid of nine tells exactly how often the best-scored of 1, 2,
... 9 images is right. The chance that a method gives its first image is calibrated for images that
nobody chose; how far it exceeds the share that is right is how far the choice is believed too much.

A grid takes about ten seconds with the embedded models; `--limit 20` gives a first look.

For example:

    python -m benchmarks best_of_n
    python -m benchmarks best_of_n --split test
    python -m benchmarks best_of_n --limit 5 --methods vq2,vnli
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from alignment.arrays import Floats
from alignment.evaluation import evaluate
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.questions.settings import Vq2Settings, default_settings
from alignment.ranking import METHODS
from alignment.statistics.intervals import measured_mean, proportion_interval
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.progress import watched
from benchmarks.statistics.best_of_n import best_of_n
from benchmarks.stickers.detector import Detector, load_detector
from benchmarks.stickers.generated import LoadedGenerator, right_images
from benchmarks.stickers.prompts import EvaluationPrompt, first_of_each_kind, read_prompts
from cli.flags import with_vq2_flags

HARD = ("typed", "many")
"""Kinds of prompts to rank images of: of the others nearly every image is correct."""
RERANKED = 40
"""Prompts of each hard kind of which nine images are ranked."""
SIDE = 3
SEED = 9000
"""Of the first image; every further one has the next seed."""
AS_GENERATED, RANDOM, BEST = "as generated", "random", "at best"


@with_vq2_flags
def main(
    *,
    bundle: given.BundleName = "embedded",
    methods: given.MethodNames = given.METHODS,
    vq2: Mapping[str, Any],
    model: given.ModelName = "icons",
    split: given.Split = "development",
    limit: given.Limit = None,
    seed: given.Seed = 7,
) -> None:
    """Generate and score all grids, then print the tables and one JSON line."""
    generator = np.random.default_rng(seed)
    settings = replace(default_settings(bundle), **vq2)
    ranking = [name for name in given.read_methods(methods) if name in METHODS]
    known = read_prompts(split=split)
    prompts = first_of_each_kind(known, limit or RERANKED, kinds=HARD)
    models, detector = Models(find_bundle(bundle)), load_detector()
    every = ranked_grids(prompts, LoadedGenerator.of(model), models, detector, settings)
    grids = [*watched(every, "grids", len(prompts))]
    of_test = {} if split == "development" else {"split": split}
    about = {"model": model, "bundle": bundle, "right": "detector", **of_test}
    given_to = (grids, generator, ranking, about)
    right, gained, gap = ([*each(*given_to)] for each in (right_by_n, gains, promised))
    of_all = {each.about["method"]: each for each in right}
    first = "First of nine images right, by the detector (95 %, prompts drawn)"
    title = "Best of n images right, by the detector (95 %, prompts drawn)"
    gap_title = "Chance that its method gives it, minus that (95 %, prompts drawn)"
    tables = [
        pivot(first, [*of_all.values(), *gained], ["method"], "name"),
        pivot(title, [each for each in right if "best_of" in each.about], ["best_of"], "method"),
        pivot(gap_title, gap, ["best_of"], "method"),
    ]
    publish("best_of_n", tables, [*right, *gained, *gap])


@dataclass(frozen=True)
class RankedGrid:
    """Images of one prompt: which are right, and which each method shows first."""

    correct: tuple[bool, ...]
    """By the detector."""
    scores: Mapping[str, tuple[float, ...]]
    """Method -> the score of each image; minus infinity where it could not judge."""
    chances: Mapping[str, tuple[float, ...]]
    """Method -> how likely it holds each image to be right, where it judged all of them."""

    def right(self, method: str) -> Floats:
        """How likely the image that a method puts first of n is right, for n from 1 on."""
        return best_of_n(self.scores[method], self.correct)

    def held_right(self, method: str) -> Floats:
        """How likely the method holds that image to be right."""
        return best_of_n(self.scores[method], self.chances[method])


def ranked_grids(
    prompts: Sequence[EvaluationPrompt],
    generator: LoadedGenerator,
    models: Models,
    detector: Detector,
    settings: Vq2Settings,
) -> Iterator[RankedGrid]:
    """A grid of nine for each prompt, ranked as the page ranks it."""
    for index, prompt in enumerate(prompts):
        images = generator.grid(prompt.prompt, (SIDE, SIDE), SEED + SIDE**2 * index)
        *_, last = evaluate(prompt.prompt, images, SIDE, SIDE, models, settings=settings)
        if last.report:
            values = {name: each.values for name, each in last.report.rankings.items()}
            correct = right_images(images, prompt, detector)
            yield ranked(correct, values, last.report.relevance)


def ranked(
    correct: Sequence[bool],
    values: Mapping[str, Sequence[float | None]],
    relevance: Mapping[str, Sequence[float | None]],
) -> RankedGrid:
    """A grid with the scores that each method gives its images, and the calibrated chances."""
    scores = {
        name: tuple(float("-inf") if value is None else value for value in each)
        for name, each in values.items()
    }
    chances = {
        name: tuple(chance for chance in each if chance is not None)
        for name, each in relevance.items()
        if None not in each
    }
    return RankedGrid(tuple(correct), scores, chances)


def curves(grids: Sequence[RankedGrid], methods: Sequence[str]) -> dict[str, Floats]:
    """Way -> how likely its image is right, for each grid and n from 1 on: shape (grids, n).

    An image chosen at random, which is the chance level, and the first one as generated are of one
    n; then the methods, and the most that any ranking reaches.
    """
    correct = [np.array(grid.correct, float) for grid in grids]
    return {
        RANDOM: np.array([[each.mean()] for each in correct]),
        AS_GENERATED: np.array([each[:1] for each in correct]),
        **{name: np.array([grid.right(name) for grid in grids]) for name in methods},
        BEST: np.array([best_of_n(each, each) for each in correct]),
    }


def right_by_n(
    grids: Sequence[RankedGrid],
    generator: np.random.Generator,
    methods: Sequence[str],
    about: Mapping[str, object],
) -> Iterator[Number]:
    """The share of prompts whose image is right, by what chooses it, from the fewest images on.

    Images that are tied share the first place.

    >>> scores = {"vq2": (0.2, 0.9)}
    >>> grids = [RankedGrid((False, True), scores, {}), RankedGrid((False, False), scores, {})]
    >>> found = right_by_n(grids, np.random.default_rng(7), ["vq2"], {})
    >>> {number.about["method"]: number.value for number in found}
    {'random': 0.25, 'as generated': 0.0, 'vq2': 0.5, 'at best': 0.5}
    """
    found = curves(grids, methods)
    for name, curve in found.items():
        for n, values in enumerate(curve.T, 1):
            said = {"method": name, **({"best_of": n} if name in (*methods, BEST) else {}), **about}
            mean, chance = measured_mean(values, generator), float(found[RANDOM].mean())
            yield Number.of("P@1", {**said, "n": len(grids)}, mean, chance=chance)


def gains(
    grids: Sequence[RankedGrid],
    generator: np.random.Generator,
    methods: Sequence[str],
    about: Mapping[str, object],
) -> Iterator[Number]:
    """What each method adds to the same share as generated, prompt by prompt, in [-1, 1]."""
    found = curves(grids, methods)
    for name in methods:
        values = found[name][:, -1] - found[AS_GENERATED][:, 0]
        gain = measured_mean(values, generator, bounds=(-1.0, 1.0))
        if not values.any():  # no prompt changed: bounded by how many might have
            most = proportion_interval(0, gain.n)[1]
            gain = replace(gain, low=-most, high=most)
        said = {"method": name, "over": AS_GENERATED, "n": len(grids), **about}
        yield Number.of("P@1 gain", said, gain, chance=0.0)


def promised(
    grids: Sequence[RankedGrid],
    generator: np.random.Generator,
    methods: Sequence[str],
    about: Mapping[str, object],
) -> Iterator[Number]:
    """By how much the chance that a method gives the best of n exceeds the share that is right.

    Above 0, the method is believed too much: choosing by a score prefers images that it is wrong
    about. Over the grids of which it judged every image; methods without such are left out.
    """
    for name in methods:
        judged = [grid for grid in grids if name in grid.chances]
        gaps = np.transpose([grid.held_right(name) - grid.right(name) for grid in judged])
        for n, values in enumerate(gaps, 1):
            said = {"method": name, **about, "n": len(judged), "best_of": n}
            mean = measured_mean(values, generator, bounds=(-1.0, 1.0))
            yield Number.of("promised - right", said, mean, chance=0.0)

"""How often a search ends with a right image, by its strategy and by what it may spend.

Prompts say how two things look, how large they are, where, and before what, and come out right now
and then: one to five of eight images of other seeds are right, the first two not both. Nearly all
images of the model `icons` are right, so that `stickers` is asked for them. What is right is said
by the detector, which no search asks. Budgets are those of 1, 2, 4, 8 and 16 whole images, in
evaluations of the text-to-image model; the same images serve one shot, best of n by each method,
resampling and the oracle. With `--figure`, the share right is drawn against the budget.

For example:

    python -m benchmarks search --limit 24 --figure assets/search.svg
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np
import typer

import alignment
from alignment import Models
from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.charts import Panel, panel_chart
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.progress import watched
from benchmarks.stickers.detector import Detector, load_detector
from benchmarks.stickers.generated import LoadedGenerator, right_images
from benchmarks.stickers.prompts import EvaluationPrompt, sized_pairs
from generation import GridRequest
from search import Attempt, Budget, search

if TYPE_CHECKING:
    from PIL.Image import Image

IMAGES = (1, 2, 4, 8, 16)
"""Budgets, in whole images."""
SEED = 200_000
"""Of the first image; each prompt has a thousand seeds."""
TRIED = 8
"""Images that say whether a prompt comes out right now and then."""
NOW_AND_THEN = range(1, 6)
"""How many of them are right then: 12 to 63 %."""
SEARCHED = ("route", "repair", "restate", "prune", "neighbours")
OTHERS = ("vnli", "clip")
ONE_SHOT, RESAMPLE, ORACLE = "one shot", "resample", "oracle"
DRAWN = (RESAMPLE, "neighbours", "best of n by vq2", ORACLE)
"""The ways that the figure shows."""


class Ending(NamedTuple):
    """What a search ended with under one budget."""

    right: float
    """By the detector; a share where several orders of the same images are counted."""
    evaluations: float
    stopped: float
    """Whether it ended because the image was held to be right."""
    truly: float
    """Whether it did, and the image was right."""


@dataclass(frozen=True)
class Searched:
    """One prompt under every way and budget."""

    endings: Mapping[str, tuple[Ending, ...]]
    """Way -> an ending for each of `IMAGES`."""
    judging: Mapping[str, float]
    """Strategy -> the share of its seconds that went into judging."""


def main(
    *,
    model: given.ModelName = "stickers",
    strategies: Annotated[
        str, typer.Option(help="Which are run, beside those that draw the same images anew.")
    ] = ",".join(SEARCHED),
    limit: given.Limit = 24,
    seed: given.Seed = 7,
    figure: Annotated[Path | None, typer.Option(help="The .svg file to draw.")] = None,
) -> None:
    """Search for every prompt by every strategy, then print the tables and one JSON line."""
    generator, painter = np.random.default_rng(seed), LoadedGenerator.of(model)
    bench = _Bench(
        painter, Models(alignment.find_bundle("embedded")), load_detector(), strategies.split(",")
    )
    found: list[Searched] = []
    told: list[dict[str, object]] = []
    hard = itertools.islice(filter(bench.now_and_then, sized_pairs(random.Random(seed))), limit)
    for prompt in watched(hard, "prompts", limit):
        found.append(bench.searched(prompt, SEED + 1000 * len(found)))
        ends = {way: [e[-1].right, e[-1].evaluations] for way, e in found[-1].endings.items()}
        told.append({"prompt": prompt.prompt, "at most": ends})
    numbers = right_by_budget(found, generator)
    if figure:
        panel_chart([budget_panel(numbers)], 1, figure)
    gained = [*over_resampling(found, generator)]
    by_budget = [*itertools.chain(*numbers.values())]
    title = f"Ends right, by the detector, of {len(found)} prompts, by whole images (95 %)"
    spent = [*costs(found), *gained]
    tables = [
        pivot(title, by_budget, ["way"], "images"),
        pivot(f"At {IMAGES[-1]} images; gain over {RESAMPLE}", spent, ["way"], "name"),
    ]
    publish("search", tables, [*by_budget, *spent], {"prompts": told})


@dataclass(frozen=True)
class _Bench:
    """The models of a benchmark."""

    painter: LoadedGenerator
    models: Models
    detector: Detector
    strategies: Sequence[str]

    def now_and_then(self, prompt: EvaluationPrompt) -> bool:
        """Whether a prompt comes out right in some images; not where the first two are right."""
        right: list[bool] = []
        for count in (2, TRIED - 2):
            seed = len(right)
            images = self.painter.grid(prompt.prompt, (1, count), seed, completion=True)
            right += right_images(images, prompt, self.detector)
            if all(right):
                return False
        return sum(right) in NOW_AND_THEN

    def searched(self, prompt: EvaluationPrompt, seed: int) -> Searched:
        """One prompt under every way."""
        pool = self.attempts(prompt, seed, "best-of-n")
        images = [each.image for each in pool]
        right = right_images(images, prompt, self.detector)
        endings = dict(from_pool(pool, right, self.others(prompt, images)))
        judging = {RESAMPLE: judging_share(pool)}
        for name in self.strategies:
            attempts = self.attempts(prompt, seed, name)
            truth = right_images([each.image for each in attempts], prompt, self.detector)
            steps = self.painter.spec.steps
            endings[name] = tuple(ended(attempts, truth, n * steps) for n in IMAGES)
            judging[name] = judging_share(attempts)
        return Searched(endings, judging)

    def attempts(self, prompt: EvaluationPrompt, seed: int, strategy: str) -> list[Attempt]:
        """A search with the largest budget."""
        spec = self.painter.spec
        request = GridRequest(prompt.prompt, 1, 1, seed, spec.name, completion=True)
        budget = Budget(evaluations=IMAGES[-1] * spec.steps)
        return [*search(request, self.painter.pipeline, spec, self.models, budget, strategy)]

    def others(self, prompt: EvaluationPrompt, images: Sequence[Image]) -> dict[str, list[float]]:
        """Method -> the scores that best of n chooses by, beside VQ2."""
        return {
            name: alignment.score(images, [prompt.prompt], self.models, name).values[:, 0].tolist()
            for name in OTHERS
        }


def from_pool(
    pool: Sequence[Attempt], right: Sequence[bool], others: Mapping[str, Sequence[float]]
) -> Iterator[tuple[str, tuple[Ending, ...]]]:
    """The ways that draw each image from a seed of its own: resampling from the first on, as the
    strategies begin, the others over all turns of the same images.
    """
    scores = {"vq2": [each.score.value or 0.0 for each in pool], **others}
    every = [[(first + at) % len(pool) for at in range(len(pool))] for first in range(len(pool))]
    steps = pool[0].cost.evaluations
    yield ONE_SHOT, averaged(every, lambda turn, n: Ending(right[turn[0]], steps, 0, 0))
    for name, values in scores.items():

        def best(turn: list[int], n: int, values: Sequence[float] = values) -> Ending:
            chosen = max(turn[:n], key=values.__getitem__)
            return Ending(right[chosen], n * steps, 0, 0)

        yield f"best of n by {name}", averaged(every, best)
    held = next((n for n, each in enumerate(pool, start=1) if each.holds), len(pool))
    yield RESAMPLE, tuple(ended(pool[:held], right, n * steps) for n in IMAGES)

    def oracle(turn: list[int], n: int) -> Ending:
        return Ending(any(right[image] for image in turn[:n]), n * steps, 0, 0)

    yield ORACLE, averaged(every, oracle)


def averaged(
    turns: Sequence[list[int]], ending: Callable[[list[int], int], Ending]
) -> tuple[Ending, ...]:
    """An ending for each budget, the mean over turns of the images."""
    return tuple(
        Ending(*np.mean([ending(turn, n) for turn in turns], axis=0).tolist()) for n in IMAGES
    )


def ended(attempts: Sequence[Attempt], right: Sequence[bool], evaluations: int) -> Ending:
    """What a search would have ended with under a smaller budget."""
    within = [each for each in attempts if each.spent.evaluations <= evaluations]
    last = within[-1]
    stopped = last.holds is True
    truth = right[last.best]
    return Ending(truth, last.spent.evaluations, stopped, stopped and truth)


def judging_share(attempts: Sequence[Attempt]) -> float:
    """Of the seconds of a search."""
    return attempts[-1].spent.judging / attempts[-1].spent.seconds


def right_by_budget(
    found: Sequence[Searched], generator: np.random.Generator
) -> dict[str, list[Number]]:
    """Way -> the share that ends right, for each budget."""
    return {
        name: [
            Number.of(
                "right",
                {"way": name, "images": n, "n": len(found)},
                measured_mean([each.endings[name][at].right for each in found], generator),
            )
            for at, n in enumerate(IMAGES)
        ]
        for name in found[0].endings
    }


def budget_panel(numbers: Mapping[str, Sequence[Number]]) -> Panel:
    """The share that ends right against the budget, one line for each of `DRAWN` that was run."""
    places = [math.log(n, IMAGES[-1]) for n in IMAGES]
    drawn = {
        name: [(place, each.value) for place, each in zip(places, numbers[name], strict=True)]
        for name in DRAWN
        if name in numbers
    }
    count = numbers[ONE_SHOT][0].about["n"]
    title = f"ends right, of {count} prompts"
    ticks = tuple(zip(places, map(str, IMAGES), strict=True))
    return Panel(title, "budget, in whole images", "share, by the detector", drawn, ticks=ticks)


def over_resampling(found: Sequence[Searched], generator: np.random.Generator) -> Iterator[Number]:
    """What each way adds to the share of resampling at the largest budget, prompt by prompt."""
    right = {
        way: np.array([float(each.endings[way][-1].right) for each in found])
        for way in found[0].endings
    }
    for way, values in right.items():
        if way != RESAMPLE:
            gained = measured_mean(values - right[RESAMPLE], generator, bounds=(-1.0, 1.0))
            about = {"way": way, "over": RESAMPLE, "images": IMAGES[-1], "n": len(found)}
            yield Number.of("right gain", about, gained, chance=0.0)


def costs(found: Sequence[Searched]) -> Iterator[Number]:
    """What the largest budget bought: evaluations, verdicts, the share of seconds for judging."""
    for name in found[0].endings:
        last = [each.endings[name][-1] for each in found]
        spent, right = sum(e.evaluations for e in last), sum(e.right for e in last)
        stopped, truly = sum(e.stopped for e in last), sum(e.truly for e in last)
        judging = [each.judging[name] for each in found if name in each.judging]
        about = {"way": name, "images": IMAGES[-1], "n": len(found)}
        for what, value in (
            ("evaluations", spent / len(found)),
            ("per right one", spent / right if right else math.nan),
            ("stopped", stopped / len(found)),
            ("truly right", truly / stopped if stopped else math.nan),
            ("judging, of seconds", float(np.mean(judging)) if judging else math.nan),
        ):
            yield Number(what, about, value)

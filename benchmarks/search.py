"""How often a search ends with a right image, by its strategy and by what it may spend.

Prompts are as people type them, and `icons` generates, completed by its seeds as on the page: those
of 423 of which a reader called one to five of eight other images right. What is right is said by
readers (language models), who saw no scores, of sixteen new images of each prompt, and of the one
that each strategy ends with; words that the page does not judge were named to them, and left out.
Budgets are those of 1, 2, 4, 8 and 16 whole images, in evaluations of the text-to-image model. One
shot, best of n by each method, resampling and the oracle are given the same images, the strategies
the largest budget. With `--figure`, the share right is drawn against the budget; with `--images`,
all that is to be read is written into a folder.

For example:

    python -m benchmarks search --figure assets/search.svg
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer

import alignment
from alignment import Models
from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.charts import Panel, panel_chart
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.data.searched import SearchedPrompt, read_prompts
from benchmarks.progress import watched
from benchmarks.read_by_eye import KINDS
from benchmarks.statistics.best_of_n import best_of_n
from benchmarks.stickers.generated import LoadedGenerator
from generation import GridRequest
from search import Attempt, Budget, search

MODEL = "icons"
IMAGES = (1, 2, 4, 8, 16)
"""Budgets, in whole images."""
OTHERS = ("vnli", "clip")
ONE_SHOT, RESAMPLE, ORACLE = "one shot", "resample", "oracle"
DRAWN = (RESAMPLE, "best of n by vq2", ORACLE)
"""The ways that the figure shows."""
SEARCHED = ("route", "repair", "restate", "prune", "neighbours")
RIGHT = "r"
"""A letter of `KINDS`."""


class Ending(NamedTuple):
    """What a search ended with under one budget."""

    right: float
    """By the reader; a share where several choices of the same images are counted."""
    evaluations: float
    stopped: float
    """Whether it ended because the image was held to be right."""
    truly: float
    """Whether it did, and the image was right."""


@dataclass(frozen=True)
class Searched:
    """One prompt under every way and budget."""

    endings: Mapping[str, tuple[Ending, ...]]
    """Way -> an ending for each of `IMAGES`; of a strategy, for the largest alone."""
    held: tuple[tuple[str, bool], ...]
    """Of each of the sixteen images, its letter and whether VQ2 holds it to be right."""
    judging: Mapping[str, float]
    """Strategy -> the share of its seconds that went into judging."""


def main(
    *,
    limit: given.Limit = None,
    seed: given.Seed = 7,
    figure: Annotated[Path | None, typer.Option(help="The .svg file to draw.")] = None,
    images: Annotated[Path | None, typer.Option(help="A folder for the images.")] = None,
) -> None:
    """Search for every prompt by every strategy, then print the tables and one JSON line."""
    generator = np.random.default_rng(seed)
    bench = _Bench(LoadedGenerator.of(MODEL), Models(alignment.find_bundle("embedded")), images)
    read = read_prompts()[:limit]
    found = [bench.searched(each) for each in watched(read, "prompts")]
    numbers = right_by_budget(found, generator)
    if figure:
        panel_chart([budget_panel(numbers)], 1, figure)
    by_budget = [*itertools.chain(*numbers.values())]
    title = f"Ends right, as read, of {len(found)} prompts, by whole images (95 %)"
    spent = [*costs(found), *over_resampling(found, generator)]
    seen = [*read_as(found, read, generator)]
    tables = [
        pivot(title, by_budget, ["way"], "images"),
        pivot(f"At {IMAGES[-1]} images; gain over {RESAMPLE}", spent, ["way"], "name"),
        pivot(f"Of {IMAGES[-1]} images each, by what was read in them", seen, ["read"], "name"),
    ]
    publish("search", tables, [*by_budget, *spent, *seen])


@dataclass(frozen=True)
class _Bench:
    """The models of a benchmark."""

    generator: LoadedGenerator
    models: Models
    images: Path | None
    """Where images are written."""

    def searched(self, prompt: SearchedPrompt) -> Searched:
        """One prompt under every way."""
        pool = self.attempts(prompt, "best-of-n")
        endings = dict(
            from_pool(pool, [*map(RIGHT.__eq__, prompt.read)], self.others(prompt, pool))
        )
        judging = {RESAMPLE: judging_share(pool)}
        for name in SEARCHED:
            attempts = self.attempts(prompt, name)
            letter = prompt.letter(name, attempts[attempts[-1].best], pool)
            endings[name] = (ended(attempts, letter == RIGHT),)
            judging[name] = judging_share(attempts)
        held = zip(prompt.read, (each.holds is True for each in pool), strict=True)
        return Searched(endings, tuple(held), judging)

    def attempts(self, prompt: SearchedPrompt, strategy: str) -> list[Attempt]:
        """A search with the largest budget; what is to be read of it is written."""
        spec = self.generator.spec
        request = GridRequest(prompt.prompt, 1, 1, prompt.seed, spec.name, completion=True)
        budget = Budget(evaluations=IMAGES[-1] * spec.steps)
        found = [*search(request, self.generator.pipeline, spec, self.models, budget, strategy)]
        if self.images:
            folder = self.images / str(prompt.seed)
            folder.mkdir(parents=True, exist_ok=True)
            kept = {strategy: found[found[-1].best]}
            if strategy == "best-of-n":
                kept = {f"{each.number + 1:02}": each for each in found}
            for name, each in kept.items():
                each.image.save(folder / f"{name}.png")
        return found

    def others(self, prompt: SearchedPrompt, pool: Sequence[Attempt]) -> dict[str, list[float]]:
        """Method -> the scores that best of n chooses by, beside VQ2."""
        images = [each.image for each in pool]
        return {
            name: alignment.score(images, [prompt.prompt], self.models, name).values[:, 0].tolist()
            for name in OTHERS
        }


def from_pool(
    pool: Sequence[Attempt], right: Sequence[bool], others: Mapping[str, Sequence[float]]
) -> Iterator[tuple[str, tuple[Ending, ...]]]:
    """The ways that draw each image from a seed of its own: resampling from the first on, as the
    strategies begin, the others expected over every choice of so many of the images.
    """
    steps = pool[0].cost.evaluations
    scores = {"vq2": [each.score.value or 0.0 for each in pool], **others}
    chosen_by: dict[str, Sequence[float]] = {
        f"best of n by {name}": scores[name] for name in scores
    }
    yield ONE_SHOT, (Ending(float(np.mean(right)), steps, 0, 0),) * len(IMAGES)
    for name, values in (chosen_by | {ORACLE: right}).items():
        best = best_of_n(values, right)
        yield name, tuple(Ending(float(best[n - 1]), n * steps, 0, 0) for n in IMAGES)
    held = next((n for n, each in enumerate(pool, start=1) if each.holds), len(pool))
    resampled = [pool[: min(held, n)] for n in IMAGES]
    yield RESAMPLE, tuple(ended(each, right[each[-1].best]) for each in resampled)


def ended(attempts: Sequence[Attempt], right: bool) -> Ending:
    """What a search ended with, and whether that is right."""
    last = attempts[-1]
    stopped = last.holds is True
    return Ending(right, last.spent.evaluations, stopped, stopped and right)


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
        for name, endings in found[0].endings.items()
        if len(endings) == len(IMAGES)
    }


def budget_panel(numbers: Mapping[str, Sequence[Number]]) -> Panel:
    """The share that ends right against the budget, one line for each of `DRAWN`."""
    places = [math.log(n, IMAGES[-1]) for n in IMAGES]
    drawn = {
        name: [(place, each.value) for place, each in zip(places, numbers[name], strict=True)]
        for name in DRAWN
    }
    count = numbers[ONE_SHOT][0].about["n"]
    title = f"ends right, of {count} prompts"
    ticks = tuple(zip(places, map(str, IMAGES), strict=True))
    return Panel(title, "budget, in whole images", "share, as read", drawn, ticks=ticks)


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


def read_as(
    found: Sequence[Searched], read: Sequence[SearchedPrompt], generator: np.random.Generator
) -> Iterator[Number]:
    """How many images were read as each kind, by the reader who counts and by the other, and how
    many of each VQ2 holds to be right; prompts drawn.
    """
    numbers = range(len(found))
    for letter, kind in KINDS.items():
        by = {
            "images": [each.read for each in read],
            "images, other reader": [each.read_again for each in read],
        }
        for name, letters in by.items():
            shares = [each.count(letter) / len(each) for each in letters]
            about = {"read": kind, "n": len(read)}
            yield Number.of(name, about, measured_mean(shares, generator))
        told = [(holds, at) for at in numbers for one, holds in found[at].held if one == letter]
        if told:
            holds, prompts = zip(*told, strict=True)
            about |= {"n": len(told)}
            yield Number.of("held to be right", about, measured_mean(holds, generator, prompts))


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

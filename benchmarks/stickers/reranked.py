"""Whether the first picture of a grid is right, as generated and as each method reranks it.

The pictures are generated; what they show is read by the sticker detector, which shares nothing
with the methods, so that a method can lose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from rich.table import Table

from alignment.evaluation import METHODS, evaluate
from alignment.models.loading import Models
from alignment.questions.settings import Vq2Settings
from alignment.statistics.intervals import measured_mean, proportion_interval
from benchmarks.data.numbers import Number, blank_table
from benchmarks.stickers.detector import Detector, detect, to_pixels
from benchmarks.stickers.generated import LoadedGenerator
from benchmarks.stickers.prompts import EvaluationPrompt, satisfies

HARD = ("typed", "many")
"""Kinds of prompts to rank pictures of: of the others nearly every picture is correct."""
RERANKED = 40
"""Prompts of each hard kind of which nine pictures are ranked."""
SIDE = 3
SEED = 9000
"""Of the first picture; every further one has the next seed."""
AS_GENERATED, RANDOM, BEST = "as generated", "random", "at best"


@dataclass(frozen=True)
class RankedGrid:
    """Pictures of one prompt: which are right, and which each method shows first."""

    correct: tuple[bool, ...]
    """By the detector."""
    first: Mapping[str, int]
    """Method -> the cell it ranks first; cell 0 where it could score none."""


def ranked_grids(
    prompts: Sequence[EvaluationPrompt],
    generator: LoadedGenerator,
    models: Models,
    detector: Detector,
    settings: Vq2Settings | None = None,
) -> Iterator[RankedGrid]:
    """A grid of nine for each prompt, ranked as the page ranks it."""
    for index, prompt in enumerate(prompts):
        images = generator.grid(prompt.prompt, (SIDE, SIDE), SEED + SIDE**2 * index)
        *_, last = evaluate(prompt.prompt, images, SIDE, SIDE, models, settings=settings)
        found = last.report.rankings if last.report else {}
        scenes = detect(detector, to_pixels(images))
        correct = tuple(satisfies(scene, prompt) for scene in scenes)
        yield RankedGrid(correct, {name: each.order[0] for name, each in found.items()})


def first_right(
    grids: Sequence[RankedGrid],
    generator: np.random.Generator,
    methods: Sequence[str] = METHODS,
    **about: object,
) -> dict[str, Number]:
    """The share of prompts whose first picture is right, by what puts it first.

    Beside the methods: a picture chosen at random, which is the chance level, the first one as
    generated, and the most that any ranking reaches.

    Args:
        grids: one for each prompt.
        generator: of the intervals, in which prompts are drawn.
        methods: which rank.
        about: for the signatures.

    >>> grids = [RankedGrid((False, True), {"vq2": 1}), RankedGrid((False, False), {"vq2": 0})]
    >>> found = first_right(grids, np.random.default_rng(7), ["vq2"])
    >>> {name: number.value for name, number in found.items()}
    {'random': 0.25, 'as generated': 0.0, 'vq2': 0.5, 'at best': 0.5}
    """
    shares = {RANDOM: [float(np.mean(grid.correct)) for grid in grids]}
    shares[AS_GENERATED] = [float(grid.correct[0]) for grid in grids]
    for name in methods:
        shares[name] = [float(grid.correct[grid.first[name]]) for grid in grids]
    shares[BEST] = [float(any(grid.correct)) for grid in grids]
    chance = float(np.mean(shares[RANDOM]))
    return {
        name: _number(values, generator, chance, method=name, **about)
        for name, values in shares.items()
    }


def gains(
    grids: Sequence[RankedGrid],
    generator: np.random.Generator,
    methods: Sequence[str] = METHODS,
    **about: object,
) -> dict[str, Number]:
    """What each method adds to the same share as generated, prompt by prompt, in [-1, 1]."""
    found = {}
    for name in methods:
        values = [float(g.correct[g.first[name]]) - float(g.correct[0]) for g in grids]
        gain = measured_mean(values, generator, bounds=(-1.0, 1.0))
        if not any(values):  # no prompt changed: bounded by how many might have
            most = proportion_interval(0, gain.n)[1]
            gain = replace(gain, low=-most, high=most)
        said = {"method": name, "over": AS_GENERATED, "n": len(grids), **about}
        found[name] = Number.of("P@1 gain", said, gain, chance=0.0)
    return found


def first_table(found: Mapping[str, Number], gained: Mapping[str, Number]) -> Table:
    """One row for each way to choose the first picture."""
    n = next(iter(found.values())).units
    title = f"First of nine pictures right, by the detector (95 %, {n} prompts drawn)"
    table = blank_table(title, "first by", "right", "95 %", "over as generated", "95 %")
    for name, number in found.items():
        gain = gained.get(name)
        more = (f"{gain.value:+.3f}", f"{gain.low:+.3f} .. {gain.high:+.3f}") if gain else ("", "")
        table.add_row(name, str(number), number.interval, *more)
    return table


def _number(
    values: Sequence[float], generator: np.random.Generator, chance: float, **about: object
) -> Number:
    said = {**about, "n": len(values)}
    return Number.of("P@1", said, measured_mean(values, generator), chance=chance)

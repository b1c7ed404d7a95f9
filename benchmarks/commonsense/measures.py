"""What images of prompt pairs say of a text-to-image model, and people beside it, in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np
import pandas as pd

from alignment.prompt_pairs.description_match import Evaluator, fit_matrices
from alignment.prompt_pairs.records import MatchMatrix, PromptPair
from alignment.prompt_pairs.score import expected_score, generation_scores
from alignment.statistics.intervals import measured_mean
from benchmarks.commonsense.images import Generations
from benchmarks.data.numbers import Number
from benchmarks.data.printed import COMMONSENSE_PAIRS, commonsense_people
from benchmarks.progress import watched

Scores = tuple[float | None, ...]
"""One for each pair or generation; None where an image could not be judged."""

REVISED, OUTRIGHT = " revised", " outright"
"""End the name of a text-to-image model that was given enriched prompts, or the descriptions."""
CHANCE = 0.25
"""Of a generation whose two images each show one of the two descriptions at random."""
ALL = "all"


@dataclass(frozen=True)
class GeneratedPairs:
    """The images that one text-to-image model generated of some pairs."""

    model: str
    pairs: tuple[PromptPair, ...]
    images: Iterable[Generations]


@dataclass(frozen=True)
class PairResult:
    """What one evaluator makes of the images of one text-to-image model."""

    generated: GeneratedPairs
    evaluator: str
    matrices: tuple[MatchMatrix, ...]
    """Of each pair."""

    @property
    def model(self) -> str:
        """The text-to-image model."""
        return self.generated.model

    @property
    def about(self) -> dict[str, object]:
        """For signatures."""
        return {"model": self.model, "evaluator": self.evaluator}

    @cached_property
    def scores(self) -> Scores:
        """Of each pair, in exact expectation over the coins."""
        return tuple(map(expected_score, self.matrices))

    @cached_property
    def generations(self) -> tuple[Scores, ...]:
        """Of each pair."""
        return tuple(map(generation_scores, self.matrices))

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A row for each pair, from 1: score, category, and expected, what its images must show,
        whichever comes first, which is what intervals draw.
        """
        pairs = self.generated.pairs
        columns = {
            "score": np.array(self.scores, float),
            "category": [pair.category for pair in pairs],
            "expected": [" / ".join(sorted(pair.descriptions)) for pair in pairs],
        }
        return pd.DataFrame(columns, index=range(1, len(pairs) + 1))

    @property
    def known(self) -> pd.DataFrame:
        """The pairs that were judged."""
        return self.pairs.dropna(subset="score")


def match(generated: GeneratedPairs, evaluators: Mapping[str, Evaluator]) -> list[PairResult]:
    """One result for each evaluator, from one look at the images."""
    matrices: dict[str, list[MatchMatrix]] = {name: [] for name in evaluators}
    passing = watched(generated.images, f"pairs, {generated.model}", len(generated.pairs))
    for pair, images in zip(generated.pairs, passing, strict=True):
        for name, evaluator in evaluators.items():
            *_, full = fit_matrices(pair, images, evaluator)
            matrices[name].append(full)
    return [PairResult(generated, name, tuple(found)) for name, found in matrices.items()]


def accuracies(result: PairResult, generator: np.random.Generator) -> Iterator[Number]:
    """The mean score of all pairs, then of each category, of the generations that were judged."""
    judged = [score is not None for row in result.generations for score in row]
    for category, own in ((ALL, result.known), *result.known.groupby("category")):
        about = {**result.about, "category": category, "n": len(own)}
        if category == ALL:
            about["judged"] = f"{sum(judged)}/{len(judged)}"
        if len(own):
            mean = measured_mean(own["score"], generator, own["expected"])
            yield Number.of("accuracy", about, mean, chance=CHANCE)
        else:
            yield Number("accuracy", about, nan, chance=CHANCE)


def beside(result: PairResult) -> Iterator[Number]:
    """The shares of replies that were not read, and of images that fit both descriptions.

    Of the images that an evaluator was asked about; none where there are none.
    """
    every = (fit for matrix in result.matrices for row in matrix.fits for fit in row)
    fits = [each.fits for each in every if not each.reason]
    if fits:
        unread, both = sum(fit.count(None) for fit in fits), fits.count((True, True))
        replies = 2 * len(fits)
        yield Number("unreadable", {**result.about, "n": replies}, unread / replies)
        yield Number("fits both", {**result.about, "n": len(fits)}, both / len(fits))


def gains(results: Iterable[PairResult], generator: np.random.Generator) -> Iterator[Number]:
    """How much better a text-to-image model is with other prompts, by the same evaluator."""
    by_name = {(each.model, each.evaluator): each for each in results}
    for (model, evaluator), plain in by_name.items():
        for ending in (REVISED, OUTRIGHT):
            if not (other := by_name.get((model + ending, evaluator))):
                continue
            gained = (other.pairs["score"] - plain.pairs["score"]).dropna()
            about = {**other.about, "over": model, "n": len(gained)}
            if len(gained):
                units = plain.pairs["expected"][gained.index]
                mean = measured_mean(gained, generator, units, bounds=(-1.0, 1.0))
                yield Number.of("gain", about, mean, chance=0.0)


def people(result: PairResult) -> Iterator[Number]:
    """Beside the accuracy of all published pairs, what is printed of people, where it is."""
    theirs, ours = commonsense_people(result.model), result.known["score"]
    if len(ours) and theirs is not None and len(result.scores) == COMMONSENSE_PAIRS:
        about = {**result.about, "n": len(ours)}
        yield Number("people", about, theirs)
        yield Number("minus people", about, ours.mean() - theirs)

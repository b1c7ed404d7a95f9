"""Generated images with a score and, where people were asked, what people say of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from alignment.statistics.intervals import measured_mean
from benchmarks.data.dsg import image_scores, read_answers, read_ratings
from benchmarks.data.numbers import Number
from benchmarks.data.scored_pairs import LabelledScores, read_scored
from benchmarks.options import Evaluators, PairSource
from benchmarks.statistics.correlation import r_squared, rank_correlation
from session.errors import DataError

FEWEST = 3
"""A correlation of fewer says nothing."""


@dataclass(frozen=True)
class RatedImage:
    """One image: what it was asked to show, what it scores, and what people say."""

    prompt_set: str
    system: str
    """The text-to-image model."""
    prompt: str
    score: float
    people: float | None
    """Their mean rating, or 1 and 0 for right and wrong; None where nobody was asked."""


def read_rated(
    answers: Path | None, ratings: Path | None, source: PairSource, evaluators: Evaluators
) -> dict[str, list[RatedImage]]:
    """What scores them -> the images that it could score and whose text-to-image model is known.

    Photographs are left out: no text-to-image model made them.

    Args:
        answers: a file of answers in DSG's format; then the pairs are not looked at.
        ratings: people's, in DSG's format.
        source: of labelled pairs.
        evaluators: of the pairs.

    Raises:
        DataError: neither is given, or a file cannot be read.
    """
    if answers:
        return {answers.stem: _from_answers(answers, ratings)}
    if not source.given:
        raise DataError("give --answers and --ratings, or --table and --images, or --hub")
    scored = read_scored(source, evaluators, lambda pair: pair.text_to_image_model)
    return {method: _from_pairs(scored, method) for method in evaluators.methods}


def _from_answers(answers: Path, ratings: Path | None) -> list[RatedImage]:
    """One image for each in the file of answers; dependencies count."""
    given = read_answers(answers)
    liked = read_ratings(ratings) if ratings else {}
    sets = {answer.generated: answer.prompt_set for answer in given}
    scores = image_scores(given, dependencies=True)
    return [
        RatedImage(sets[image], *image, score=score, people=liked.get(image))
        for image, score in scores.items()
    ]


def _from_pairs(scored: Iterable[LabelledScores], method: str) -> list[RatedImage]:
    """The pairs that the method could score."""
    return [
        RatedImage(
            "/".join(filter(None, (pair.data_set, pair.category))),
            pair.text_to_image_model,
            pair.text,
            score,
            float(pair.holds),
        )
        for each in scored
        for pair, score in [(each.pair, each.scores[method])]
        if score is not None
    ]


def mean_score(
    images: Sequence[RatedImage], generator: np.random.Generator, **settings: object
) -> Number:
    """The mean over prompts of the mean over a prompt's images; the interval draws prompts."""
    prompts: dict[str, list[float]] = {}
    for each in images:
        prompts.setdefault(each.prompt, []).append(each.score)
    means = np.array([fmean(scores) for scores in prompts.values()])
    about = {**settings, "images": len(images), "prompts": len(means)}
    return Number.of("mean score", about, measured_mean(means, generator))


def opinion(images: Iterable[RatedImage]) -> float | None:
    """The mean of what people say of the images that they were asked about, if of any."""
    known = [each.people for each in images if each.people is not None]
    return fmean(known) if known else None


def correlations(
    scores: Sequence[float], people: Sequence[float | None], **settings: object
) -> list[Number]:
    """Spearman's rho, Kendall's tau and R2 where people were asked; none under three.

    None either where scores, or people, say the same of all.
    """
    known = [pair for pair in zip(scores, people, strict=True) if pair[1] is not None]
    if len(known) < FEWEST:
        return []
    ours, theirs = zip(*known, strict=True)
    if len(set(ours)) == 1 or len(set(theirs)) == 1:
        return []
    (rho, tau), linear = rank_correlation(ours, theirs), r_squared(ours, theirs)
    found = (("Spearman", rho, 0.0), ("Kendall", tau, 0.0), ("R2", linear, 1 / (len(known) - 1)))
    return [
        Number(name, {**settings, "n": len(known)}, value, chance=chance)
        for name, value, chance in found
    ]

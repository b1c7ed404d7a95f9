"""Published answers or judged pairs come in; what each picture scores and people say goes out."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.data.dsg import picture_scores, read_answers, read_ratings
from benchmarks.data.judged import Judged, add_options, is_given, read
from benchmarks.data.numbers import Number, signature
from benchmarks.statistics.agreement import bootstrap_interval, rank_correlation

FEWEST = 3
"""A rank correlation of fewer says nothing."""


@dataclass(frozen=True)
class Rated:
    """One picture: what it was asked to show, what it scores, and what people say."""

    prompt_set: str
    system: str
    prompt: str
    score: float
    people: float | None
    """Their mean rating, or 1 and 0 for right and wrong; None where nobody was asked."""


def options_of(name: str, doc: str | None, arguments: Sequence[str]) -> Namespace:
    """Answers and ratings as published with DSG, or SeeTRUE's pairs and who judges them."""
    parser = ArgumentParser(prog=f"python -m benchmarks {name}", description=doc)
    parser.add_argument("--answers", type=Path, help="a file of answers, in DSG's format")
    parser.add_argument("--ratings", type=Path, help="a file of ratings, in DSG's format")
    add_options(parser)
    options = parser.parse_args(arguments)
    if not options.answers and not is_given(options):
        parser.error("give --answers and --ratings, or --table and --images, or --hub")
    return options


def rated(options: Namespace) -> dict[str, list[Rated]]:
    """What judges -> the pictures it could judge whose text-to-image model is known."""
    if options.answers:
        return {options.answers.stem: from_answers(options.answers, options.ratings)}
    judged = read(options, lambda pair: pair.generator)
    return {method: from_judged(judged, method) for method in options.methods}


def from_answers(answers: Path, ratings: Path | None) -> list[Rated]:
    """One picture for each in the file of answers; dependencies count."""
    given = read_answers(answers)
    liked = read_ratings(ratings) if ratings else {}
    sets = {answer.generated: answer.prompt_set for answer in given}
    scores = picture_scores(given, dependencies=True)
    return [
        Rated(sets[generated], *generated, score=score, people=liked.get(generated))
        for generated, score in scores.items()
    ]


def from_judged(judged: Iterable[Judged], method: str) -> list[Rated]:
    """The pairs that the method could judge."""
    return [
        Rated(
            "/".join(filter(None, (pair.data_set, pair.category))),
            pair.generator,
            pair.text,
            score,
            float(pair.holds),
        )
        for each in judged
        for pair, score in [(each.pair, each.scores[method])]
        if score is not None
    ]


def mean_score(
    pictures: Sequence[Rated], generator: np.random.Generator, **settings: object
) -> Number:
    """The mean over prompts of the mean over a prompt's pictures; the interval draws prompts."""
    prompts: dict[str, list[float]] = {}
    for each in pictures:
        prompts.setdefault(each.prompt, []).append(each.score)
    means = np.array([fmean(scores) for scores in prompts.values()])
    made_of = signature("mean score", **settings, pictures=len(pictures), prompts=len(means))
    return Number(made_of, float(means.mean()), *bootstrap_interval(means, generator))


def opinion(pictures: Iterable[Rated]) -> float | None:
    """The mean of what people say of the pictures that they were asked about, if of any."""
    known = [each.people for each in pictures if each.people is not None]
    return fmean(known) if known else None


def agreement(
    scores: Sequence[float], people: Sequence[float | None], **settings: object
) -> list[Number]:
    """Spearman's and Kendall's correlation where people were asked; none under three."""
    known = [pair for pair in zip(scores, people, strict=True) if pair[1] is not None]
    if len(known) < FEWEST:
        return []
    names = ("Spearman", "Kendall")
    return [
        Number(signature(name, **settings, n=len(known)), value)
        for name, value in zip(names, rank_correlation(*zip(*known, strict=True)), strict=True)
    ]

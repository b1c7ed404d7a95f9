"""Which text-to-image model follows its prompts best, which prompts are hard, and do people agree?

The mean score of each text-to-image model on each data set, over the prompts of that data set that
all of its models generated, the best model first, with a 95 % interval in which prompts are drawn,
beside people's mean rating or share of right images; then the correlation with people over models
and data sets (Spearman, Kendall, and R2 as in figure 5 of "What You See is What You Read?") and
over images. Photographs are no text-to-image model and are left out.

`--by prompts` gives the mean of each model on each set of prompts that it generated (DSG's sources;
COCO and the categories of DrawBench), hardest first, and correlations over the sets of one model.

Published answers take seconds; labelled pairs about a second each with the embedded models
(`--limit 20` gives a first look).

For example:

    python -m benchmarks models --answers pali17b_dsg.csv --ratings tifa160-likert-anns.csv
    python -m benchmarks models --table SeeTRUE.csv --images FOLDER --scores kept
    python -m benchmarks models --table SeeTRUE.csv --images FOLDER --scores kept --by prompts
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from statistics import fmean
from typing import Annotated, TypeAlias

import numpy as np
import typer
from rich.table import Table

from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.dsg import image_scores, read_answers, read_ratings
from benchmarks.data.numbers import Number, publish
from benchmarks.data.scored_pairs import LabelledScores, read_scored
from benchmarks.options import Evaluators, PairSource
from benchmarks.statistics.correlation import r_squared, rank_correlation
from session.errors import DataError


class ModelGrouping(str, Enum):
    """What the prompts are told apart by."""

    data = "data"
    prompts = "prompts"


@dataclass(frozen=True)
class MeanScore:
    """How one text-to-image model does on one data set or set of prompts."""

    system: str
    group: str
    score: Number
    people: float | None


@given.with_pairs
@given.with_evaluators
def main(
    answers: given.AnswersFile = None,
    ratings: given.RatingsFile = None,
    *,
    source: given.PairSource,
    chosen: given.Evaluators,
    by: Annotated[ModelGrouping, typer.Option(help="`data` sets, or sets of `prompts`.")] = (
        ModelGrouping.data
    ),
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    generator, tables, numbers = np.random.default_rng(seed), list[Table](), list[Number]()
    compare = by_data if by is ModelGrouping.data else by_prompts
    for name, rated in read_rated(answers, ratings, source, chosen).items():
        means, agreement = compare(rated, name, generator)
        tables.append(table_of(name, means, agreement))
        numbers += [*(each.score for each in means), *agreement]
    publish("models", tables, numbers)


def by_data(
    images: Sequence[RatedImage], scored_by: str, generator: np.random.Generator
) -> tuple[list[MeanScore], list[Number]]:
    """The models of each data set on shared prompts, the best first; correlations with people.

    Raises:
        DataError: a data set has no prompt that all of its models generated.
    """
    parts = shared(images)
    means = _means(parts, scored_by, generator, "data")
    means.sort(key=lambda each: (each.group, -each.score.value))
    together = [each for part in parts.values() for each in part]
    return means, [
        *_correlations(means, of="models and data sets", scored_by=scored_by),
        *correlations(
            [each.score for each in together],
            [each.people for each in together],
            of="images",
            scored_by=scored_by,
        ),
    ]


def by_prompts(
    images: Sequence[RatedImage], scored_by: str, generator: np.random.Generator
) -> tuple[list[MeanScore], list[Number]]:
    """Each model on every set that it generated, hardest first; correlations of each model.

    Models are kept apart, for not all of them generated the same sets.
    """
    parts: Parts = {}
    for each in images:
        parts.setdefault((each.system, each.prompt_set), []).append(each)
    means = _means(parts, scored_by, generator, "prompts_of")
    means.sort(key=lambda each: (each.system, each.score.value))
    agreement = [
        number
        for system in dict.fromkeys(each.system for each in means)
        for own in [[each for each in means if each.system == system]]
        for number in _correlations(own, of="sets of prompts", system=system, scored_by=scored_by)
    ]
    return means, agreement


def _means(
    parts: Parts, scored_by: str, generator: np.random.Generator, called: str
) -> list[MeanScore]:
    found = []
    for (system, group), part in parts.items():
        about = {"system": system, called: group, "scored_by": scored_by}
        found.append(MeanScore(system, group, mean_score(part, generator, **about), opinion(part)))
    return found


def _correlations(means: Sequence[MeanScore], **about: object) -> list[Number]:
    scores, people = [each.score.value for each in means], [each.people for each in means]
    return correlations(scores, people, **about)


def shared(images: Sequence[RatedImage]) -> Parts:
    """The images of the prompts that every model of their data set generated.

    A data set is what stands before the "/" of a set of prompts; the sets of DSG are one together.

    Raises:
        DataError: the models of a data set share no prompt.
    """
    data_sets: dict[str, dict[str, list[RatedImage]]] = {}
    for each in images:
        systems = data_sets.setdefault(_data_set(each), {})
        systems.setdefault(each.system, []).append(each)
    found: Parts = {}
    for data_set, systems in data_sets.items():
        common = set.intersection(*({each.prompt for each in part} for part in systems.values()))
        if not common:
            raise DataError(f"{data_set}: no prompt was generated by all of {', '.join(systems)}")
        for system, part in systems.items():
            found[system, data_set] = [each for each in part if each.prompt in common]
    return found


def _data_set(image: RatedImage) -> str:
    name, slash, _ = image.prompt_set.partition("/")
    return name if slash or name == "coco_t2i" else "all prompts"


def table_of(scored_by: str, means: Sequence[MeanScore], agreement: Sequence[Number]) -> Table:
    """A row for each model and group, then correlations."""
    table = Table("model", "prompts", title=f"Mean score by {scored_by} (95 %, prompts drawn)")
    for heading in ("n", "value", "95 %", "people"):
        table.add_column(heading, justify="right")
    for each in means:
        people = "" if each.people is None else f"{each.people:.3f}"
        value = (str(each.score.units), str(each.score), each.score.interval)
        table.add_row(each.system, each.group, *value, people)
    for number in agreement:
        table.add_row(number.signature, "", "", str(number), "", "")
    return table


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


Parts: TypeAlias = dict[tuple[str, str], list[RatedImage]]
"""Text-to-image model, and data set or set of prompts -> its images."""


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

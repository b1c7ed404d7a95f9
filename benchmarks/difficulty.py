"""Which sets of prompts are hard for a text-to-image model, by its scores?

For each text-to-image model, the mean score on each set of prompts (DSG's sources; COCO and the
categories of DrawBench), hardest first, with a 95 % interval in which prompts are drawn, and
people's mean beside it; then, where people rated enough sets, the correlation over sets.
Text-to-image models are kept apart, for not all of them generated the same sets.

Published answers take seconds; labelled pairs about a second each with the embedded models
(`--limit 20` gives a first look).

For example:

    python -m benchmarks difficulty --answers pali17b_dsg.csv --ratings tifa160-likert-anns.csv
    python -m benchmarks difficulty --table SeeTRUE.csv --images FOLDER --scores kept
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.table import Table

from benchmarks import options as given
from benchmarks.data.numbers import Number, publish
from benchmarks.data.rated import RatedImage, correlations, mean_score, opinion, read_rated


@dataclass(frozen=True)
class Difficulty:
    """How one text-to-image model does on one set of prompts."""

    scored_by: str
    system: str
    prompt_set: str
    score: Number
    people: float | None


def main(
    answers: given.AnswersFile = None,
    ratings: given.RatingsFile = None,
    table: given.Tables = None,
    images: given.ImageHomes = None,
    hub: given.HubDataSet = None,
    limit: given.Limit = None,
    bundle: given.BundleName = "embedded",
    role: given.RoleModels = None,
    methods: given.MethodNames = given.METHODS,
    vq2: given.Vq2Flags = None,
    scores: given.ScoresFolder = None,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    evaluators = given.evaluators(bundle, role, methods, vq2, scores)
    source = given.pair_source(table, images, hub, limit)
    generator = np.random.default_rng(seed)
    found = [
        each
        for name, rated in read_rated(answers, ratings, source, evaluators).items()
        for each in difficulties(rated, name, generator)
    ]
    over_sets = by_people(found)
    lines = [f"{number.signature} = {number}" for number in over_sets]
    publish("difficulty", [table_of(found), *lines], [*(each.score for each in found), *over_sets])


def difficulties(
    images: Sequence[RatedImage], scored_by: str, generator: np.random.Generator
) -> list[Difficulty]:
    """Every text-to-image model on every set that it generated, model by model, hardest first."""
    parts: dict[tuple[str, str], list[RatedImage]] = {}
    for each in images:
        parts.setdefault((each.system, each.prompt_set), []).append(each)
    found = [
        Difficulty(
            scored_by,
            system,
            name,
            mean_score(part, generator, system=system, prompts_of=name, scored_by=scored_by),
            opinion(part),
        )
        for (system, name), part in parts.items()
    ]
    return sorted(found, key=lambda each: (each.system, each.score.value))


def by_people(found: Sequence[Difficulty]) -> list[Number]:
    """Correlation with people over the sets of each text-to-image model, where enough are rated."""
    models = dict.fromkeys((each.scored_by, each.system) for each in found)
    return [
        number
        for scored_by, system in models
        for sets in [
            [each for each in found if (each.scored_by, each.system) == (scored_by, system)]
        ]
        for number in correlations(
            [each.score.value for each in sets],
            [each.people for each in sets],
            of="sets of prompts",
            system=system,
            scored_by=scored_by,
        )
    ]


def table_of(found: Sequence[Difficulty]) -> Table:
    """A row for each score, text-to-image model and set."""
    title = "Mean score by set of prompts (95 %, prompts drawn)"
    table = Table("score of", "text-to-image model", "prompts", title=title)
    for heading in ("n", "score", "95 %", "people"):
        table.add_column(heading, justify="right")
    for each in found:
        people = "" if each.people is None else f"{each.people:.3f}"
        name = (each.scored_by, each.system, each.prompt_set, str(each.score.units))
        table.add_row(*name, str(each.score), each.score.interval, people)
    return table

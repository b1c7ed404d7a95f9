"""Which sets of prompts are hard for a text-to-image model, by its scores?

    python -m benchmarks difficulty --answers pali17b_dsg.csv --ratings tifa160-likert-anns.csv
    python -m benchmarks difficulty --table SeeTRUE.csv --images FOLDER [--scores FOLDER]

For each text-to-image model, the mean score on each set of prompts (DSG's sources; COCO and the
categories of
DrawBench), hardest first, with a 95 % interval in which prompts are drawn, and people's mean beside
it; then, where people rated enough sets, the rank correlation over sets. Text-to-image models are
kept apart,
for not all of them generated the same sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.table import Table

from benchmarks.data.numbers import Number, publish
from benchmarks.data.rated import Rated, agreement, mean_score, opinion, options_of, rated


@dataclass(frozen=True)
class Difficulty:
    """How one text-to-image model does on one set of prompts."""

    judge: str
    system: str
    prompt_set: str
    score: Number
    people: float | None


def main(arguments: Sequence[str]) -> None:
    """Print the table, then one JSON line."""
    options = options_of("difficulty", __doc__, arguments)
    generator = np.random.default_rng(options.seed)
    found = [
        each
        for judge, pictures in rated(options).items()
        for each in difficulties(pictures, judge, generator)
    ]
    correlations = by_people(found)
    lines = [f"{number.signature} = {number}" for number in correlations]
    scores = [each.score for each in found]
    publish("difficulty", [table_of(found), *lines], [*scores, *correlations])


def difficulties(
    pictures: Sequence[Rated], judge: str, generator: np.random.Generator
) -> list[Difficulty]:
    """Every text-to-image model on every set that it generated; text-to-image model by
    text-to-image model, hardest first.
    """
    parts: dict[tuple[str, str], list[Rated]] = {}
    for each in pictures:
        parts.setdefault((each.system, each.prompt_set), []).append(each)
    found = [
        Difficulty(
            judge,
            system,
            name,
            mean_score(part, generator, system=system, prompts_of=name, judge=judge),
            opinion(part),
        )
        for (system, name), part in parts.items()
    ]
    return sorted(found, key=lambda each: (each.system, each.score.value))


def by_people(found: Sequence[Difficulty]) -> list[Number]:
    """Rank correlation with people over the sets of each text-to-image model, where they rated
    enough.
    """
    pipelines = dict.fromkeys((each.judge, each.system) for each in found)
    return [
        number
        for judge, system in pipelines
        for sets in [[each for each in found if (each.judge, each.system) == (judge, system)]]
        for number in agreement(
            [each.score.value for each in sets],
            [each.people for each in sets],
            of="sets of prompts",
            system=system,
            judge=judge,
        )
    ]


def table_of(found: Sequence[Difficulty]) -> Table:
    """A row for each judge, text-to-image model and set."""
    table = Table("judge", "text-to-image model", "prompts", title="Mean score by set of prompts")
    for heading in ("score", "95 %", "people"):
        table.add_column(heading, justify="right")
    for each in found:
        people = "" if each.people is None else f"{each.people:.3f}"
        name = (each.judge, each.system, each.prompt_set)
        table.add_row(*name, str(each.score), each.score.interval, people)
    return table


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])

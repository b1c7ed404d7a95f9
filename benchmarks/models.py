"""Which painter follows its prompts best, and do scores order painters as people do?

    python -m benchmarks models --answers pali17b_dsg.csv --ratings tifa160-likert-anns.csv
    python -m benchmarks models --table SeeTRUE.csv --images FOLDER [--scores FOLDER]

The mean score of each painter over the prompts that all of them painted, with a 95 % interval in
which prompts are drawn, beside people's mean rating or share of right pictures; then the rank
correlation with people over painters and over pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from rich.table import Table

from benchmarks.data.errors import DataError
from benchmarks.data.numbers import Number, blank_table, publish
from benchmarks.data.rated import Rated, agreement, mean_score, opinion, options_of, rated


@dataclass(frozen=True)
class Painters:
    """What one judge says of all painters."""

    means: Mapping[str, Number]
    """Painter -> mean score, best first."""
    people: Mapping[str, float | None]
    """Painter -> people's mean."""
    agreement: Sequence[Number]
    """Rank correlations, where there are enough painters or pictures that people rated."""


def main(arguments: Sequence[str]) -> None:
    """Print the tables, then one JSON line."""
    options = options_of("models", __doc__, arguments)
    generator = np.random.default_rng(options.seed)
    found = {
        judge: compare(pictures, judge, generator) for judge, pictures in rated(options).items()
    }
    tables = [table_of(judge, painters) for judge, painters in found.items()]
    publish("models", tables, [number for each in found.values() for number in numbers(each)])


def compare(pictures: Sequence[Rated], judge: str, generator: np.random.Generator) -> Painters:
    """Compare painters on the prompts that all of them painted."""
    parts = shared(pictures)
    means = {
        system: mean_score(part, generator, system=system, judge=judge)
        for system, part in parts.items()
    }
    best_first = sorted(means, key=lambda system: -means[system].value)
    people = {system: opinion(parts[system]) for system in best_first}
    all_of_them = [each for part in parts.values() for each in part]
    return Painters(
        {system: means[system] for system in best_first},
        people,
        [
            *agreement(
                [means[system].value for system in people],
                [*people.values()],
                of="painters",
                judge=judge,
            ),
            *agreement(
                [each.score for each in all_of_them],
                [each.people for each in all_of_them],
                of="pictures",
                judge=judge,
            ),
        ],
    )


def shared(pictures: Sequence[Rated]) -> dict[str, list[Rated]]:
    """Painter -> its pictures of the prompts that every painter painted.

    Raises:
        DataError: no prompt is shared by all.
    """
    systems = dict.fromkeys(each.system for each in pictures)
    painted = {(each.system, each.prompt) for each in pictures}
    prompts = {each.prompt for each in pictures}
    common = {
        prompt for prompt in prompts if all((system, prompt) in painted for system in systems)
    }
    if not common:
        raise DataError(f"{', '.join(systems) or 'no painter'}: no prompt was painted by all")
    return {
        system: [each for each in pictures if each.system == system and each.prompt in common]
        for system in systems
    }


def numbers(painters: Painters) -> Iterator[Number]:
    """All that one judge says."""
    yield from painters.means.values()
    yield from painters.agreement


def table_of(judge: str, painters: Painters) -> Table:
    """Painters from best to worst, then correlations."""
    table = blank_table(f"Painters by {judge}", "", "value", "95 %", "people")
    for system, number in painters.means.items():
        people = painters.people[system]
        table.add_row(
            system, str(number), number.interval, "" if people is None else f"{people:.3f}"
        )
    for number in painters.agreement:
        table.add_row(number.passport, str(number), "", "")
    return table


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])

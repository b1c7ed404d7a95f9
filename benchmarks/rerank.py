"""Is the best-scored picture of a prompt one that people found right?

    python -m benchmarks rerank --table SeeTRUE.csv --images FOLDER [--scores FOLDER]

Precision at 1, generator by generator, on the prompts of COCO t2i and DrawBench that have a right
picture among those of the generator. Pictures that share the best score are chosen among at random,
in exact expectation: a random choice is the method whose scores are all equal. A picture that could
not be judged is chosen only where none could.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from rich.table import Table

from benchmarks.data.judged import Judged, by, options_of, read
from benchmarks.data.numbers import Number, blank_table, publish, signature
from benchmarks.data.seetrue import Labelled
from benchmarks.statistics.agreement import bootstrap_interval
from benchmarks.statistics.classification import precision_at_1

RANDOM = "random"


def main(arguments: Sequence[str]) -> None:
    """Print the table, then one JSON line."""
    options = options_of("rerank", __doc__, arguments)
    judged, generator = read(options, chosen_from), np.random.default_rng(options.seed)
    methods = [RANDOM, *options.methods]
    found = {
        name: [precision(chosen, name, method, options.bundle, generator) for method in methods]
        for name, chosen in choices(judged)
    }
    table = table_of(found, methods, {name: len(chosen) for name, chosen in choices(judged)})
    publish("rerank", [table], [number for each in found.values() for number in each])


def choices(judged: Sequence[Judged]) -> Iterator[tuple[str, list[list[Judged]]]]:
    """Data set and generator; the pictures of each prompt that has a choice and a right picture."""
    for name, part in by(judged, chosen_from).items():
        prompts = by(part, lambda pair: pair.text).values()
        solvable = [prompt for prompt in prompts if any(each.pair.holds for each in prompt)]
        if solvable and max(map(len, solvable)) > 1:
            yield name, solvable


def chosen_from(pair: Labelled) -> str:
    """What a picture competes in; "" where nobody knows who made it."""
    return f"{pair.data_set}, {pair.generator}" if pair.generator else ""


def right_choices(prompts: Sequence[Sequence[Judged]], method: str) -> npt.NDArray[np.float64]:
    """Precision at 1 of each prompt, shape (prompts,)."""
    return np.array(
        [
            precision_at_1(
                [each.pair.holds for each in prompt], [_score(each, method) for each in prompt]
            )
            for prompt in prompts
        ]
    )


def precision(
    prompts: Sequence[Sequence[Judged]],
    name: str,
    method: str,
    bundle: str,
    generator: np.random.Generator,
) -> Number:
    """Mean precision at 1 over prompts, with an interval in which prompts are drawn."""
    right = right_choices(prompts, method)
    judge = {} if method == RANDOM else {"bundle": bundle}
    made_of = signature("P@1", data=name, method=method, **judge, n=len(prompts), ties="expected")
    return Number(made_of, float(right.mean()), *bootstrap_interval(right, generator))


def _score(judged: Judged, method: str) -> float:
    """What a method could not judge lies below everything."""
    value = 0.0 if method == RANDOM else judged.scores[method]
    return float("-inf") if value is None else value


def table_of(
    found: Mapping[str, Sequence[Number]], methods: Sequence[str], sizes: Mapping[str, int]
) -> Table:
    """A row for each generator, a column for each method."""
    table = blank_table("Precision at 1 (95 %)", "pictures", "prompts", *methods)
    for name, numbers in found.items():
        cells = (f"{each}\n{each.interval}" for each in numbers)
        table.add_row(name, str(sizes[name]), *cells)
    return table


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])

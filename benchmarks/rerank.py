"""Is the best-scored image of a prompt a right one?

By people's labels: precision at 1, text-to-image model by text-to-image model, on the prompts of
COCO t2i and DrawBench that have a right image among those of the model. Images that share the best
score are chosen among at random, in exact expectation: a random choice is the method whose scores
are all equal, and its row is the chance level. An image that could not be scored is chosen only
where none could.

About 3,000 pairs at about a second each with the embedded models; `--limit 20` gives a first look.
Of generated images, by an independent detector: `python -m benchmarks best_of_n`.

For example:

    python -m benchmarks rerank --table SeeTRUE.csv --images FOLDER --scores kept
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from rich.table import Table

from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.numbers import Number, blank_table, publish
from benchmarks.data.scored_pairs import LabelledScores, by, read_scored
from benchmarks.data.seetrue import Labelled
from benchmarks.statistics.classification import precision_at_1

RANDOM = "random"


@given.with_pairs
@given.with_evaluators
def main(
    *,
    source: given.PairSource,
    chosen: given.Evaluators,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    generator = np.random.default_rng(seed)
    scored, methods = read_scored(source, chosen, chosen_from), (RANDOM, *chosen.methods)
    found = {
        name: [precision(prompts, name, method, chosen.name, generator) for method in methods]
        for name, prompts in choices(scored)
    }
    numbers = [number for each in found.values() for number in each]
    publish("rerank", [table_of(found, methods)], numbers)


def choices(scored: Sequence[LabelledScores]) -> Iterator[tuple[str, list[list[LabelledScores]]]]:
    """Data set and model; the images of each prompt that has a choice and a right image."""
    for name, part in by(scored, chosen_from).items():
        prompts = by(part, lambda pair: pair.text).values()
        solvable = [prompt for prompt in prompts if any(each.pair.holds for each in prompt)]
        if solvable and max(map(len, solvable)) > 1:
            yield name, solvable


def chosen_from(pair: Labelled) -> str:
    """What an image competes in; "" where nobody knows which model made it."""
    return f"{pair.data_set}, {pair.generator}" if pair.generator else ""


def right_choices(
    prompts: Sequence[Sequence[LabelledScores]], method: str
) -> npt.NDArray[np.float64]:
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
    prompts: Sequence[Sequence[LabelledScores]],
    name: str,
    method: str,
    bundle: str,
    generator: np.random.Generator,
) -> Number:
    """Mean precision at 1 over prompts, with an interval in which prompts are drawn."""
    right, chance = (right_choices(prompts, each) for each in (method, RANDOM))
    models = {} if method == RANDOM else {"bundle": bundle}
    about = {"data": name, "method": method, **models, "n": len(prompts), "ties": "expected"}
    return Number.of("P@1", about, measured_mean(right, generator), chance=float(chance.mean()))


def _score(scored: LabelledScores, method: str) -> float:
    """What a method could not score lies below everything."""
    value = 0.0 if method == RANDOM else scored.scores[method]
    return float("-inf") if value is None else value


def table_of(found: Mapping[str, Sequence[Number]], methods: Sequence[str]) -> Table:
    """A row for each model, a column for each method."""
    table = blank_table("Precision at 1 (95 %, prompts drawn)", "images", "prompts", *methods)
    for name, numbers in found.items():
        table.add_row(name, str(numbers[0].units), *(each.cell for each in numbers))
    return table

"""Tables, sentences and charts about prompt pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from rich.table import Table

from alignment.statistics.intervals import measured_mean
from benchmarks.commonsense.analysis import HumanComparison, Overlap
from benchmarks.commonsense.results import PairResult, revisions
from benchmarks.data.numbers import Number, blank_table, caution

CHANCE = 0.25
"""Of a generation whose two images each show one of the two descriptions at random."""
EXPLAINED = (
    "expected: exactly, over the coin that an image which fits both descriptions throws; drawn: "
    "with one throw, as published; by likelihood: a pair counts as much as the data set says that "
    "its expected images are likely"
)


def accuracy_table(
    results: Sequence[PairResult], people: Mapping[str, HumanComparison], by: str
) -> Table:
    """How often each text-to-image model is right, of the generations that could be judged.

    Args:
        results: a row each; the last row is chance.
        people: evaluator -> what people say on the same pairs.
        by: who these people are.
    """
    title = "Accuracy (95 %, pairs of descriptions drawn)"
    headings = ("expected", "95 %", "judged", "pairs", "descriptions", "drawn", "by likelihood", by)
    table = _table(title, *headings)
    table.caption = EXPLAINED
    for each in results:
        judged = f"{each.judged} of {each.images // 2}"
        compared, mean = people.get(each.evaluator), each.accuracy
        theirs = compared and compared.people.get(each.model)
        said = "–" if theirs is None else f"{theirs:.2%}"
        if mean is None:
            table.add_row(each.model, each.evaluator, "–", "–", judged, *["–"] * 4, said)
            continue
        interval = f"{100 * mean.low:.1f} .. {100 * mean.high:.1f}"
        sizes = (str(mean.pairs), str(mean.n))
        others = (f"{each.drawn:.2%}", f"{each.weighted:.2%}", said)
        table.add_row(
            each.model, each.evaluator, f"{mean.value:.2%}", interval, judged, *sizes, *others
        )
    table.add_section()
    table.add_row("any", "chance", f"{CHANCE:.2%}")
    return table


def reply_table(results: Sequence[PairResult]) -> Table:
    """What could not be read or fits both, and whether alike prompts fail."""
    table = _table(
        "Replies, and prompt similarity against score", "unreadable", "both", "rho", "tau"
    )
    for each in results:
        unreadable = f"{each.unreadable} of {2 * each.images}"
        both = f"{each.coins} of {each.images}"
        ranks = (each.spearman, each.kendall)
        said = ("–" if value is None else f"{value:+.2f}" for value in ranks)
        table.add_row(each.model, each.evaluator, unreadable, both, *said)
    return table


def category_table(results: Sequence[PairResult]) -> Table:
    """How often each text-to-image model is right, by the kind of common sense."""
    sizes = {
        name: max(each.categories[name].pairs for each in results if name in each.categories)
        for name in sorted({name for each in results for name in each.categories})
    }
    headings = (f"{name or 'no category'} ({n})" for name, n in sizes.items())
    table = _table("Accuracy by category (pairs)", *headings)
    for each in results:
        means = (each.categories.get(name) for name in sizes)
        shown = (f"{mean.value:.1%}" if mean else "–" for mean in means)
        table.add_row(each.model, each.evaluator, *shown)
    return table


def sentences(
    results: Sequence[PairResult],
    overlaps: Mapping[str, Sequence[Overlap]],
    people: Mapping[str, HumanComparison],
    generator: np.random.Generator,
) -> Iterator[str]:
    """What revision changes, which errors are shared, how far an evaluator is from people."""
    for plain, revised in revisions(results):
        known = [
            (after - before, repr(sorted(expected)))
            for before, after, expected in zip(
                plain.scores, revised.scores, plain.expected, strict=True
            )
            if before is not None and after is not None
        ]
        if not known:
            yield f"By {plain.evaluator}, no pair of {plain.model} could be judged both times."
            continue
        gains, units = zip(*known, strict=True)
        gained = measured_mean(gains, generator, units, bounds=(-1.0, 1.0))
        yield (
            f"By {plain.evaluator}, {revised.model} differs from {plain.model} by "
            f"{gained.value:+.1%} ({gained.low:+.1%} .. {gained.high:+.1%})."
        )
    for evaluator, found in overlaps.items():
        for each in found:
            yield (
                f"By {evaluator}, {each.first} and {each.second} both fail {each.both} of the "
                f"{each.either} pairs that either fails ({each.by_chance:.1f} by chance)."
            )
    for evaluator, compared in people.items():
        apart = (f"{each:+.2%} on {model}" for model, each in compared.differences.items())
        yield f"{evaluator} differs from people by {', '.join(apart)}."
        if not (each_one := compared.generations):
            continue
        kappa = "–" if each_one.kappa is None else f"{each_one.kappa:.2f}"
        yield (
            f"Generation by generation, in {each_one.share:.1%} of {each_one.n} (kappa "
            f"{kappa}); {each_one.unjudged} more could not be judged."
        )
    sizes = {each.accuracy.n for each in results if each.accuracy}
    yield from caution([Number("accuracy", {}, 0.0, units=size) for size in sizes])


def _table(title: str, *numbers: str) -> Table:
    return blank_table(title, "text-to-image model", "evaluator", *numbers)

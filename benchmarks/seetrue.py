"""Do scores tell images that show what a text says from those that do not, as people labelled them?

ROC AUC of each method on each data set, with a 95 % interval in which whole prompts are drawn, and
the mean over data sets; chance is 0.5. Methods are compared on the pairs that every one of them
could score; beside that, each one on all that it could score itself. Below stands what has been
published: the same data sets, other models.

`--by` tells pairs apart by something else: DrawBench's categories and Winoground's tags, the
text-to-image model, and of EditBench what kind of attribute the prompt is about (counts, colours,
materials, shapes, sizes), whether text or an object is asked for, and the scene. The mean score of
each part then stands beside the share of its pairs that people call right, with the correlation of
the two over parts (figure 5 of "What You See is What You Read?" has R2 over models).

Where several images of a text-to-image model compete for a prompt: precision at 1, the chance that
the best-scored one is right, on the prompts that have a right image. Images that share the best
score are chosen among at random, in exact expectation: a random choice is the method whose scores
are all equal, and its row is the chance level. An image that could not be scored is chosen only
where none could. Of generated images, by an independent detector: `python -m benchmarks best_of_n`.

Of Winoground also the published scores. Text: each image scores higher with its own caption than
with the other; image: each caption scores higher with its own image; group: both. Comparisons are
strict, and an example that a method could not score is wrong.

A first look takes minutes on a CPU, e.g. with `--limit 20`; all 6,930 public pairs take about a
second each with the embedded models, and a GPU with a bundle of the hub.

For example:

    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --scores kept
    python -m benchmarks seetrue --hub yonatanbitton/SeeTRUE --bundle paper
    python -m benchmarks seetrue --hub facebook/winoground --by category
    python -m benchmarks seetrue --table snli_ve_test.jsonl --images flickr30k_images
    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --by attribute --by scene
    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --set clip=clip-rn50x64
    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --vq2 assessment=B
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from types import MappingProxyType
from typing import Annotated, cast

import numpy as np
import numpy.typing as npt
import typer
from rich.table import Table

from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.numbers import Number, auc, blank_table, pivot, publish
from benchmarks.data.scored_pairs import LabelledScores, by, column, read_scored, scored_by_all
from benchmarks.data.seetrue import GROUPS, Grouping, chosen_from
from benchmarks.statistics.classification import chance_pair_scores, pair_scores, precision_at_1
from benchmarks.statistics.correlation import r_squared, rank_correlation

DATA_SETS = (
    "snli-ve",
    "winoground",
    "drawbench",
    "editbench",
    "coco_t2i",
    "coco-con",
    "pickapic-con",
)
PUBLISHED = MappingProxyType(
    {
        "CLIP ViT-L/14": (65.8, 53.3, 60.5, 62.1, 58.8, 70.7, 66.8),
        "BLIP": (75.2, 58.2, 60.5, 68.0, 70.7, 84.2, 76.6),
        "BLIP-2 (COCO)": (75.9, 60.0, 65.7, 70.0, 73.3, 85.8, 78.0),
        "VQ2": (88.0, 63.5, 82.6, 73.6, 83.4, 87.1, 81.7),
        "VNLI (PaLI + synthetic)": (94.2, 61.8, 86.8, 77.2, 83.2, 91.0, 85.9),
        "mean of VQ2 and VNLI": (93.9, 63.5, 87.8, 78.4, 85.1, 93.0, 87.3),
    }
)
"""ROC AUC in percent on `DATA_SETS`: Yarom et al., "What You See is What You Read?", table 2."""
RANDOM, ALL = "random", "all"
FEWEST = 3
"""A correlation of fewer says nothing."""


@given.with_pairs
@given.with_evaluators
def main(
    *,
    source: given.PairSource,
    chosen: given.Evaluators,
    group: Annotated[
        list[Grouping] | None,
        typer.Option("--by", help="What pairs are told apart by; repeatable. `data` by default."),
    ] = None,
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    generator, tables, numbers = np.random.default_rng(seed), list[Table](), list[Number]()
    groupings = [each.value for each in group or [Grouping.data]]
    wanted = [GROUPS[name] for name in groupings]
    scored = read_scored(source, chosen, lambda pair: any(of(pair) for of in wanted))
    about = {"bundle": chosen.name}
    for name in groupings:
        for judged_by, some in (("all methods", scored_by_all(scored)), ("each method", scored)):
            found = aucs(some, name, chosen.methods, generator, {**about, "judged_by": judged_by})
            title = f"ROC AUC (95 %, prompts drawn), pairs that {judged_by} could score"
            tables.append(pivot(title, found, ["method"], name))
            numbers += found
        if name != "data":
            found = means(scored, name, chosen.methods, generator, about)
            tables.append(pivot("Mean score (95 %), and people", found, [name, "right"], "method"))
            alike = [each for m in chosen.methods for each in correlations(found, name, m)]
            if alike:
                tables.append(pivot("Mean score against people", alike, ["method"], "name"))
            numbers += [*found, *alike]
    first = [*first_right(scored, chosen.methods, generator, about)]
    if first:
        tables.append(pivot("Precision at 1 (95 %, prompts drawn)", first, ["data"], "method"))
    told = [*told_apart(scored, chosen.methods, generator, about)]
    if told:
        tables.append(pivot("Winoground (95 %, examples drawn)", told, ["method", "tag"], "name"))
    if "data" in groupings:
        tables.append(published_table())
    publish("seetrue", tables, [*numbers, *first, *told])


def aucs(
    scored: Sequence[LabelledScores],
    grouping: str,
    methods: Sequence[str],
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> list[Number]:
    """The AUC of each method on each group of pairs, and the mean over data sets.

    Args:
        scored: of any data sets.
        grouping: one of `GROUPS`.
        methods: what the scores are called by.
        generator: of the intervals.
        about: for the signatures.
    """
    parts, found = by(scored, GROUPS[grouping]), list[Number]()
    for method in methods:
        said = {"method": method, **about}
        numbers = [
            auc_of(part, method, generator, {grouping: name, **said})
            for name, part in parts.items()
        ]
        found += numbers
        if numbers and grouping == "data":
            mean = fmean(each.value for each in numbers)
            found.append(Number("AUC", {"data": "mean of data sets", **said}, mean, chance=0.5))
    return found


def auc_of(
    scored: Sequence[LabelledScores],
    method: str,
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> Number:
    """The AUC of a method on the pairs that it could score."""
    known = column(scored, method)
    counts = {
        "n": len(known.labels),
        "positive": int(known.labels.sum()),
        "unjudged": len(scored) - len(known.labels),
    }
    return auc(known.labels, known.scores, known.units, generator, {**about, **counts})


def means(
    scored: Sequence[LabelledScores],
    grouping: str,
    methods: Sequence[str],
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> list[Number]:
    """The mean score of each group; its signature has the share that people call right."""
    found = []
    for name, part in by(scored, GROUPS[grouping]).items():
        for method in methods:
            known = column(part, method)
            if len(known.scores):
                right = round(float(known.labels.mean()), 3)
                said = {grouping: name, "right": right, "method": method, **about}
                mean = measured_mean(known.scores, generator, known.units)
                found.append(Number.of("mean score", {**said, "n": len(known.scores)}, mean))
    return found


def correlations(found: Sequence[Number], grouping: str, method: str) -> list[Number]:
    """Of mean scores with people over groups, of three at least: Spearman, Kendall and R2."""
    own = [each for each in found if each.about["method"] == method]
    ours, people = [each.value for each in own], [cast("float", e.about["right"]) for e in own]
    if len(own) < FEWEST or len({*ours}) == 1 or len({*people}) == 1:
        return []
    rho, tau = rank_correlation(ours, people)
    about = {"of": grouping, "method": method, "n": len(own)}
    values = {"Spearman": rho, "Kendall": tau, "R2": r_squared(ours, people)}
    chances = {"R2": 1 / (len(own) - 1)}
    return [
        Number(name, about, value, chance=chances.get(name, 0.0)) for name, value in values.items()
    ]


def choices(scored: Sequence[LabelledScores]) -> Iterator[tuple[str, list[list[LabelledScores]]]]:
    """Data set and model; the images of each prompt that has a choice and a right image."""
    for name, part in by(scored, chosen_from).items():
        prompts = by(part, lambda pair: pair.text).values()
        solvable = [prompt for prompt in prompts if any(each.pair.holds for each in prompt)]
        if solvable and max(map(len, solvable)) > 1:
            yield name, solvable


def right_choices(
    prompts: Sequence[Sequence[LabelledScores]], method: str
) -> npt.NDArray[np.float64]:
    """Precision at 1 of each prompt, shape (prompts,); by `RANDOM` in exact expectation."""
    found = []
    for prompt in prompts:
        scores = [0.0 if method == RANDOM else each.scores[method] for each in prompt]
        known = [float("-inf") if score is None else score for score in scores]
        found.append(precision_at_1([each.pair.holds for each in prompt], known))
    return np.array(found)


def first_right(
    scored: Sequence[LabelledScores],
    methods: Sequence[str],
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> Iterator[Number]:
    """Mean precision at 1 over the prompts of each text-to-image model, also of a random choice."""
    for name, prompts in choices(scored):
        chance = float(right_choices(prompts, RANDOM).mean())
        for method in (RANDOM, *methods):
            said = {"data": name, "method": method, **({} if method == RANDOM else about)}
            mean = measured_mean(right_choices(prompts, method), generator)
            yield Number.of("P@1", {**said, "n": len(prompts)}, mean, chance=chance)


def told_apart(
    scored: Sequence[LabelledScores],
    methods: Sequence[str],
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> Iterator[Number]:
    """Winoground's text, image and group score of each method, of all examples and of each tag."""
    examples = [*by(scored, lambda pair: pair.example).values()]
    if not examples:
        return
    tags, chances = [each[0].pair.tag for each in examples], asdict(chance_pair_scores())
    for method in methods:
        right = [asdict(pair_scores([score_matrix(each, method)])) for each in examples]
        for tag in (ALL, *sorted({*tags})):
            own = [each for each, of in zip(right, tags, strict=True) if tag in (ALL, of)]
            said = {"tag": tag, "method": method, **about, "n": len(own)}
            for name, chance in chances.items():
                mean = measured_mean([each[name] for each in own], generator)
                yield Number.of(name, said, mean, chance=chance)


def score_matrix(example: Sequence[LabelledScores], method: str) -> npt.NDArray[np.float64]:
    """Captions x images, caption i true of image i; not a number where there is no score."""
    scores = {(each.pair.text, each.pair.image): each.scores[method] for each in example}
    own = [each.pair for each in example if each.pair.holds]
    return np.array([[scores[one.text, other.image] for other in own] for one in own], dtype=float)


def published_table() -> Table:
    """What has been published."""
    table = blank_table("Published: ROC AUC in percent", "method", *DATA_SETS, "mean")
    for method, values in PUBLISHED.items():
        table.add_row(method, *(f"{value:.1f}" for value in (*values, fmean(values))))
    return table

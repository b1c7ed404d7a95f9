"""Do scores tell images that show what a text says from those that do not, as people labelled them?

ROC AUC of each method on each data set, with a 95 % interval in which whole prompts are drawn, and
the mean over data sets; chance is 0.5. Methods are compared on the pairs that every one of them
could score; beside that, each one on all that it could score itself. Below stand precision at 1
where several images compete for a prompt, Winoground's own scores, and what has been published.

`--by` tells pairs apart by something else: DrawBench's categories and Winoground's tags, or the
text-to-image model. The mean score of each part then stands beside the share of its pairs that
people call right, with the correlation of the two over parts.

A first look takes minutes on a CPU, e.g. with `--limit 20`; all 6,930 public pairs take about a
second each with the embedded models, and a GPU with a bundle of the hub.

For example:

    python -m benchmarks seetrue --table SeeTRUE.csv --images FOLDER --scores kept
    python -m benchmarks seetrue --table seetrue --table winoground --table snli_ve --bundle paper
    python -m benchmarks seetrue --hub facebook/winoground --by category
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, cast

import numpy as np
import pandas as pd
import typer
from rich.table import Table

from alignment.arrays import Floats
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.spec import Bundle
from alignment.questions.settings import AS_PUBLISHED
from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.beside_printed import Recomputed, beside_printed
from benchmarks.data.images import ImageStore
from benchmarks.data.numbers import Number, auc, pivot, publish
from benchmarks.data.printed import (
    AUC,
    BY_METHOD,
    BY_MODEL,
    DATA_SETS,
    MEAN_OF_SETS,
    RANDOM_CHOICES,
    TOLD_APART,
)
from benchmarks.data.scored_pairs import (
    pair_table,
    parts,
    published_files,
    read_pairs,
    with_scores,
)
from benchmarks.data.scores import PairScorer, scores_in
from benchmarks.data.seetrue import Grouping
from benchmarks.statistics.best_of_n import best_of_n
from benchmarks.statistics.classification import chance_pair_scores, pair_scores
from benchmarks.statistics.correlation import r_squared, rank_correlation
from cli.flags import with_vq2_flags

RANDOM, ALL = "random", "all"
FEWEST = 3
"""A correlation of fewer says nothing."""


@with_vq2_flags
def main(
    *,
    table: Annotated[
        list[Path] | None,
        typer.Option(
            help="Labelled pairs: SeeTRUE's CSV or one with its columns (image, text, label, "
            "dataset_source); a .jsonl file of SNLI-VE or Winoground; a .jsonl file of captions "
            "with their contradictions, as COCO-Con and PickaPic-Con have them; or a folder of "
            "these with their images. Repeatable.",
        ),
    ] = None,
    images: given.ImageHomes = None,
    hub: Annotated[
        list[str] | None,
        typer.Option(help="A data set of the hub, e.g. yonatanbitton/SeeTRUE. Repeatable."),
    ] = None,
    limit: given.Limit = None,
    bundle: given.BundleName = "embedded",
    methods: given.MethodNames = given.METHODS,
    vq2: Mapping[str, Any],
    scores: given.ScoresFolder = None,
    group: Annotated[
        list[Grouping] | None,
        typer.Option("--by", help="What pairs are told apart by; repeatable. `data` by default."),
    ] = None,
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    chosen, settings = find_bundle(bundle), replace(AS_PUBLISHED, **vq2)
    names = given.read_methods(methods)
    groupings = [each.value for each in group or [Grouping.data]]
    files, homes = published_files(table or (), images or (), hub or ())
    pairs = read_pairs(files, lambda pair: any(getattr(pair, by) for by in groupings), limit)
    with scores_in(scores) as cache:
        scorer = PairScorer(Models(chosen), ImageStore(*homes).open, cache, settings)
        scored = with_scores(pair_table(pairs), scorer, names)
    generator, about = np.random.default_rng(seed), {"bundle": bundle}
    tables, numbers = list[Table](), list[Number]()
    for name in groupings:
        by_all = scored.dropna(subset=[*names])
        for judged_by, some in (("all methods", by_all), ("each method", scored)):
            found = aucs(some, name, names, generator, {**about, "judged_by": judged_by})
            title = f"ROC AUC (95 %, prompts drawn), pairs that {judged_by} could score"
            tables.append(pivot(title, found, ["method"], name))
            numbers += found
        if name != "data":
            found = [*means(scored, name, names, generator, about)]
            tables.append(pivot("Mean score (95 %), and people", found, [name, "right"], "method"))
            alike = [each for method in names for each in correlations(found, name, method)]
            tables += [pivot("Mean score against people", alike, ["method"], "name")] * bool(alike)
            numbers += [*found, *alike]
    first = [*first_right(scored, names, generator, about)]
    told = [*told_apart(scored, names, generator, about)]
    for title, found, rows, across in (
        ("Precision at 1 (95 %, prompts drawn)", first, ["data"], "method"),
        ("Winoground (95 %, examples drawn)", told, ["method", "tag"], "name"),
    ):
        tables += [pivot(title, found, rows, across)] * bool(found)
        numbers += found
    beside = [*as_printed(numbers, chosen)] if "data" in groupings else []
    compared = [{**asdict(each), "agrees": each.agrees} for _, some in beside for each in some]
    publish("seetrue", [*tables, *(table for table, _ in beside)], numbers, {"printed": compared})


def aucs(
    scored: pd.DataFrame,
    grouping: str,
    methods: Sequence[str],
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> list[Number]:
    """The AUC of each method on each group of the pairs that it could score, and the mean over
    data sets.
    """
    found = list[Number]()
    for method in methods:
        said, numbers = {"method": method, **about}, list[Number]()
        for name, part in parts(scored, grouping):
            known = part.dropna(subset=method)
            counts = {"n": len(known), "positive": int(known["holds"].sum())}
            counts["unjudged"] = len(part) - len(known)
            own = {grouping: name, **said, **counts}
            numbers.append(auc(known["holds"], known[method], known["unit"], generator, own))
        found += numbers
        if numbers and grouping == "data":
            mean = fmean(each.value for each in numbers)
            found.append(Number("AUC", {"data": MEAN_OF_SETS, **said}, mean, chance=0.5))
    return found


def means(
    scored: pd.DataFrame,
    grouping: str,
    methods: Sequence[str],
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> Iterator[Number]:
    """The mean score of each group; its signature has the share that people call right."""
    for name, part in parts(scored, grouping):
        for method in methods:
            known = part.dropna(subset=method)
            if len(known):
                right = round(float(known["holds"].mean()), 3)
                said = {grouping: name, "right": right, "method": method, **about}
                said |= {"n": len(known), "unjudged": len(part) - len(known)}
                mean = measured_mean(known[method], generator, known["unit"])
                yield Number.of("mean score", said, mean)


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


def choices(pairs: pd.DataFrame) -> Iterator[tuple[str, list[pd.DataFrame]]]:
    """Data set and model; the images of each prompt that has a choice and a right image."""
    for name, part in parts(pairs, "model"):
        solvable = [prompt for _, prompt in parts(part, "text") if prompt["holds"].any()]
        if solvable and max(map(len, solvable)) > 1:
            yield name, solvable


def right_choices(prompts: Sequence[pd.DataFrame], method: str) -> list[float]:
    """Precision at 1 of each prompt; by `RANDOM` in exact expectation."""
    scored = ((np.zeros(len(each)) if method == RANDOM else each[method], each) for each in prompts)
    return [float(best_of_n(scores, prompt["holds"])[-1]) for scores, prompt in scored]


def first_right(
    scored: pd.DataFrame,
    methods: Sequence[str],
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> Iterator[Number]:
    """Mean precision at 1 over the prompts of each text-to-image model, also of a random choice."""
    for name, prompts in choices(scored):
        chance = fmean(right_choices(prompts, RANDOM))
        for method in (RANDOM, *methods):
            said: dict[str, object] = {"data": name, "method": method}
            said |= {"n": len(prompts)} if method == RANDOM else {**about, "n": len(prompts)}
            if method != RANDOM:
                said["unjudged"] = sum(int(prompt[method].isna().sum()) for prompt in prompts)
            mean = measured_mean(right_choices(prompts, method), generator)
            yield Number.of("P@1", said, mean, chance=chance)


def told_apart(
    scored: pd.DataFrame,
    methods: Sequence[str],
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> Iterator[Number]:
    """Winoground's text, image and group score of each method, of all examples and of each tag.

    An example that the method could not score is left out and counted.
    """
    examples = [example for _, example in parts(scored, "example")]
    tags = sorted({example["tag"].iloc[0] for example in examples})
    for method, tag in product(methods, (ALL, *tags) if tags else ()):
        own = [each for each in examples if tag in (ALL, each["tag"].iloc[0])]
        matrices = [score_matrix(each, method) for each in own]
        known = [each for each in matrices if not np.isnan(each).any()]
        said = {"tag": tag, "method": method, **about, "n": len(known)}
        said["unjudged"] = len(own) - len(known)
        right = pair_scores(known).T if known else ()
        for (name, chance), each in zip(chance_pair_scores().items(), right, strict=False):
            yield Number.of(name, said, measured_mean(each, generator), chance=chance)


def score_matrix(example: pd.DataFrame, method: str) -> Floats:
    """Captions x images, caption i true of image i; not a number where there is no score."""
    own = example[example["holds"]]
    scores = example.pivot(index="text", columns="image", values=method)
    return np.asarray(scores.loc[own["text"], own["image"]])


def as_printed(
    numbers: Sequence[Number], chosen: Bundle
) -> Iterator[tuple[Table, list[Recomputed]]]:
    """Tables 2, 3 and 4 of "What You See is What You Read?", ours below each row."""
    rows = dict(BY_METHOD)
    for method, model in (("clip", chosen.clip), ("itm", chosen.matcher)):
        rows[method] = BY_MODEL.get(model.name, "") if model else ""
    own = [each for each in numbers if each.about.get("judged_by") == "each method"]
    if not {each.about["data"] for each in own} >= {*DATA_SETS}:  # another mean than the printed
        own = [each for each in own if each.about["data"] != MEAN_OF_SETS]
    yield beside_printed(f"Table 2: ROC AUC, %; ours: {chosen.name}", AUC, own, "data", rows)
    if told := [each for each in numbers if each.about.get("tag") == ALL]:
        yield beside_printed("Table 3: Winoground, %", TOLD_APART, told, "name", rows)
    if first := [each for each in numbers if each.name == "P@1"]:
        printed = {RANDOM: RANDOM_CHOICES}
        yield beside_printed("Table 4: precision at 1, %", printed, first, "data", rows)

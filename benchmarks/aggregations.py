"""How should the chances of VQ2's question-answer pairs become one score?

Each aggregation, of the same answers to the same questions: the mean, as published; a mean in which
pairs that claim the same count once together; the geometric mean of these claims, the page's; the
weakest pair; the mean with dependencies, in which a pair counts 0 where one that it depends on
fails. On every table of labelled pairs: ROC AUC (chance 0.5); of images with a right text and a
wrong one, how often the right one scores higher (chance 0.5); and of texts with right images and
wrong ones, how often the best-scored image is right, beside one chosen at random. Intervals are of
95 % and draw units: groups of pairs that share an image or a text.

With `--dsg`, Spearman's correlation of the aggregated published answers of PaLI-17B with people's
ratings, in which prompts are drawn. These answers are yes or no and no claims are known, so that
the geometric mean orders images as the mean does, and has no row of its own.

The tables are written by `python -m recipes labelled-pairs`, images beside them: 3,600 pairs, each
about a quarter of a second on one core. `--limit 50` gives a first look.

For example:

    python -m benchmarks aggregations --table runs/labelled/drawn/pairs.csv
    python -m benchmarks aggregations --table runs/labelled/drawn/pairs.csv \
        --table runs/labelled/generated/pairs.csv --dsg FOLDER
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import numpy as np
import typer
from PIL import Image
from rich.table import Table

from alignment.labelled_pairs import LabelledPair, names_of, read_labelled_pairs, units_of
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.questions.dependencies import dependencies
from alignment.questions.settings import RECOMMENDED
from alignment.records import Evidence
from alignment.scorers.aggregation import aggregated
from alignment.scorers.vq2 import discounted
from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.dsg import ImageKey, image_scores, of_rated, read_answers, read_ratings
from benchmarks.data.numbers import Number, auc, blank_table, pivot, publish
from benchmarks.data.printed import RATINGS
from benchmarks.data.scores import scores_of
from benchmarks.progress import watched
from benchmarks.statistics.classification import precision_at_1, roc_auc
from benchmarks.statistics.correlation import measured_rank_correlation

ANSWERS = "pali17b_dsg.csv"
MEAN, WEAKEST, DEPENDENT = "mean, as published", "weakest pair", "mean with dependencies"


def with_dependencies(evidence: Sequence[Evidence]) -> float:
    """The mean, in which what rests on a pair that fails counts 0."""
    return aggregated(discounted(evidence, dependencies([each.pair.answer for each in evidence])))


AGGREGATIONS: Mapping[str, Callable[[Sequence[Evidence]], float]] = MappingProxyType(
    {
        MEAN: aggregated,
        "mean, one weight a claim": partial(aggregated, aggregation="claims"),
        "geometric mean of claims: the page's": partial(aggregated, aggregation="geometric"),
        WEAKEST: partial(aggregated, aggregation="weakest"),
        DEPENDENT: with_dependencies,
    }
)


@dataclass(frozen=True)
class AnsweredPair:
    """A labelled pair, and what VQ2 found out about it."""

    pair: LabelledPair
    unit: int
    """Of what is drawn: pairs that share an image or a text have the same."""
    evidence: tuple[Evidence, ...]


def main(
    table: Annotated[
        list[Path] | None,
        typer.Option(
            "--table",
            exists=True,
            help="Labelled pairs (image, text, label), images beside them. Repeatable.",
        ),
    ] = None,
    dsg: Annotated[
        Path | None, typer.Option(help=f"A folder with DSG's {ANSWERS} and {RATINGS}.")
    ] = None,
    limit: given.Limit = None,
    bundle: given.BundleName = "embedded",
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    generator, models = np.random.default_rng(seed), Models(find_bundle(bundle))
    tables, numbers = list[Table | str](), list[Number]()
    for file, name in zip(table or (), names_of(table or ()), strict=True):
        pairs = read_labelled_pairs(file, name)[:limit]
        answered = [*answers(pairs, models)]
        found = measure(answered, generator, data=name, bundle=bundle)
        tables += [table_of(found, f"{name}: {len(answered)} of {len(pairs)} pairs judged")]
        numbers += [number for row in found.values() for number in row]
    if dsg:
        of_people = people(dsg, generator)
        title = "PaLI's published answers and people's ratings (95 %, prompts drawn; by chance 0)"
        tables.append(pivot(title, of_people, ["aggregation"], "name"))
        numbers += of_people
    publish("aggregations", [*tables, str(RECOMMENDED.signature)], numbers)


def answers(pairs: Sequence[LabelledPair], models: Models) -> Iterator[AnsweredPair]:
    """What VQ2 finds out about each pair that it can judge; pairs of one text are read once."""
    shown = watched(zip(pairs, units_of(pairs), strict=True), "pairs", len(pairs))
    for text, group in groupby(shown, key=lambda each: each[0].text):
        some = [*group]
        pictures = Pictures([Image.open(pair.image).convert("RGB") for pair, _ in some])
        ((_, scores),) = scores_of(text, pictures, ["vq2"], models, RECOMMENDED)
        for (pair, unit), score in zip(some, scores, strict=True):
            if score.value is not None:
                yield AnsweredPair(pair, unit, score.evidence)


def measure(
    answered: Sequence[AnsweredPair], generator: np.random.Generator, **about: object
) -> dict[str, tuple[Number, Number, Number]]:
    """Aggregation -> its AUC, right texts above wrong ones, right images first."""
    labels = [each.pair.right for each in answered]
    units = [each.unit for each in answered]
    found = {}
    for name, aggregate in AGGREGATIONS.items():
        scores = np.array([aggregate(each.evidence) for each in answered])
        said = {"aggregation": name, **about}
        whole = auc(labels, scores, units, generator, {**said, "n": len(scores)})
        scored = [*zip(answered, scores.tolist(), strict=True)]
        above = _mean("right text above wrong", text_above(scored), generator, said)
        first = _mean("right image first", image_first(scored), generator, said)
        found[name] = whole, above, first
    return found


Scored = tuple[AnsweredPair, float]
Outcome = tuple[float, float, int]
"""What a comparison gave, what it gives by chance, and its unit."""


def text_above(scored: Iterable[Scored]) -> list[Outcome]:
    """Of every image with right and wrong texts: how often a right one is above; a tie is half."""
    found = []
    for some in _mixed(scored, lambda each: each.pair.image):
        labels, scores = [each.pair.right for each, _ in some], [score for _, score in some]
        found.append((roc_auc(labels, scores), 0.5, some[0][0].unit))
    return found


def image_first(scored: Iterable[Scored]) -> list[Outcome]:
    """Of every text with right and wrong images: whether the best-scored one is right."""
    found = []
    for some in _mixed(scored, lambda each: each.pair.text):
        labels, scores = [each.pair.right for each, _ in some], [score for _, score in some]
        chance = float(np.mean(labels))
        found.append((precision_at_1(labels, scores), chance, some[0][0].unit))
    return found


def _mixed(
    scored: Iterable[Scored], key: Callable[[AnsweredPair], object]
) -> Iterator[list[Scored]]:
    """The groups that hold a right pair and a wrong one."""
    groups = defaultdict[object, list[Scored]](list)
    for each in scored:
        groups[key(each[0])].append(each)
    for some in groups.values():
        if len({each.pair.right for each, _ in some}) == 2:
            yield some


def _mean(
    name: str,
    outcomes: Sequence[Outcome],
    generator: np.random.Generator,
    about: Mapping[str, object],
) -> Number:
    """The mean; not a number where nothing could be compared."""
    said = {**about, "n": len(outcomes)}
    if not outcomes:
        return Number(name, said, float("nan"))
    values, chances, units = zip(*outcomes, strict=True)
    mean = measured_mean(values, generator, units)
    return Number.of(name, said, mean, chance=float(np.mean(chances)))


def people(folder: Path, generator: np.random.Generator) -> list[Number]:
    """Spearman's correlation of each aggregation with people's ratings."""
    ratings, published = read_ratings(folder / RATINGS), read_answers(folder / ANSWERS)
    scores = {
        MEAN: image_scores(published, dependencies=False),
        WEAKEST: image_scores(published, dependencies=False, aggregate=min),
        DEPENDENT: image_scores(published, dependencies=True),
    }
    return [_with_ratings(name, each, ratings, generator) for name, each in scores.items()]


def _with_ratings(
    name: str,
    scores: Mapping[ImageKey, float],
    ratings: Mapping[ImageKey, float],
    generator: np.random.Generator,
) -> Number:
    ours, theirs = of_rated(scores, ratings), [*ratings.values()]
    found = measured_rank_correlation(ours, theirs, [key.item for key in ratings], generator)
    about = {"aggregation": name, "data": "dsg(pali17b)", "n": len(ours)}
    return Number.of("Spearman", about, found, chance=0.0)


def table_of(found: Mapping[str, tuple[Number, Number, Number]], title: str) -> Table:
    """One row for each aggregation."""
    headings = ("AUC", "95 %", "right text above", "95 %", "right image first", "95 %")
    table = blank_table(f"{title} (95 %, units drawn)", "VQ2's pairs as", *headings)
    for name, row in found.items():
        table.add_row(name, *(cell for each in row for cell in (str(each), each.interval)))
    *_, last = found.values()
    table.caption = "; ".join(
        f"{name}: {each.units} units, {each.chance:.3f} by chance"
        for name, each in zip(headings[::2], last, strict=True)
        if each.units
    )
    return table

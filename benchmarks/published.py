"""Do our statistics give the numbers that others published, from the data that they published?

Recomputed from a folder of published files, ours beside what is printed. A row that DIFFERS says
what the likely reason is; rows without a printed number are ours alone. Without --reference, the
files that are wanted are listed. It takes about ten seconds.

For example:

    python -m benchmarks published
    python -m benchmarks published --reference FOLDER
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Annotated

import pandas as pd
import typer

from benchmarks.data.beside_printed import Recomputed, table_of
from benchmarks.data.dsg import IMAGE, image_scores, read_answers, read_ratings
from benchmarks.data.numbers import publish, signature
from benchmarks.data.printed import (
    CORRELATIONS,
    DIFFICULTY,
    RANDOM_CHOICES,
    RATINGS,
    SEETRUE,
    SEETRUE_PAIRS,
    SUBSET,
    TOLD_APART,
    WANTED,
)
from benchmarks.data.scored_pairs import pair_table
from benchmarks.data.seetrue import Labelled, read_labelled
from benchmarks.seetrue import RANDOM, choices, right_choices
from benchmarks.statistics.classification import chance_pair_scores
from benchmarks.statistics.correlation import rank_correlation
from session.errors import DataError


def main(
    reference: Annotated[
        Path | None, typer.Option(help="The folder of the published files.")
    ] = None,
) -> None:
    """Print the table, then one JSON line."""
    if reference is None:
        raise DataError(f"give --reference FOLDER with these files:\n{_wanted(WANTED)}")
    missing = [name for name in WANTED if not (reference / name).is_file()]
    if missing:
        raise DataError(f"{reference} lacks:\n{_wanted(missing)}")
    show([*recompute(reference)])


def _wanted(files: Iterable[str]) -> str:
    return "\n".join(f"  {name}   ({WANTED[name]})" for name in files)


def recompute(reference: Path) -> Iterator[Recomputed]:
    """Everything that can be compared, table after table."""
    dsg = reference / "dsg"
    for file in dict.fromkeys(name for name, _ in CORRELATIONS):
        yield from correlations(dsg / f"{file}.csv", dsg / RATINGS)
    yield from difficulty(read_answers(dsg / "pali17b_dsg.csv"), read_ratings(dsg / RATINGS))
    pairs = read_labelled(reference / "seetrue" / "SeeTRUE.csv")
    yield from counts(pairs)
    yield from _random_choices(pairs)
    yield from winoground()


def correlations(answers: Path, ratings: Path) -> Iterator[Recomputed]:
    """Rank correlations with people, without dependencies and, where there are any, with them."""
    given, liked = read_answers(answers), read_ratings(ratings)
    for dependencies in (False, True) if given["parents"].any() else (False,):
        found = image_scores(given, dependencies=dependencies)
        scores = found.reindex(liked.index, fill_value=0.0)  # as published, without answers 0
        printed = CORRELATIONS[answers.stem, dependencies]
        said = {"answers": answers.stem, "dependencies": dependencies, "n": len(scores)}
        found = rank_correlation(scores, liked)
        for name, ours, theirs in zip(("Spearman", "Kendall"), found, printed, strict=True):
            yield Recomputed(signature(name, **said), ours, theirs, 3)


def difficulty(answers: pd.DataFrame, ratings: pd.Series[float]) -> Iterator[Recomputed]:
    """Mean scores of one text-to-image model by set of prompts; a rated image without answers
    scores 0.
    """
    sets = answers.groupby(IMAGE, sort=False)["dsg_prompt_split"].first()
    scores = image_scores(answers, dependencies=True)
    images = pd.DataFrame({"score": scores, "set": sets}).join(ratings, how="outer")
    known = images.fillna({"score": 0.0, "set": "tifa160"}).loc["sd2dot1"]
    for names, printed in DIFFICULTY.items():
        values = known.loc[known["set"].isin(names), "score"]
        said = {"model": "sd2dot1", "prompts_of": "+".join(names), "n": len(values), "unit": "%"}
        about = signature("mean score", scored_by="pali17b_dsg", **said)
        yield Recomputed(about, 100 * float(values.mean()), printed, 1)


def counts(pairs: Sequence[Labelled]) -> Iterator[Recomputed]:
    """How many pairs there are, and the percentage of positive ones."""
    yield Recomputed(
        signature("pairs", data="SeeTRUE"), len(pairs), SEETRUE_PAIRS, 0, reason=SUBSET
    )
    sizes = Counter(pair.data for pair in pairs)
    positive = Counter(pair.data for pair in pairs if pair.holds)
    for name, (size, rate) in SEETRUE.items():
        yield Recomputed(signature("pairs", data=name), sizes[name], size, 0, reason=SUBSET)
        about = signature("positive", data=name, n=sizes[name], unit="%")
        ours = 100 * positive[name] / sizes[name] if sizes[name] else float("nan")
        yield Recomputed(about, ours, rate, 1, reason=SUBSET)


def _random_choices(pairs: Sequence[Labelled]) -> Iterator[Recomputed]:
    """Prompts that can be reranked, and the exact expectation of choosing at random."""
    found = dict(choices(pair_table(pairs)))
    for name, printed in RANDOM_CHOICES.items():
        prompts = found.get(name, [])
        if not prompts:
            continue
        about = signature("prompts", data=name, having="a right image")
        yield Recomputed(about, len(prompts), None, 0)
        about = signature("P@1", data=name, method=RANDOM, expectation="exact", unit="%")
        ours = 100 * fmean(right_choices(prompts, RANDOM))
        right = round(printed / 100 * len(prompts))
        reason = f"{right} of {len(prompts)} is printed: one random draw; ours is its expectation"
        yield Recomputed(about, ours, printed, 1, reason)


def winoground() -> Iterator[Recomputed]:
    """What random scores reach, in exact expectation."""
    for name, value in chance_pair_scores().items():
        about = signature(f"Winoground {name}", scores="random", expectation="exact", unit="%")
        yield Recomputed(about, 100 * value, TOLD_APART["random"][name], 2)


def show(found: Sequence[Recomputed]) -> None:
    """Print the tables, then the line."""
    compared = [each for each in found if each.agrees is not None]
    agreeing = sum(bool(each.agrees) for each in compared)
    said = f"{agreeing} of {len(compared)} agree with what is printed"
    numbers = [{**asdict(each), "agrees": each.agrees} for each in found]
    line = {"agree": agreeing, "of": len(compared), "numbers": numbers}
    publish("published", [table_of(found), said], [], line)

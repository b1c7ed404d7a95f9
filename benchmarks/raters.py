"""How far do the raters of image-text pairs agree, and what does the majority say?

For each data set, as table 6 does: pairs, raters of each, the share of pairs on which all raters
agree, Fleiss' kappa (over the pairs with as many raters as most have), Krippendorff's alpha (over
all), the share of pairs that the majority calls right with a 95 % interval in which prompts are
drawn, and pairs without a majority. By chance kappa and alpha are 0.

`--ratings` is a CSV file with the columns image, text, rater, label (1 where the image shows what
the text says, else 0) and dataset_source. `--out` writes the majority's labels in SeeTRUE's format,
for `python -m benchmarks seetrue --table OUT`; pairs without a majority are left out.

Source: M. Yarom et al., "What You See is What You Read?", 2023, table 6. It takes seconds.

For example:

    python -m benchmarks raters --ratings ratings.csv
    python -m benchmarks raters --ratings ratings.csv --out labelled.csv
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
import typer

from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.statistics.reliability import raters_agreement
from session.errors import DataError
from session.tables import check_columns, read_table

COLUMNS = ("image", "text", "rater", "label", "dataset_source")
PAIR = ["image", "text"]
NAMES = ("unanimous", "Fleiss' kappa", "Krippendorff's alpha", "positive", "without a majority")


def main(
    ratings: Annotated[Path, typer.Option(help="One row for each rating, as a CSV file.")],
    out: Annotated[
        Path | None, typer.Option(help="Where the majority's labels go, as a CSV file.")
    ] = None,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    table = _read_raters(ratings)
    generator = np.random.default_rng(seed)
    found = [
        number
        for name, part in table.groupby("dataset_source", sort=False)
        for number in measure(part, str(name), generator)
    ]
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
        _majority_labels(table).to_csv(out, index=False)
    title = "Raters (95 %, prompts drawn)"
    publish("raters", [pivot(title, found, ["data", "pairs", "raters"], "name")], found)


def _read_raters(file: Path) -> pd.DataFrame:
    """The ratings of a file.

    Raises:
        DataError: the file or a column is missing, a label is neither 0 nor 1, or a rater labelled
            a pair twice.
    """
    table = read_table(file)
    check_columns(table, file.name, *COLUMNS)
    wrong = table[~table["label"].isin([0, 1])]
    if len(wrong):
        raise DataError(f"the label of {wrong['image'].iloc[0]} is not 0 or 1")
    twice = table[table.duplicated([*PAIR, "rater"])]
    if len(twice):
        rater, image = twice[["rater", "image"]].iloc[0]
        raise DataError(f"{rater} labels {image} twice with the same text")
    return table


def _votes_of(ratings: pd.DataFrame) -> pd.DataFrame:
    """One row for each pair: how many raters say 0 and 1."""
    votes = pd.crosstab([ratings[column] for column in PAIR], ratings["label"])
    return votes.reindex(columns=[0, 1], fill_value=0)


def _majority_labels(ratings: pd.DataFrame) -> pd.DataFrame:
    """What the majority says of each pair, in SeeTRUE's columns; ties are left out."""
    votes = _votes_of(ratings)
    decided = votes[votes[0] != votes[1]]
    labels = (decided[1] > decided[0]).astype(int).rename("label").reset_index()
    sources = ratings.drop_duplicates(PAIR)[[*PAIR, "dataset_source"]]
    return labels.merge(sources, on=PAIR).assign(original_dataset_id="")


def measure(ratings: pd.DataFrame, data: str, generator: np.random.Generator) -> list[Number]:
    """The numbers of one data set, in the order of `NAMES`."""
    votes = _votes_of(ratings)
    agreeing = raters_agreement(ratings, PAIR, "label")
    decided = votes[votes[0] != votes[1]]
    positive = (decided[1] > decided[0]).to_numpy(dtype=float)
    said = {"data": data, "pairs": len(votes), "raters": agreeing.raters}
    kappa, alpha = (
        float("nan") if each is None else each for each in (agreeing.kappa, agreeing.alpha)
    )
    texts = decided.index.get_level_values("text").to_numpy()
    rate = Number(NAMES[3], said, float("nan"))
    if len(positive):
        rate = Number.of(NAMES[3], said, measured_mean(positive, generator, texts))
    return [
        Number(NAMES[0], said, float((votes.min(axis=1) == 0).mean())),
        Number(NAMES[1], {**said, "n": agreeing.units}, kappa, chance=0.0),
        Number(NAMES[2], said, alpha, chance=0.0),
        rate,
        Number(NAMES[4], said, float((votes[0] == votes[1]).mean())),
    ]

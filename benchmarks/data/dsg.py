"""DSG's published answers to questions about generated images, and people's ratings of them.

A file of answers has the columns dsg_prompt_split, t2i_model, item_id, question, answer and, where
questions depend on one another, question_id and dependency_id; a file of ratings has t2i_model,
item_id and answer, 1 to 5, a row for each rating.

Source: J. Cho et al., "Davidsonian Scene Graph", 2024; annotations under Apache-2.0.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pandas as pd

from session.errors import DataError
from session.tables import rows

IMAGE = ["t2i_model", "item_id"]
"""What an image is known by: which model generated it, and for which prompt."""


def read_answers(file: Path) -> pd.DataFrame:
    """The answers of a file, with further columns: yes, and parents, the numbers of the questions
    that a question depends on (0 is none).

    Raises:
        DataError: there is no such file, or a column is missing.
    """
    table = pd.DataFrame(rows(file, *IMAGE, "answer"))
    if "dependency_id" not in table:
        table = table.assign(question_id="", dependency_id="0")
    parents = [{part.strip() for part in each.split(",")} - {"0"} for each in table.dependency_id]
    return table.assign(yes=table["answer"] == "yes", parents=parents)


def read_ratings(file: Path) -> pd.Series[float]:
    """The mean rating of each image, by `IMAGE`.

    Raises:
        DataError: there is no such file, or a column is missing.
    """
    table = pd.DataFrame(rows(file, *IMAGE, "answer")).astype({"answer": float})
    return table.groupby(IMAGE, sort=False)["answer"].mean()


def image_scores(answers: pd.DataFrame, *, dependencies: bool) -> pd.Series[float]:
    """The share of an image's questions that are answered with yes, by `IMAGE`.

    Args:
        answers: of any images.
        dependencies: whether a yes counts only where every question that it depends on was
            answered with yes too. As published, direct parents are looked at, not theirs; and an
            image whose list of parents is unreadable in one place counts without dependencies.
    """
    counted = answers["yes"]
    if dependencies:
        undermined = [_undermined(each) for _, each in answers.groupby(IMAGE, sort=False)]
        counted &= ~pd.concat(undermined).reindex(answers.index)
    return counted.groupby([answers[name] for name in IMAGE], sort=False).mean()


def _undermined(answers: pd.DataFrame) -> pd.Series[bool]:
    """Which questions about one image depend on one that was not answered with yes."""
    failed = {*answers.loc[~answers["yes"], "question_id"]}
    readable = all(part.isdecimal() for parents in answers["parents"] for part in parents)
    return answers["parents"].map(lambda parents: readable and not failed.isdisjoint(parents))


def read_published(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """DSG's published answers and ratings as grids, preferences and single ratings.

    Raises:
        DataError: a file is not in the folder.
    """
    files = [folder / name for name in ("pali17b_dsg.csv", "tifa160-likert-anns.csv")]
    for file in files:
        if not file.is_file():
            raise DataError(f"there is no file {file}; it is published at github.com/j-min/DSG")
    answers, ratings = files
    known = {
        "relevance": image_scores(read_answers(answers), dependencies=False),
        "rating": read_ratings(ratings),
    }
    both = pd.DataFrame(known).dropna().rename_axis(["system", "prompt"])
    grids = both.sort_index(level=["prompt", "system"]).reset_index().assign(place=0)
    return grids, _preferences_of_ratings(grids), pd.read_csv(ratings)


def _preferences_of_ratings(grids: pd.DataFrame) -> pd.DataFrame:
    """One row for each prompt and pair of systems: first mean rating minus second."""
    rating = grids.pivot_table(index="prompt", columns="system", values="rating").dropna()
    pairs = [
        pd.DataFrame({"first": a, "second": b, "preference": rating[a] - rating[b]})
        for a, b in combinations(rating.columns, 2)
    ]
    return pd.concat(pairs).reset_index().assign(rater="mean")

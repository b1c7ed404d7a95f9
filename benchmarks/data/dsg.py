"""DSG's published answers to questions about generated images, and people's ratings of them.

A file of answers has the columns dsg_prompt_split, t2i_model, item_id, question, answer and, where
questions depend on one another, question_id and dependency_id; a file of ratings has t2i_model,
item_id and answer, 1 to 5, a row for each rating.

Source: J. Cho et al., "Davidsonian Scene Graph", 2024; annotations under Apache-2.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, TypeAlias

from session.tables import rows


class ImageKey(NamedTuple):
    """An image: which model generated it, and for which prompt."""

    system: str
    item: str


@dataclass(frozen=True)
class PublishedAnswer:
    """What a model said to one question about one image."""

    generated: ImageKey
    prompt_set: str
    yes: bool
    number: str
    """Of the question among those of its prompt; "" where questions are not numbered."""
    parents: tuple[str, ...]
    """The numbers of the questions that this one depends on."""


_Scores: TypeAlias = Mapping[ImageKey, float]


def read_answers(file: Path) -> list[PublishedAnswer]:
    """The answers of a file.

    Raises:
        DataError: there is no such file, or a column is missing.
    """
    return [_answer(row) for row in rows(file, "t2i_model", "item_id", "answer")]


def read_ratings(file: Path) -> dict[ImageKey, float]:
    """The mean rating of each image.

    Raises:
        DataError: there is no such file, or a column is missing.
    """
    ratings: dict[ImageKey, list[float]] = {}
    for row in rows(file, "t2i_model", "item_id", "answer"):
        ratings.setdefault(_generated(row), []).append(float(row["answer"]))
    return {generated: fmean(each) for generated, each in ratings.items()}


def image_scores(
    answers: Sequence[PublishedAnswer],
    *,
    dependencies: bool,
) -> dict[ImageKey, float]:
    """The share of an image's questions that are answered with yes.

    Args:
        answers: of any images.
        dependencies: whether a yes counts only where every question that it depends on was
            answered with yes too. As published, direct parents are looked at, not theirs; and a
            image whose list of parents is unreadable in one place counts without dependencies.
    """
    return {
        generated: float(fmean(_counted(of_image, dependencies=dependencies)))
        for generated, of_image in _by_image(answers).items()
    }


def of_rated(scores: _Scores, ratings: _Scores) -> list[float]:
    """The score of each rated image; as published, one without answers scores 0."""
    return [scores.get(generated, 0.0) for generated in ratings]


def _counted(answers: Sequence[PublishedAnswer], *, dependencies: bool) -> Iterator[bool]:
    failed = {answer.number for answer in answers if not answer.yes}
    readable = all(part.isdecimal() for answer in answers for part in answer.parents)
    for answer in answers:
        undermined = dependencies and readable and failed.intersection(answer.parents)
        yield answer.yes and not undermined


def _by_image(answers: Sequence[PublishedAnswer]) -> dict[ImageKey, list[PublishedAnswer]]:
    images: dict[ImageKey, list[PublishedAnswer]] = {}
    for answer in answers:
        images.setdefault(answer.generated, []).append(answer)
    return images


def _answer(row: Mapping[str, str]) -> PublishedAnswer:
    """A parent 0 is none."""
    parts = [part.strip() for part in row.get("dependency_id", "0").split(",")]
    return PublishedAnswer(
        _generated(row),
        row.get("dsg_prompt_split", ""),
        row["answer"] == "yes",
        row.get("question_id", ""),
        tuple(part for part in parts if part != "0"),
    )


def _generated(row: Mapping[str, str]) -> ImageKey:
    return ImageKey(row["t2i_model"], row["item_id"])

"""How many of TIFA's published questions does a vision-language model answer as the prompt does?

TIFA of images by the questions and choices published with it, not by questions of our own: the mean
over images, with a 95 % interval in which prompts are drawn, and the share of correct answers by
what the questions ask about (object, colour, counting ...); with its coverage: how many questions
were asked of those given, as a model is not asked about words that it does not know.

`--questions` is the published file of questions and answers: a JSON list of entries with id,
caption, question, choices, answer, element and element_type. `--images` holds one image for each
prompt, called by its id (`coco_301091.jpg`), or `--map` is a JSON object of id and file name, as
the published code wants it.

Source: Y. Hu et al., "TIFA: Accurate and Interpretable Text-to-Image Faithfulness Evaluation with
Question Answering", 2023.

Two models answer and choose; the embedded ones take about two seconds for each image. `--limit 20`
gives a first look.

For example:

    python -m benchmarks tifa --questions tifa_v1.0_question_answers.json --images FOLDER
    python -m benchmarks tifa --questions questions.json --images FOLDER --bundle paper --limit 20
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.records import ImageScore
from alignment.scorers import SCORERS, ScoringInput
from alignment.scorers.tifa import METHOD, accuracy_by_kind, published_questions
from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.images import ImageStore
from benchmarks.data.numbers import Number, blank_table, publish
from benchmarks.progress import watched
from session.errors import DataError

FIELDS = ("id", "caption", "question", "choices", "answer", "element", "element_type")


def main(
    questions: Annotated[Path, typer.Option(help="The published questions and answers, JSON.")],
    images: Annotated[list[Path], typer.Option(help="A folder or .zip of images. Repeatable.")],
    named: Annotated[
        Path | None, typer.Option("--map", help="JSON: id of a prompt -> name of its image.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="For a first look: so many prompts.")
    ] = None,
    bundle: given.BundleName = "embedded",
    role: given.RoleModels = None,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    evaluators = given.Evaluators(given.bundle_with(bundle, role or ()), (METHOD,))
    store, entries = ImageStore(*images), read_questions(questions)
    names = image_names(entries, store, json.loads(named.read_text()) if named else {})
    chosen = [*names][:limit]
    models = Models(evaluators.bundle)
    scores = [
        score(entries[each], store, names[each], models)
        for each in watched(chosen, "images scored")
    ]
    numbers = measure(scores, evaluators.name, np.random.default_rng(seed))
    left = f"{len(entries) - len(names)} of {len(entries)} prompts have no image."
    covered = coverage(scores)
    publish("tifa", [table_of(numbers), covered.sentence, left], numbers, asdict(covered))


def read_questions(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Prompt -> its entries, by id, in the order of the file.

    Raises:
        DataError: there is no such file, or an entry lacks a field.
    """
    if not file.is_file():
        raise DataError(f"there is no file {file}")
    entries: dict[str, list[dict[str, Any]]] = {}
    for entry in json.loads(file.read_text(encoding="utf-8")):
        missing = [name for name in FIELDS if name not in entry]
        if missing:
            raise DataError(f"{file.name} has an entry without {', '.join(missing)}")
        entries.setdefault(str(entry["id"]), []).append(entry)
    return entries


def image_names(
    entries: Mapping[str, object], store: ImageStore, named: Mapping[str, str]
) -> dict[str, str]:
    """Prompt -> name of its image, of the prompts that have one.

    Raises:
        DataError: none has one.
    """
    by_stem = {Path(name).stem: name for name in store.places}
    known = {**by_stem, **{each: Path(path).name for each, path in named.items()}}
    found = {each: known[each] for each in entries if each in known}
    if not found:
        raise DataError("no image is called like the id of a prompt; give --map")
    return found


def score(
    entries: Sequence[Mapping[str, Any]], store: ImageStore, name: str, models: Models
) -> ImageScore:
    """TIFA of one image by the published questions of its prompt."""
    text = entries[0]["caption"]
    scored = ScoringInput(text, published_questions(entries, text))
    (found,) = SCORERS[METHOD].build(models).score(scored, Pictures([store.open(name)]))
    return found


@dataclass(frozen=True)
class TifaCoverage:
    """How much of what was given could be judged."""

    images: int
    images_scored: int
    questions: int
    questions_asked: int

    @property
    def sentence(self) -> str:
        """The same in words."""
        return (
            f"Coverage: {self.questions_asked} of {self.questions} questions were asked; "
            f"{self.images_scored} of {self.images} images have a score."
        )


def coverage(scores: Sequence[ImageScore]) -> TifaCoverage:
    """Of all scores together.

    >>> coverage([ImageScore("tifa", None)]).sentence
    'Coverage: 0 of 0 questions were asked; 0 of 1 images have a score.'
    """
    asked = sum(len(each.evidence) for each in scores)
    known = [each.coverage for each in scores if each.coverage]
    scored = sum(each.value is not None for each in scores)
    return TifaCoverage(len(scores), scored, sum(each.asked for each in known), asked)


def measure(
    scores: Sequence[ImageScore], bundle: str, generator: np.random.Generator
) -> list[Number]:
    """TIFA over all images, then the share of correct answers by kind of question."""
    values = [each.value for each in scores if each.value is not None]
    if not values:
        raise DataError(f"none of these images could be scored: {scores[0].reason}")
    about = {"questions": "published", "bundle": bundle, "n": len(values)}
    overall = Number.of("TIFA", about, measured_mean(values, generator))
    counts = Counter(entry.pair.kind for score in scores for entry in score.evidence)
    return [
        overall,
        *(
            Number("TIFA", {"kind": kind, "bundle": bundle, "questions": counts[kind]}, value)
            for kind, value in sorted(accuracy_by_kind(scores).items())
        ),
    ]


def table_of(numbers: Sequence[Number]) -> Table:
    """All images, then a row for each kind of question."""
    table = blank_table(
        "TIFA by the published questions (95 %, prompts drawn)", "", "value", "95 %"
    )
    for number in numbers:
        table.add_row(number.signature.partition("|bundle")[0], str(number), number.interval)
    return table

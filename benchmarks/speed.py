"""How many seconds does each stage of a grid take, and what does one image encoding save?

    python -m benchmarks speed [--bundle embedded] [--rows 3] [--columns 3]

Everything is warm: each stage has run once before it is timed. While the painter's checkpoint is
missing, pictures of the sticker test set take the place of painted ones. Then the predicates of all
questions are put to all pictures twice, with the pictures encoded once and with one encoding for
each question, turn by turn, and both the times and the answers are held side by side.
"""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from PIL import Image as PillowImage
from PIL.Image import Image
from rich.console import Console
from rich.table import Table

from alignment.evaluation import evaluate, read_prompt
from alignment.loading import Models
from alignment.models import find_bundle
from alignment.vision import AnswerModel, Ask
from generation import GridRequest, ModelSpec, find_model, load_pipeline, sample, validate_request

TEST_SET = Path(__file__).parent.parent / "assets" / "benchmarks" / "stickers"
PROMPT = "a black apple and a green backpack"
TURNS = 3

Result = TypeVar("Result")


@dataclass(frozen=True)
class Encodings:
    """The same questions about the same pictures, in two ways."""

    pictures: int
    questions: int
    """For each picture."""
    once_s: float
    """Seconds with one encoding for each picture."""
    each_s: float
    """Seconds with one encoding for each question."""
    difference: float
    """Largest difference of two P(yes)."""

    @property
    def ratio(self) -> float:
        """How many times longer one encoding for each question takes."""
        return self.each_s / self.once_s


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds, and what the work gave."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def paint(request: GridRequest, spec: ModelSpec) -> tuple[float, list[Image]]:
    """Seconds of a warm painting, and its pictures."""
    pipeline = load_pipeline(spec)

    def whole() -> list[Image]:
        *_, last = sample(request, pipeline, spec)
        return [cell.image for cell in last.cells]

    whole()
    return timed(whole)


def held_out_pictures(count: int, folder: Path = TEST_SET) -> list[Image]:
    """The first pictures of the sticker test set."""
    return [PillowImage.open(path).convert("RGB") for path in sorted(folder.glob("*.png"))[:count]]


def stage_seconds(
    prompt: str, images: Sequence[Image], rows: int, columns: int, models: Models
) -> Mapping[str, float]:
    """Seconds of each stage of a warm evaluation."""
    stages = (stage for _ in range(2) for stage in evaluate(prompt, images, rows, columns, models))
    reports = [stage.report for stage in stages if stage.report]
    return reports[-1].timings


def compare_encodings(
    model: AnswerModel, images: Sequence[Image], predicates: Sequence[str]
) -> Encodings:
    """Put every predicate to every picture in both ways; the fastest of `TURNS` turns counts."""
    asks = [Ask(image, text) for image in range(len(images)) for text in predicates]
    own = [Ask(index, ask.text) for index, ask in enumerate(asks)]

    def once() -> list[float]:
        return [verdict.probability for verdict in model.p_yes(model.encode(images), asks)]

    def each() -> list[float]:
        repeated = model.encode([images[ask.image] for ask in asks])
        return [verdict.probability for verdict in model.p_yes(repeated, own)]

    answers = zip(once(), each(), strict=True)
    difference = max(abs(one - other) for one, other in answers)
    turns = [(timed(once)[0], timed(each)[0]) for _ in range(TURNS)]
    once_s, each_s = (min(seconds) for seconds in zip(*turns, strict=True))
    return Encodings(len(images), len(predicates), once_s, each_s, difference)


def main(arguments: Sequence[str]) -> None:
    """Print the tables, then one JSON line."""
    parser = ArgumentParser(prog="python -m benchmarks speed", description=__doc__)
    parser.add_argument("--bundle", default="embedded", help="a name in alignment.models.BUNDLES")
    parser.add_argument("--prompt", default=PROMPT)
    parser.add_argument("--rows", type=int, default=3)
    parser.add_argument("--columns", type=int, default=3)
    options = parser.parse_args(arguments)
    request = GridRequest(options.prompt, options.rows, options.columns)
    validate_request(request)
    models, console = Models(find_bundle(options.bundle)), Console()
    painting, images = _pictures(request, console)
    stages = stage_seconds(request.prompt, images, request.rows, request.columns, models)
    encodings = compare_encodings(models.answerer, images, _predicates(request.prompt, models))
    seconds = {**painting, **stages}
    console.print(_stage_table(request, seconds), _encoding_sentence(encodings))
    print(json.dumps({"seconds": seconds, "encodings": asdict(encodings)}))


def _pictures(request: GridRequest, console: Console) -> tuple[dict[str, float], list[Image]]:
    """Painted ones with the seconds they took, or those of the test set without."""
    spec = find_model(request.model)
    if not Path(spec.source).is_dir():
        console.print(f"{spec.source} is not there: painting is left out.")
        return {}, held_out_pictures(request.size)
    seconds, images = paint(request, spec)
    return {"paint": seconds}, images


def _predicates(prompt: str, models: Models) -> list[str]:
    predicate = models.answerer.templates.predicate
    return [
        predicate.format(answer=pair.answer.text, question=pair.question)
        for pair in read_prompt(prompt, models)
    ]


def _stage_table(request: GridRequest, seconds: Mapping[str, float]) -> Table:
    table = Table(title=f"Seconds of a warm {request.rows} x {request.columns} grid")
    table.add_column("stage")
    table.add_column("seconds", justify="right")
    for stage, taken in {**seconds, "together": sum(seconds.values())}.items():
        table.add_row(stage, f"{taken:.2f}")
    return table


def _encoding_sentence(encodings: Encodings) -> str:
    return (
        f"{encodings.questions} questions about each of {encodings.pictures} pictures: "
        f"{encodings.once_s:.2f} s with one encoding for each picture, {encodings.each_s:.2f} s "
        f"with one for each question ({encodings.ratio:.1f} times as long); "
        f"P(yes) differs by {encodings.difference:.1e} at most."
    )


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])

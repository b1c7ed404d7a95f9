"""How fast could each GPU be, at best, for a grid and for the questions about it?

A grid of nine images, and six questions about each of them as VQ2 asks them: operations are counted
from the true configurations (tests count them again on tensors without values), bytes are those of
the weights, read once for each pass. No GPU takes less time than its data sheet needs for either;
`share` of `hub.machine` is what plans take of it. With `--measure MODEL` on a machine with a GPU,
one grid is generated, and its share of the bound is printed.

For example:

    python -m benchmarks roofline
    python -m benchmarks roofline --measure sd-turbo
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated

import typer

import alignment
import generation
from alignment.models.revisions import dtype
from alignment.models.spec import ScoringModel
from benchmarks.data.numbers import Number, brief, pivot, publish
from generation import GridRequest, ModelSpec, load_pipeline, sample
from generation.memory import BYTES, precision_on
from hub.machine import PEAK, this_machine
from session.errors import DataError
from session.plan import IMAGES, QUESTIONS, tera_per_question

BANDWIDTH: Mapping[str, float] = MappingProxyType(
    {"T4": 0.32, "A10G": 0.6, "A100": 2.039, "H200": 4.8}
)
"""Of a GPU's memory, 10^12 bytes a second, from NVIDIA's data sheets."""


@dataclass(frozen=True)
class Work:
    """What a grid, or the questions about it, take on any machine."""

    name: str
    tera: float
    """10^12 operations."""
    passes: int
    """How often the weights are read."""
    billions: float
    """Of weights that are read each time."""

    def bound(self, gpu: str, precision: str) -> float:
        """Seconds that a GPU takes at least, by its operations or by its memory.

        >>> round(Work("one pass", 65.0, 1, 2.0).bound("T4", "float16"), 2)
        1.0
        """
        computing = self.tera / PEAK[gpu][precision == "float32"]
        return max(computing, self.passes * self.billions * BYTES[precision] / 1e3 / BANDWIDTH[gpu])


def of_grid(spec: ModelSpec, images: int = IMAGES) -> Work:
    """Generating a grid where memory has room for its batches; guidance takes no further pass."""
    batches = math.ceil(images / spec.batch)
    return Work(spec.name, images * spec.tera, batches * spec.steps, spec.denoiser)


def of_questions(answerer: ScoringModel) -> Work:
    """All questions about a grid at once: one pass over the images, one for yes or no, and one for
    free answers, as where every pair fails.
    """
    return Work(answerer.name, QUESTIONS * tera_per_question(answerer), 3, answerer.memory_gb / 2)


def rows() -> Iterator[tuple[Work, Mapping[str, float]]]:
    """Every model of the hub, and every bundle's answerer, with the bound on each GPU."""
    for spec in generation.MODELS.values():
        if not (spec.embedded or spec.quantized):
            work = of_grid(spec)
            precise = {gpu: precision_on(spec, "cuda", gpu != "T4") for gpu in BANDWIDTH}
            yield work, {gpu: work.bound(gpu, each) for gpu, each in precise.items()}
    for bundle in alignment.BUNDLES.values():
        if not bundle.answerer.embedded:
            work = of_questions(bundle.answerer)
            precise = {gpu: dtype(bundle.answerer, "cuda", gpu != "T4") for gpu in BANDWIDTH}
            yield work, {gpu: work.bound(gpu, each) for gpu, each in precise.items()}


def measured(name: str) -> Mapping[str, float]:
    """Seconds of a warm grid on the GPU that is here, and the share of its data sheet.

    Raises:
        DataError: there is no GPU.
    """
    machine = this_machine()
    if machine.device != "cuda":
        raise DataError(f"--measure needs a GPU, and this machine computes on {machine.device}")
    spec = generation.find_model(name)
    pipeline, request = load_pipeline(spec), GridRequest("a red apple", 3, 3, 7, name)
    for _ in range(2):
        start = time.perf_counter()
        for _progress in sample(request, pipeline, spec):
            pass
        seconds = time.perf_counter() - start
    return {
        "seconds": seconds,
        "share of its data sheet": machine.share(IMAGES * spec.tera, seconds),
    }


def main(
    measure: Annotated[
        str | None, typer.Option(help="A text-to-image model to run on the GPU that is here.")
    ] = None,
) -> None:
    """Print the table, then one JSON line."""
    numbers = [
        Number(name, {"model": work.name}, value)
        for work, seconds in rows()
        for name, value in {
            "10^12 operations": work.tera,
            "GB read": 2 * work.passes * work.billions,
            **seconds,
        }.items()
    ]
    title = f"{IMAGES} images, then {QUESTIONS} questions: the least seconds"
    tables = [pivot(title, numbers, ["model"], "name", brief)]
    if measure is not None:
        own = [Number(name, {"model": measure}, value) for name, value in measured(measure).items()]
        tables.append(pivot("On the GPU that is here", own, ["model"], "name", brief))
        numbers += own
    publish("roofline", tables, numbers)

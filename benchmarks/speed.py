"""How many seconds does each stage of a grid take?

Everything is warm: each stage has run once before it is timed. It takes seconds on a CPU.

For example:

    python -m benchmarks speed
    python -m benchmarks speed --rows 1 --columns 2
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from PIL.Image import Image

from alignment.evaluation import evaluate
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from generation import (
    GridRequest,
    ModelSpec,
    find_model,
    load_pipeline,
    sample,
    validate_request,
)

PROMPT = "a black apple and a green backpack"


def main(
    bundle: given.BundleName = "embedded",
    prompt: Annotated[str, typer.Option(help="What the grid shows.")] = PROMPT,
    rows: Annotated[int, typer.Option(min=1, help="Of the grid.")] = 3,
    columns: Annotated[int, typer.Option(min=1, help="Of the grid.")] = 3,
) -> None:
    """Print the tables, then one JSON line."""
    request = GridRequest(prompt, rows, columns)
    validate_request(request)
    models = Models(find_bundle(bundle))
    generating, images = generate(request, find_model(request.model))
    stages = stage_seconds(prompt, images, rows, columns, models)
    seconds = {"generate": generating, **stages}
    seconds["together"] = sum(seconds.values())
    numbers = [Number("seconds", {"stage": stage}, taken) for stage, taken in seconds.items()]
    publish(
        "speed", [pivot(f"A warm {rows} x {columns} grid", numbers, ["stage"], "name")], numbers
    )


def generate(request: GridRequest, spec: ModelSpec) -> tuple[float, list[Image]]:
    """Seconds of a warm generating, and its images."""
    pipeline = load_pipeline(spec)

    def whole() -> list[Image]:
        *_, last = sample(request, pipeline, spec)
        return [cell.image for cell in last.cells]

    whole()
    start = time.perf_counter()
    images = whole()
    return time.perf_counter() - start, images


def stage_seconds(
    prompt: str, images: Sequence[Image], rows: int, columns: int, models: Models
) -> Mapping[str, float]:
    """Seconds of each stage of a warm evaluation."""
    stages = (stage for _ in range(2) for stage in evaluate(prompt, images, rows, columns, models))
    reports = [stage.report for stage in stages if stage.report]
    return reports[-1].timings

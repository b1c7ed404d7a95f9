"""The command of the speed benchmark: its options, tables and line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from PIL.Image import Image
from rich.console import Console
from rich.table import Table

from alignment.models.adapters import adapter_of
from alignment.models.loading import Models
from alignment.models.spec import Templates
from alignment.models.vlm import VisionLanguageModel
from benchmarks import options as given
from benchmarks.speed.answering import (
    TEMPLATE,
    AnsweringComparison,
    compare,
    growth,
    peak_memory,
    random_blip2,
)
from benchmarks.speed.stages import generate, held_out_images, stage_seconds
from generation import GridRequest, find_model, validate_request

PROMPT = "a black apple and a green backpack"
QUESTIONS = tuple(
    f"is {answer} true for what color is the {thing} ? in this image ?"
    for thing in ("apple", "backpack")
    for answer in ("black", "green", "red", "pink", "yellow")
)
"""Predicates as VQ2 puts them."""


def main(
    bundle: given.BundleName = "embedded",
    role: given.RoleModels = None,
    prompt: Annotated[str, typer.Option(help="What the grid shows.")] = PROMPT,
    rows: Annotated[int, typer.Option(min=1, help="Of the grid.")] = 3,
    columns: Annotated[int, typer.Option(min=1, help="Of the grid.")] = 3,
    width: Annotated[
        int, typer.Option(min=64, help="Of the random BLIP-2, a multiple of 64.")
    ] = 768,
    layers: Annotated[int, typer.Option(min=1, help="Of each of its three parts.")] = 12,
) -> None:
    """Print the tables, then one JSON line."""
    request = GridRequest(prompt, rows, columns)
    validate_request(request)
    models, console = Models(given.bundle_with(bundle, role or ())), Console()
    generating, images = _timed_images(request, console)
    stages = stage_seconds(request.prompt, images, request.rows, request.columns, models)
    seconds = {**generating, **stages}
    console.print(_stage_table(request, seconds))
    print(json.dumps({"seconds": seconds, **answering(images, width, layers, console)}))


def _timed_images(request: GridRequest, console: Console) -> tuple[dict[str, float], list[Image]]:
    """Generated ones with the seconds they took, or those of the test set without."""
    spec = find_model(request.model)
    if not Path(spec.source).is_dir():
        console.print(f"{spec.source} is not there: no image is generated.")
        return {}, held_out_images(request.size)
    seconds, images = generate(request, spec)
    return {"generate": seconds}, images


def answering(images: Sequence[Image], width: int, layers: int, console: Console) -> dict[str, Any]:
    """What the random BLIP-2 shows, for the JSON line."""
    network, processor = random_blip2(QUESTIONS, width, layers)
    model = VisionLanguageModel(adapter_of(network, processor), Templates(question=TEMPLATE))
    comparison = compare(network, processor, model, images, QUESTIONS)
    grown, peak = growth(model, images, QUESTIONS), peak_memory()
    console.print(_comparison_sentence(comparison), _growth_sentence(grown, peak), sep="\n")
    return {
        "signature": f"blip-2|random|width:{width}|layers:{layers}|side:224",
        "answering": {**asdict(comparison), "ratio": comparison.ratio},
        "seconds_by_images": grown,
        "peak_gb": peak,
    }


def _stage_table(request: GridRequest, seconds: Mapping[str, float]) -> Table:
    """The seconds of each stage, and together."""
    table = Table(title=f"Seconds of a warm {request.rows} x {request.columns} grid")
    table.add_column("stage")
    table.add_column("seconds", justify="right")
    for stage, taken in {**seconds, "together": sum(seconds.values())}.items():
        table.add_row(stage, f"{taken:.2f}")
    return table


def _comparison_sentence(comparison: AnsweringComparison) -> str:
    """Both ways, side by side."""
    return (
        f"{comparison.questions} questions about each of {comparison.images} images by a "
        f"random BLIP-2: {comparison.here_s:.2f} s here, {comparison.published_s:.2f} s with one "
        f"generate for each question ({comparison.ratio:.1f} times as long); "
        f"P(yes) differs by {comparison.difference:.1e} at most."
    )


def _growth_sentence(grown: Mapping[int, float], peak: float) -> str:
    """Seconds a image, however many there are.

    >>> _growth_sentence({1: 0.5, 9: 3.6}, 3.1)
    'Seconds for each image: 0.50 of 1, 0.40 of 9. Peak memory: 3.1 GB.'
    """
    each = ", ".join(f"{seconds / count:.2f} of {count}" for count, seconds in grown.items())
    return f"Seconds for each image: {each}. Peak memory: {peak:.1f} GB."

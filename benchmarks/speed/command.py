"""The options of the speed benchmark come in; its tables and a line of JSON go out."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from PIL.Image import Image
from rich.console import Console
from rich.table import Table

import benchmarks.speed as room
from alignment.models.adapters import adapter_of
from alignment.models.catalogue import Templates, find_bundle
from alignment.models.loading import Models
from alignment.models.vlm import VisionLanguageModel
from benchmarks.speed.answering import Comparison, compare, growth, peak_memory
from benchmarks.speed.blip2 import TEMPLATE, random_blip2
from benchmarks.speed.stages import generate, held_out_pictures, stage_seconds
from generation import GridRequest, find_model, validate_request

PROMPT = "a black apple and a green backpack"
QUESTIONS = tuple(
    f"is {answer} true for what color is the {thing} ? in this image ?"
    for thing in ("apple", "backpack")
    for answer in ("black", "green", "red", "pink", "yellow")
)
"""Predicates as VQ2 puts them."""


def main(arguments: Sequence[str]) -> None:
    """Print the tables, then one JSON line."""
    options = parser().parse_args(arguments)
    request = GridRequest(options.prompt, options.rows, options.columns)
    validate_request(request)
    models, console = Models(find_bundle(options.bundle)), Console()
    generating, images = pictures(request, console)
    stages = stage_seconds(request.prompt, images, request.rows, request.columns, models)
    seconds = {**generating, **stages}
    console.print(stage_table(request, seconds))
    print(json.dumps({"seconds": seconds, **answering(images, options, console)}))


def parser() -> ArgumentParser:
    """The options."""
    options = ArgumentParser(prog="python -m benchmarks speed", description=room.__doc__)
    options.add_argument("--bundle", default="embedded", help="name of a bundle")
    options.add_argument("--prompt", default=PROMPT)
    options.add_argument("--rows", type=int, default=3)
    options.add_argument("--columns", type=int, default=3)
    options.add_argument("--width", type=int, default=768, help="of the random BLIP-2, x 64")
    options.add_argument("--layers", type=int, default=12, help="of each of its three parts")
    return options


def pictures(request: GridRequest, console: Console) -> tuple[dict[str, float], list[Image]]:
    """Generated ones with the seconds they took, or those of the test set without."""
    spec = find_model(request.model)
    if not Path(spec.source).is_dir():
        console.print(f"{spec.source} is not there: generating is left out.")
        return {}, held_out_pictures(request.size)
    seconds, images = generate(request, spec)
    return {"generate": seconds}, images


def answering(images: Sequence[Image], options: Any, console: Console) -> dict[str, Any]:
    """What the random BLIP-2 shows, for the JSON line."""
    network, processor = random_blip2(QUESTIONS, options.width, options.layers)
    model = VisionLanguageModel(adapter_of(network, processor), Templates(question=TEMPLATE))
    comparison = compare(network, processor, model, images, QUESTIONS)
    grown, peak = growth(model, images, QUESTIONS), peak_memory()
    console.print(comparison_sentence(comparison), growth_sentence(grown, peak), sep="\n")
    return {
        "signature": f"blip-2|random|width:{options.width}|layers:{options.layers}|side:224",
        "answering": {**asdict(comparison), "ratio": comparison.ratio},
        "seconds_by_pictures": grown,
        "peak_gb": peak,
    }


def stage_table(request: GridRequest, seconds: Mapping[str, float]) -> Table:
    """The seconds of each stage, and together."""
    table = Table(title=f"Seconds of a warm {request.rows} x {request.columns} grid")
    table.add_column("stage")
    table.add_column("seconds", justify="right")
    for stage, taken in {**seconds, "together": sum(seconds.values())}.items():
        table.add_row(stage, f"{taken:.2f}")
    return table


def comparison_sentence(comparison: Comparison) -> str:
    """Both ways, side by side."""
    return (
        f"{comparison.questions} questions about each of {comparison.pictures} pictures by a "
        f"random BLIP-2: {comparison.here_s:.2f} s here, {comparison.published_s:.2f} s with one "
        f"generate for each question ({comparison.ratio:.1f} times as long); "
        f"P(yes) differs by {comparison.difference:.1e} at most."
    )


def growth_sentence(grown: Mapping[int, float], peak: float) -> str:
    """Seconds a picture, however many there are.

    >>> growth_sentence({1: 0.5, 9: 3.6}, 3.1)
    'Seconds for each picture: 0.50 of 1, 0.40 of 9. Peak memory: 3.1 GB.'
    """
    each = ", ".join(f"{seconds / count:.2f} of {count}" for count, seconds in grown.items())
    return f"Seconds for each picture: {each}. Peak memory: {peak:.1f} GB."

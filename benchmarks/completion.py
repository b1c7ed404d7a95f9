"""How much do images of one prompt differ when the seed completes it, and are they still right?

Nine images of each prompt as it is, and nine with what it leaves open drawn by the seed (see
`generation/completion.py`). Diversity is the mean of 1 - max(0, cosine) over the pairs of one
prompt's images, by the CLIP of the bundle; an image is right where the detector sees in
it what the prompt as it is asks for. Prompts are drawn for the intervals.

It takes about five minutes on two cores.

For example:

    python -m benchmarks completion
    python -m benchmarks completion --prompts 5 --side 2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np
import typer
from PIL.Image import Image

from alignment.models.catalogue import find_bundle
from alignment.models.clip import image_similarity
from alignment.models.loading import Models
from alignment.models.vlm import EncodedImages
from alignment.set_metrics.relevance import diversity
from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.progress import watched
from benchmarks.stickers.detector import Detector, load_detector
from benchmarks.stickers.generated import LoadedGenerator, right_images
from benchmarks.stickers.prompts import (
    KINDS,
    EvaluationPrompt,
    first_of_each_kind,
    read_prompts,
)

HELD_OUT = tuple(kind for kind in KINDS if kind != "typed")
SEED = 20_000
"""Of the first image; every further one has the next seed."""


class GridFigures(NamedTuple):
    """What one grid of a prompt shows."""

    diversity: float
    """In [0, 1]."""
    right: float
    """Part of its images."""


def main(
    bundle: given.BundleName = "embedded",
    model: given.ModelName = "icons",
    prompts: Annotated[int, typer.Option(min=1, help="Of each of five kinds.")] = 10,
    side: Annotated[int, typer.Option(min=2, max=6, help="Rows and columns of a grid.")] = 3,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    models, generator = Models(find_bundle(bundle)), LoadedGenerator.of(model)
    detector, found = load_detector(), list[list[GridFigures]]()
    for index, prompt in enumerate(watched(open_prompts(prompts), "prompts")):
        first = SEED + side**2 * index
        grids = [
            generator.grid(prompt.prompt, (side, side), first, completion=completion)
            for completion in (False, True)
        ]
        found.append([grid_figures(images, prompt, models, detector) for images in grids])
    said = {"model": model, "similarity": models.bundle.clip.name, "grid": f"{side}x{side}"}
    numbers = measure(found, np.random.default_rng(seed), **said)
    title = f"Means of {len(found)} prompts, {side**2} images each (95 %)"
    publish("completion", [pivot(title, numbers, ["name"], "of")], numbers)


def open_prompts(each: int) -> list[EvaluationPrompt]:
    """So many held-out prompts of each kind that leave the background open."""
    fitting = [prompt for prompt in read_prompts() if not prompt.background]
    return first_of_each_kind(fitting, each, kinds=HELD_OUT)


def grid_figures(
    images: Sequence[Image], prompt: EvaluationPrompt, models: Models, detector: Detector
) -> GridFigures:
    """How much the images differ, and how many of them show what the prompt asks for."""
    right = right_images(images, prompt, detector)
    similarity = image_similarity(models.clip, EncodedImages(images))
    return GridFigures(diversity(similarity), float(np.mean(right)))


def measure(
    found: Sequence[Sequence[GridFigures]], generator: np.random.Generator, **settings: object
) -> list[Number]:
    """Means over prompts of both figures, of either grid and of what completion changes.

    Args:
        found: of each prompt as it is, and completed.

    >>> one = (GridFigures(0.1, 1.0), GridFigures(0.3, 0.75))
    >>> other = (GridFigures(0.2, 1.0), GridFigures(0.3, 0.25))
    >>> [round(n.value, 2) for n in measure([one, other], np.random.default_rng(7))]
    [0.15, 0.3, 0.15, 1.0, 0.5, -0.5]
    """
    numbers = []
    for figure, values in zip(GridFigures._fields, np.transpose(found), strict=True):
        plain, completed = values
        for name, each, low in (
            ("plain", plain, 0.0),
            ("completed", completed, 0.0),
            ("change", completed - plain, -1.0),
        ):
            mean = measured_mean(each, generator, bounds=(low, 1.0))
            numbers.append(Number.of(figure, {"of": name, **settings, "n": len(found)}, mean))
    return numbers

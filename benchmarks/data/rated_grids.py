"""Grids of nine images with people's ratings, as GenAI-Bench-Ranking is published."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean

from PIL.Image import Image

from benchmarks.data.images import ImageStore
from session.errors import DataError

CELLS = range(1, 10)
"""The numbers of the images of a grid."""
LOWEST, HIGHEST = 1, 5
"""People's ratings."""
RATINGS = "human_rating.json"


@dataclass(frozen=True)
class RatedGrid:
    """Nine images of a prompt by one text-to-image model, and what people think of them."""

    model: str
    prompt: str
    images: tuple[str, ...]
    """Their names, "MODEL/FILE"."""
    relevance: tuple[float, ...]
    """The mean rating of each, from 0 for the lowest to 1 for the highest."""


def read_grids(folder: Path) -> list[RatedGrid]:
    """The grids of every model, in the order of the prompts.

    Raises:
        DataError: there is no file of ratings, or it is not as published.

    Source: B. Li et al., "GenAI-Bench: Evaluating and Improving Compositional Text-to-Visual
    Generation", 2024.
    """
    file = folder / RATINGS
    if not file.is_file():
        raise DataError(
            f"there is no file {file}; give the folder of GenAI-Bench-Ranking, published at "
            "huggingface.co/datasets/zhiqiulin/GenAI-Image-Ranking-800"
        )
    try:
        return [
            _grid(model, int(number), each["prompt"], ratings)
            for number, each in json.loads(file.read_text(encoding="utf-8")).items()
            for model, ratings in each["models"].items()
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(
            f"{RATINGS} is not as published ({type(error).__name__}: {error}); it has for each "
            'prompt its number, "prompt" and "models", and for each model lists of ratings, '
            f'{LOWEST} to {HIGHEST}, of the images "{CELLS[0]}" to "{CELLS[-1]}"'
        ) from error


def _grid(
    model: str, number: int, prompt: str, ratings: Mapping[str, Sequence[float]]
) -> RatedGrid:
    means = [(fmean(ratings[str(cell)]) - LOWEST) / (HIGHEST - LOWEST) for cell in CELLS]
    if not all(0 <= each <= 1 for each in means):
        raise ValueError(f"a rating of prompt {number} is not from {LOWEST} to {HIGHEST}")
    images = (f"{model}/{number:05d}_{cell:02d}.jpeg" for cell in CELLS)
    return RatedGrid(model, prompt, tuple(images), tuple(means))


def image_opener(folder: Path) -> Callable[[str], Image]:
    """What opens an image by its name, from the folder or the .zip of its model."""

    @cache
    def store(model: str) -> ImageStore:
        home = folder / model
        return ImageStore(home if home.is_dir() else home.with_suffix(".zip"))

    def image(name: str) -> Image:
        model, _, file = name.partition("/")
        return store(model).open(file)

    return image

"""Seconds of each stage of a grid, warm."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.evaluation import evaluate
from alignment.models.loading import Models
from generation import GridRequest, ModelSpec, load_pipeline, sample

TEST_SET = Path(__file__).parents[2] / "assets" / "benchmarks" / "stickers"

Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds, and what the work gave."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def generate(request: GridRequest, spec: ModelSpec) -> tuple[float, list[Image]]:
    """Seconds of a warm generating, and its images."""
    pipeline = load_pipeline(spec)

    def whole() -> list[Image]:
        *_, last = sample(request, pipeline, spec)
        return [cell.image for cell in last.cells]

    whole()
    return timed(whole)


def held_out_images(count: int, folder: Path = TEST_SET) -> list[Image]:
    """The first images of the sticker test set."""
    return [PillowImage.open(path).convert("RGB") for path in sorted(folder.glob("*.png"))[:count]]


def stage_seconds(
    prompt: str, images: Sequence[Image], rows: int, columns: int, models: Models
) -> Mapping[str, float]:
    """Seconds of each stage of a warm evaluation."""
    stages = (stage for _ in range(2) for stage in evaluate(prompt, images, rows, columns, models))
    reports = [stage.report for stage in stages if stage.report]
    return reports[-1].timings

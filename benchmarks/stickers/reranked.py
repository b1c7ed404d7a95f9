"""What it is worth to show the first of nine pictures, ranked by VQ2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from alignment.evaluation import read_prompt
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.scorers import ScoringInput, Vq2
from benchmarks.stickers.detector import Detector, detect, to_pixels
from benchmarks.stickers.generated import LoadedGenerator
from benchmarks.stickers.prompts import EvaluationPrompt, satisfies

SIDE = 3
SEED = 9000
"""Of the first picture; every further one has the next seed."""


@dataclass(frozen=True)
class RankedGrid:
    """Pictures of one prompt: which are correct, and which would be shown first."""

    correct: tuple[bool, ...]
    first: int


def ranked_grids(
    prompts: Sequence[EvaluationPrompt],
    generator: LoadedGenerator,
    models: Models,
    detector: Detector,
) -> Iterator[RankedGrid]:
    """A grid for each prompt, ranked by VQ2; a picture that could not be scored comes last."""
    vq2 = Vq2(models.answerer)
    for index, prompt in enumerate(prompts):
        images = generator.grid(prompt.prompt, (SIDE, SIDE), SEED + SIDE**2 * index)
        scored = ScoringInput(prompt.prompt, read_prompt(prompt.prompt, models))
        scores = [
            -1 if score.value is None else score.value
            for score in vq2.score(scored, Pictures(images))
        ]
        scenes = detect(detector, to_pixels(images))
        correct = tuple(satisfies(scene, prompt) for scene in scenes)
        yield RankedGrid(correct, int(np.argmax(scores)))


def precision(grids: Sequence[RankedGrid]) -> Mapping[str, float]:
    """Precision at 1 of a random picture, of the first-ranked one, and of the best possible.

    >>> precision([RankedGrid((True, False), 0), RankedGrid((False, False), 1)])
    {'random': 0.25, 'ranked': 0.5, 'best': 0.5}
    """
    return {
        "random": float(np.mean([np.mean(grid.correct) for grid in grids])),
        "ranked": float(np.mean([grid.correct[grid.first] for grid in grids])),
        "best": float(np.mean([any(grid.correct) for grid in grids])),
    }

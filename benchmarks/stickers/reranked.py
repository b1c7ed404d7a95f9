"""Nine pictures of each prompt come in; what it is worth to show the first-ranked one goes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from alignment.evaluation import read_prompt
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.scorers import ScoringInput, Vq2
from benchmarks.stickers.detector import Judge, read, to_pixels
from benchmarks.stickers.generated import Painter, Wish, fulfils

SIDE = 3
SEED = 9000
"""Of the first picture; every further one has the next seed."""


@dataclass(frozen=True)
class Choice:
    """Pictures of one wish: which are right, and which would be shown first."""

    right: tuple[bool, ...]
    first: int


def choices(
    wishes: Sequence[Wish], painter: Painter, models: Models, judge: Judge
) -> Iterator[Choice]:
    """A grid for each wish, ranked by VQ2; a picture that could not be judged comes last."""
    vq2 = Vq2(models.answerer)
    for index, wish in enumerate(wishes):
        images = painter.grid(wish, (SIDE, SIDE), SEED + SIDE**2 * index)
        asked = ScoringInput(wish.prompt, read_prompt(wish.prompt, models))
        scores = [
            -1 if score.value is None else score.value
            for score in vq2.score(asked, Pictures(images))
        ]
        right = tuple(fulfils(seen, wish) for seen in read(judge, to_pixels(images)))
        yield Choice(right, int(np.argmax(scores)))


def precision(choices: Sequence[Choice]) -> Mapping[str, float]:
    """Precision at 1 of a random picture, of the first-ranked one, and of the best possible.

    >>> precision([Choice((True, False), 0), Choice((False, False), 1)])
    {'random': 0.25, 'ranked': 0.5, 'best': 0.5}
    """
    return {
        "random": float(np.mean([np.mean(choice.right) for choice in choices])),
        "ranked": float(np.mean([choice.right[choice.first] for choice in choices])),
        "best": float(np.mean([any(choice.right) for choice in choices])),
    }

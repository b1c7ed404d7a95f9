"""How well a VLM tells where one group of things is from another, on drawn scenes of its world."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from alignment.models.image_models import ICON_VLM
from alignment.models.loading import load_vision
from alignment.models.vlm import ImageQuestion
from alignment.statistics.intervals import measured_proportion
from benchmarks.data.numbers import Number
from recipes.vlm.sides import where_example
from recipes.world.art import draw
from recipes.world.domains import WHOLE_STICKERS
from recipes.world.scenes import Scene, sample_sides
from recipes.world.worlds import WORLD

SEED = 987_654
"""Of the scenes, which no training draws: theirs have two parts, the recipe's seed and the step."""
ASKED = {"VQ2": False, "VNLI": True}
"""Whose question -> whether it is about the whole caption."""


def sides_accuracy(folder: Path, count: int) -> Iterator[Number]:
    """Yes or no rightly said, by whose question it is, what the scene shows and the right answer.

    Args:
        folder: of a model and its processor.
        count: scenes; each is asked about once in either way.
    """
    rng = np.random.default_rng(SEED)
    scenes = [sample_sides(rng, WORLD) for _ in range(count)]
    model = load_vision(replace(ICON_VLM, source=folder))
    pictures = model.encode([draw(scene) for scene in scenes])
    right = defaultdict[tuple[str, str, str], list[bool]](list)
    for at, scene in enumerate(scenes):
        for method, whole in ASKED.items():
            asked = where_example(rng, scene, WHOLE_STICKERS, whole)
            (said,) = model.p_yes(pictures, [ImageQuestion(at, asked.prompt)])
            right[method, _shown(scene), asked.answer].append(
                (said.probability > 0.5) == (asked.answer == "yes")
            )
    for (method, shown, answer), each in sorted(right.items()):
        about = {"method": method, "case": f"{shown}: {answer}", "n": len(each)}
        yield Number.of("right", about, measured_proportion(sum(each), len(each)), chance=0.5)


def _shown(scene: Scene) -> str:
    return "a side for each" if scene.relation_between(0, 1) else "none"

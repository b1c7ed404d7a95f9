"""Drawn scenes become the judge of painted ones, `benchmarks.stickers.detector`.

    python -m recipes.detector.train [--target assets/benchmarks/judge]

Weights, seed and data are its own, and it is taught by drawn scenes only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from benchmarks.stickers.detector import (
    FOLDER,
    LATTICE,
    Judge,
    Seen,
    Sticker,
    Words,
    load_judge,
    read,
    save_judge,
)
from recipes.training import Schedule, fit, mixed_precision
from recipes.world.art import photographs
from recipes.world.scenes import SIZE, Scene, sample_scene
from recipes.world.things import SECOND_WORLD

WORLD = SECOND_WORLD
LOOKS = tuple((thing.name, state) for thing in WORLD.things for state in thing.icons)
COLOURS = ("", *WORLD.colours)
PLACES = tuple(WORLD.backgrounds)
SIZES = (0, 32, 48, 64)
"""Pixels of a sticker's box; 0 where none begins."""
SIDE = SIZE // LATTICE


@dataclass(frozen=True)
class DetectorSettings:
    """What `train` needs to know."""

    run: Path = Path("runs/detector")
    target: Path = FOLDER
    words: Words = Words(SIZES, LOOKS, COLOURS, PLACES, widths=(40, 96, 160))
    batch: int = 24
    schedule: Schedule = Schedule(steps=4000, lr=2e-3, warmup=100, ema=0.99, floor=0.01, seed=77)


def labels(scene: Scene) -> NDArray[Any]:
    """What begins at each corner: shape (8, 8, 3), index of size, look and colour."""
    table = np.zeros((SIDE, SIDE, 3), int)
    for group, boxes in zip(scene.groups, scene.boxes, strict=True):
        look, colour = LOOKS.index((group.name, group.state)), COLOURS.index(group.colour)
        for box in boxes:
            table[box.y // LATTICE, box.x // LATTICE] = SIZES.index(box.size), look, colour
    return table


def losses(model: Judge, batch: int, rng: np.random.Generator) -> dict[str, Tensor]:
    """How badly a batch of drawn scenes, with flaws that paintings have, is read."""
    scenes = [sample_scene(rng, WORLD, held_out=None) for _ in range(batch)]
    truth = torch.from_numpy(np.stack(list(map(labels, scenes))))
    with mixed_precision():
        corners, places = model(weathered(rng, photographs(scenes)))
    size, look, colour = corners.split(model.words.parts, dim=-1)
    there = truth[..., 0] > 0
    named = torch.tensor([PLACES.index(scene.background) for scene in scenes])
    return {
        "size": 4 * functional.cross_entropy(size.flatten(0, 2), truth[..., 0].flatten()),
        "look": functional.cross_entropy(look[there], truth[..., 1][there]),
        "colour": functional.cross_entropy(colour[there], truth[..., 2][there]),
        "place": 0.5 * functional.cross_entropy(places, named),
    }


def weathered(rng: np.random.Generator, pixels: Tensor) -> Tensor:
    """Pictures as a painter might have left them: softer, a little shifted, tinted and noisy."""
    count = len(pixels)
    soft = functional.interpolate(pixels, size=int(rng.integers(40, 128)), mode="area")
    soft = functional.interpolate(soft, size=SIZE, mode="bilinear")
    mix = torch.from_numpy(rng.choice([0.0, 1.0], (count, 1, 1, 1))).float()
    moved = torch.roll(pixels + mix * (soft - pixels), tuple(rng.integers(-3, 4, 2)), (2, 3))
    tint = torch.from_numpy(rng.normal(0, 0.04, (count, 3, 1, 1))).float()
    noise = torch.from_numpy(rng.uniform(0, 0.1, (count, 1, 1, 1))).float()
    return (moved + tint + noise * torch.randn_like(moved)).clamp(-1, 1)


def contents(scene: Scene) -> Seen:
    """A scene as the judge would put it, if it read every sticker rightly."""
    stickers = tuple(
        Sticker(group.name, group.colour, group.state, box.size, box.x, box.y)
        for group, boxes in zip(scene.groups, scene.boxes, strict=True)
        for box in boxes
    )
    return Seen(stickers, scene.background)


def same(one: Seen, other: Seen) -> bool:
    """Whether two pictures show the same, in whatever order it is told."""
    return one.background == other.background and {*one.stickers} == {*other.stickers}


def accuracy(model: Judge, count: int = 1000, seed: int = 5) -> float:
    """Part of drawn test scenes, with held-out compositions, that are read exactly right."""
    rng = np.random.default_rng(seed)
    scenes = [sample_scene(rng, WORLD, held_out=True) for _ in range(count)]
    parts = [scenes[start : start + 50] for start in range(0, count, 50)]
    reads = [seen for part in parts for seen in read(model, photographs(part))]
    return float(np.mean([same(contents(s), seen) for s, seen in zip(scenes, reads, strict=True)]))


def train(settings: DetectorSettings) -> Path:
    """Train the judge.

    Returns:
        Its folder.
    """
    torch.manual_seed(settings.schedule.seed)
    model = Judge(settings.words).to(memory_format=torch.channels_last)
    fit(model, partial(losses, model, settings.batch), settings.schedule, settings.run)
    return save_judge(model, settings.target)


def main(run: Path = DetectorSettings.run, target: Path = FOLDER) -> None:
    """Train the judge and measure it."""
    judge = load_judge(train(DetectorSettings(run, target)))
    print(f"{accuracy(judge):.3f} of the held-out scenes read exactly right")


if __name__ == "__main__":
    typer.run(main)

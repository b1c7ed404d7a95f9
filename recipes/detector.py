"""Training of the detector that reads generated images, on drawn scenes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from benchmarks.stickers.detector import (
    FOLDER,
    DetectedScene,
    Detector,
    DetectorVocabulary,
    Sticker,
    detect,
    save_detector,
)
from benchmarks.stickers.geometry import LATTICE, SIZE
from recipes.training import Schedule, device, fit, mixed_precision, share
from recipes.world.domains import ICONS, WHOLE_ICONS, WHOLE_STICKERS_AMONG_ICONS, Domain
from recipes.world.scenes import Scene

SIZES = (0, 32, 48, 64)
"""Pixels of a sticker's box; 0 where none begins."""
SIDE = SIZE // LATTICE
TEST_SEED = 5
BESIDE = 0.25
"""How many steps show the other look of the world."""


@dataclass(frozen=True)
class DetectorSettings:
    """What `train` needs to know."""

    run: Path = Path("runs/detector")
    target: Path = FOLDER
    domain: Domain = WHOLE_ICONS
    beside: Domain = WHOLE_STICKERS_AMONG_ICONS
    """Another look of the same world, which a part of the steps show instead."""
    widths: tuple[int, int, int] = (40, 96, 160)
    batch: int = 32
    schedule: Schedule = Schedule(steps=6000, lr=2e-3, warmup=200, ema=0.995, floor=0.01, seed=77)

    @cached_property
    def vocabulary(self) -> DetectorVocabulary:
        """What the detector can say of its world."""
        world = self.domain.world
        said = world.looks, world.said_colours, tuple(world.backgrounds)
        return DetectorVocabulary(SIZES, *said, self.widths)


def labels(vocabulary: DetectorVocabulary, scene: Scene) -> NDArray[Any]:
    """What begins at each corner: shape (8, 8, 3), index of size, look and colour."""
    table = np.zeros((SIDE, SIDE, 3), int)
    for group, boxes in zip(scene.groups, scene.boxes, strict=True):
        look = vocabulary.looks.index((group.name, group.state))
        colour = vocabulary.colours.index(group.colour)
        for box in boxes:
            corner = box.y // LATTICE, box.x // LATTICE
            table[corner] = vocabulary.sizes.index(box.size), look, colour
    return table


def _detection_losses(
    model: Detector, settings: DetectorSettings, rng: np.random.Generator
) -> dict[str, Tensor]:
    """Losses on a batch of drawn scenes with flaws that generated images have."""
    domain = settings.beside if rng.random() < BESIDE else settings.domain
    scenes = [domain.sample(rng, None) for _ in range(share(settings.batch))]
    photographs = domain.photographs(scenes)
    written = np.stack([labels(model.vocabulary, scene) for scene in scenes])
    truth = torch.from_numpy(written).to(device())
    with mixed_precision():
        pixels = _weathered(rng, photographs)
        corners, places = model(pixels.to(device()))
    size, look, colour = corners.split(model.vocabulary.parts, dim=-1)
    there = truth[..., 0] > 0
    named = [model.vocabulary.backgrounds.index(scene.background) for scene in scenes]
    return {
        "size": 4 * functional.cross_entropy(size.flatten(0, 2), truth[..., 0].flatten()),
        "look": functional.cross_entropy(look[there], truth[..., 1][there]),
        "colour": functional.cross_entropy(colour[there], truth[..., 2][there]),
        "place": 0.5 * functional.cross_entropy(places, torch.tensor(named, device=device())),
    }


def _weathered(rng: np.random.Generator, pixels: Tensor) -> Tensor:
    """Images with flaws of generated ones: softer, a little shifted, tinted and noisy."""
    count = len(pixels)
    soft = functional.interpolate(pixels, size=int(rng.integers(40, 128)), mode="area")
    soft = functional.interpolate(soft, size=SIZE, mode="bilinear")
    mix = torch.from_numpy(rng.choice([0.0, 1.0], (count, 1, 1, 1))).float()
    moved = torch.roll(pixels + mix * (soft - pixels), tuple(rng.integers(-3, 4, 2)), (2, 3))
    tint = torch.from_numpy(rng.normal(0, 0.04, (count, 3, 1, 1))).float()
    noise = torch.from_numpy(rng.uniform(0, 0.1, (count, 1, 1, 1))).float()
    return (moved + tint + noise * torch.randn_like(moved)).clamp(-1, 1)


def contents(scene: Scene) -> DetectedScene:
    """A scene as the detector would put it, if it read every sticker correctly."""
    stickers = tuple(
        Sticker(box.x, box.y, box.size, group.name, group.colour, group.state)
        for group, boxes in zip(scene.groups, scene.boxes, strict=True)
        for box in boxes
    )
    return DetectedScene(stickers, scene.background)


def same(one: DetectedScene, other: DetectedScene) -> bool:
    """Whether two images show the same, in whatever order it is told."""
    return one.background == other.background and {*one.stickers} == {*other.stickers}


def accuracy(model: Detector, domain: Domain = ICONS, count: int = 1000) -> float:
    """Part of drawn scenes, new to it, that are read exactly right."""
    rng = np.random.default_rng(TEST_SEED)
    scenes = [domain.sample(rng, None) for _ in range(count)]
    parts = [scenes[start : start + 50] for start in range(0, count, 50)]
    found = [read for part in parts for read in detect(model, domain.photographs(part))]
    return float(np.mean([same(contents(s), read) for s, read in zip(scenes, found, strict=True)]))


def train(settings: DetectorSettings) -> Path:
    """Train the detector."""
    torch.manual_seed(settings.schedule.seed)
    model = Detector(settings.vocabulary).to(memory_format=torch.channels_last)
    fit(model, partial(_detection_losses, model, settings), settings.schedule, settings.run)
    return save_detector(model, settings.target)

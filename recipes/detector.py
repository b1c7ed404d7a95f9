"""Drawn scenes become a judge of painted ones: it reads a picture back into a scene.

    python -m recipes.detector

It shares nothing with the models that it judges: a plain convolutional network with weights, seed
and data of its own, taught by drawn scenes only. For each corner of the lattice it says which
sticker begins there, if any, of what size and colour; for the whole picture, the background.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from recipes.training import Schedule, fit, mixed_precision
from recipes.world.art import photographs
from recipes.world.scenes import LATTICE, SIZE, Box, Group, Scene, sample_scene
from recipes.world.things import SECOND_WORLD

WORLD = SECOND_WORLD
LOOKS = tuple((thing.name, state) for thing in WORLD.things for state in thing.icons)
COLOURS = ("", *WORLD.colours)
PLACES = tuple(WORLD.backgrounds)
SIZES = (0, 32, 48, 64)
"""Pixels of a sticker's box; 0 where none begins."""
SIZE_NAMES = {32: "small", 64: "large"}
PARTS = (len(SIZES), len(LOOKS), len(COLOURS))
SIDE = SIZE // LATTICE


@dataclass(frozen=True)
class Settings:
    """What `train` needs to know."""

    run: Path = Path("runs/detector")
    widths: tuple[int, int, int] = (40, 96, 160)
    """Of the features at 32 x 32, 16 x 16 and 8 x 8."""
    batch: int = 24
    schedule: Schedule = Schedule(steps=4000, lr=2e-3, warmup=100, ema=0.99, floor=0.01, seed=77)


class Block(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=dilation, dilation=dilation, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Same shape out as in."""
        return functional.relu(x + self.body(x))


class Detector(nn.Module):
    """Pictures (n, 3, 128, 128) in [-1, 1] -> logits (n, 8, 8, sum(PARTS)) and (n, places)."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        first, second, last = settings.widths
        self.body = nn.Sequential(
            *(nn.Conv2d(3, first, 7, stride=4, padding=3), nn.ReLU(), Block(first)),
            *(nn.Conv2d(first, second, 3, stride=2, padding=1), nn.ReLU(), Block(second)),
            *(nn.Conv2d(second, last, 3, stride=2, padding=1), nn.ReLU(), Block(last)),
            *(Block(last, dilation=2), Block(last)),
        )
        self.corner = nn.Conv2d(last, sum(PARTS), 1)
        self.place = nn.Linear(last, len(PLACES))

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the corners, and of the backgrounds."""
        seen = self.body(pixels)
        return self.corner(seen).permute(0, 2, 3, 1).float(), self.place(seen.mean((2, 3))).float()


def labels(scene: Scene) -> NDArray[Any]:
    """What begins at each corner: shape (8, 8, 3), index of size, look and colour."""
    table = np.zeros((SIDE, SIDE, 3), int)
    for group, boxes in zip(scene.groups, scene.boxes, strict=True):
        look, colour = LOOKS.index((group.name, group.state)), COLOURS.index(group.colour)
        for box in boxes:
            table[box.y // LATTICE, box.x // LATTICE] = SIZES.index(box.size), look, colour
    return table


def losses(model: Detector, batch: int, rng: np.random.Generator) -> dict[str, Tensor]:
    """How badly a batch of drawn scenes, with flaws that paintings have, is read."""
    scenes = [sample_scene(rng, WORLD, held_out=None) for _ in range(batch)]
    truth = torch.from_numpy(np.stack(list(map(labels, scenes))))
    with mixed_precision():
        corners, places = model(weathered(rng, photographs(scenes)))
    size, look, colour = corners.split(PARTS, dim=-1)
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


@torch.no_grad()
def read(model: Detector, pixels: Tensor) -> list[Scene]:
    """The scenes that pictures (n, 3, 128, 128) in [-1, 1] show."""
    model.eval()
    corners, places = model(pixels)
    parts = [part.argmax(-1).numpy() for part in corners.split(PARTS, dim=-1)]
    return [
        _scene([part[index] for part in parts], PLACES[int(place)])
        for index, place in enumerate(places.argmax(-1))
    ]


def _scene(parts: Sequence[NDArray[Any]], background: str) -> Scene:
    found: dict[tuple[str, str, str, int], list[Box]] = defaultdict(list)
    for row, column in zip(*np.nonzero(parts[0]), strict=True):
        size, look, colour = (int(part[row, column]) for part in parts)
        name, state = LOOKS[look]
        box = Box(int(column) * LATTICE, int(row) * LATTICE, SIZES[size])
        found[name, COLOURS[colour], state, SIZES[size]].append(box)
    groups = tuple(
        Group(name, colour, state, len(boxes), SIZE_NAMES.get(size, ""))
        for (name, colour, state, size), boxes in found.items()
    )
    return Scene(groups, tuple(map(tuple, found.values())), background)


def same(one: Scene, other: Scene) -> bool:
    """Whether two scenes show the same, whatever the order of their groups."""
    return one.background == other.background and _contents(one) == _contents(other)


def _contents(scene: Scene) -> set[tuple[Group, frozenset[Box]]]:
    return {(g, frozenset(boxes)) for g, boxes in zip(scene.groups, scene.boxes, strict=True)}


def accuracy(model: Detector, count: int = 1000, seed: int = 5) -> float:
    """Part of drawn test scenes, with held-out compositions, that are read exactly right."""
    rng = np.random.default_rng(seed)
    scenes = [sample_scene(rng, WORLD, held_out=True) for _ in range(count)]
    reads = [
        scene for n in range(0, count, 50) for scene in read(model, photographs(scenes[n : n + 50]))
    ]
    return float(np.mean([same(*pair) for pair in zip(scenes, reads, strict=True)]))


def train(settings: Settings) -> Path:
    """Train the judge.

    Returns:
        The file of its weights.
    """
    torch.manual_seed(settings.schedule.seed)
    model = Detector(settings).to(memory_format=torch.channels_last)
    fit(model, partial(losses, model, settings.batch), settings.schedule, settings.run)
    torch.save(model.state_dict(), settings.run / "finished.pt")
    return settings.run / "finished.pt"


def load(settings: Settings) -> Detector:
    """The trained judge."""
    model = Detector(settings)
    model.load_state_dict(torch.load(settings.run / "finished.pt", weights_only=True))
    model.eval()
    return model


def main(run: Path = Settings.run) -> None:
    """Train the judge and measure it."""
    settings = Settings(run=run)
    train(settings)
    print(f"{accuracy(load(settings)):.3f} of the held-out scenes read exactly right")


if __name__ == "__main__":
    typer.run(main)

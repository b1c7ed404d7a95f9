"""A painted picture comes in; the stickers that it shows go out, as an independent judge reads it.

The judge shares nothing with the models that it judges: a plain convolutional network, trained by
`recipes.detector.train` on drawn scenes only. For each corner of a lattice it says which sticker
begins there, if any, of what size and colour; for the whole picture, the background.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL.Image import Image
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

FOLDER = Path(__file__).parents[2] / "assets" / "benchmarks" / "judge"
SIZE = 128
"""Pixels along a side of a picture."""
LATTICE = 16
"""Every sticker's corner is a multiple of this many pixels."""


@dataclass(frozen=True)
class Words:
    """What a judge can say, in the order of its logits."""

    sizes: tuple[int, ...]
    """Pixels of a sticker's side; the first is 0, where none begins."""
    looks: tuple[tuple[str, str], ...]
    """Thing and state."""
    colours: tuple[str, ...]
    places: tuple[str, ...]
    widths: tuple[int, int, int]
    """Of the features at 32 x 32, 16 x 16 and 8 x 8."""

    @property
    def parts(self) -> tuple[int, int, int]:
        """Widths of what is said of each corner."""
        return len(self.sizes), len(self.looks), len(self.colours)


@dataclass(frozen=True)
class Sticker:
    """One sticker in a picture."""

    name: str
    colour: str
    state: str
    size: int
    """Pixels of its side."""
    x: int
    """Pixels from the left to its corner."""
    y: int
    """Pixels from the top."""


@dataclass(frozen=True)
class Seen:
    """What a picture shows."""

    stickers: tuple[Sticker, ...]
    background: str


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


class Judge(nn.Module):
    """Pictures (n, 3, 128, 128) in [-1, 1] -> logits (n, 8, 8, sum(parts)) and (n, places)."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = words
        first, second, last = words.widths
        self.body = nn.Sequential(
            *(nn.Conv2d(3, first, 7, stride=4, padding=3), nn.ReLU(), Block(first)),
            *(nn.Conv2d(first, second, 3, stride=2, padding=1), nn.ReLU(), Block(second)),
            *(nn.Conv2d(second, last, 3, stride=2, padding=1), nn.ReLU(), Block(last)),
            *(Block(last, dilation=2), Block(last)),
        )
        self.corner = nn.Conv2d(last, sum(words.parts), 1)
        self.place = nn.Linear(last, len(words.places))

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the corners, and of the backgrounds."""
        seen = self.body(pixels)
        return self.corner(seen).permute(0, 2, 3, 1).float(), self.place(seen.mean((2, 3))).float()


@torch.no_grad()
def read(judge: Judge, pixels: Tensor) -> list[Seen]:
    """What pictures (n, 3, 128, 128) in [-1, 1] show."""
    judge.eval()
    corners, places = judge(pixels)
    parts = [part.argmax(-1).numpy() for part in corners.split(judge.words.parts, dim=-1)]
    return [
        seen(judge.words, [part[index] for part in parts], judge.words.places[int(place)])
        for index, place in enumerate(places.argmax(-1))
    ]


def seen(words: Words, parts: Sequence[NDArray[Any]], background: str) -> Seen:
    """Put into words what begins at each corner.

    Args:
        parts: indices of size, look and colour, each of shape (8, 8).
    """
    stickers = []
    for row, column in zip(*np.nonzero(parts[0]), strict=True):
        size, look, colour = (int(part[row, column]) for part in parts)
        name, state = words.looks[look]
        corner = int(column) * LATTICE, int(row) * LATTICE
        stickers.append(Sticker(name, words.colours[colour], state, words.sizes[size], *corner))
    return Seen(tuple(stickers), background)


def to_pixels(images: Sequence[Image]) -> Tensor:
    """Pictures as the judge takes them, (n, 3, 128, 128); larger ones are made smaller."""
    small = [image.convert("RGB").resize((SIZE, SIZE)) for image in images]
    stack = np.stack([np.asarray(image) for image in small])
    return torch.from_numpy(stack).permute(0, 3, 1, 2).float() / 127.5 - 1


def save_judge(judge: Judge, folder: Path) -> Path:
    """Write its words and its weights, in half precision."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "words.json").write_text(json.dumps(asdict(judge.words)) + "\n", encoding="utf-8")
    weights = {
        name: value.half().contiguous() if value.is_floating_point() else value
        for name, value in judge.state_dict().items()
    }
    save_file(weights, folder / "judge.safetensors")
    return folder


def load_judge(folder: Path = FOLDER) -> Judge:
    """The judge that `save_judge` wrote."""
    stored = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    stored["looks"] = [tuple(look) for look in stored["looks"]]
    judge = Judge(Words(**{name: tuple(value) for name, value in stored.items()}))
    judge.load_state_dict(load_file(folder / "judge.safetensors"))
    judge.eval()
    return judge

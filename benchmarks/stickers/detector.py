"""The detector: it reads the things and the background of a generated image.

It shares nothing with the models that it evaluates: a plain convolutional network, trained by
`recipes.detector` on drawn scenes only. For each corner of a lattice it says which sticker
begins there, if any, of what size and colour; for the whole image, the background.
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
from pydantic import TypeAdapter
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.stickers.geometry import LATTICE, SIZE, Box

FOLDER = Path(__file__).parents[2] / "assets" / "benchmarks" / "detector"


@dataclass(frozen=True)
class DetectorVocabulary:
    """What a detector can say, in the order of its logits."""

    sizes: tuple[int, ...]
    """Pixels of a sticker's side; the first is 0, where none begins."""
    looks: tuple[tuple[str, str], ...]
    """Class and state."""
    colours: tuple[str, ...]
    backgrounds: tuple[str, ...]
    widths: tuple[int, int, int]
    """Channels of the features at 32 x 32, 16 x 16 and 8 x 8."""

    @property
    def parts(self) -> tuple[int, int, int]:
        """Widths of what is said of each corner."""
        return len(self.sizes), len(self.looks), len(self.colours)


@dataclass(frozen=True)
class Sticker(Box):
    """One sticker in an image."""

    name: str
    colour: str
    state: str


@dataclass(frozen=True)
class DetectedScene:
    """What an image shows."""

    stickers: tuple[Sticker, ...]
    background: str


class ResidualBlock(nn.Module):
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
    """Images (n, 3, 128, 128) in [-1, 1] -> logits (n, 8, 8, sum(parts)), (n, backgrounds)."""

    def __init__(self, vocabulary: DetectorVocabulary) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        first, second, last = vocabulary.widths
        self.body = nn.Sequential(
            *(nn.Conv2d(3, first, 7, stride=4, padding=3), nn.ReLU(), ResidualBlock(first)),
            *(nn.Conv2d(first, second, 3, stride=2, padding=1), nn.ReLU(), ResidualBlock(second)),
            *(nn.Conv2d(second, last, 3, stride=2, padding=1), nn.ReLU(), ResidualBlock(last)),
            *(ResidualBlock(last, dilation=2), ResidualBlock(last)),
        )
        self.corner = nn.Conv2d(last, sum(vocabulary.parts), 1)
        self.place = nn.Linear(last, len(vocabulary.backgrounds))

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the corners, and of the backgrounds."""
        features = self.body(pixels)
        corners = self.corner(features).permute(0, 2, 3, 1).float()
        return corners, self.place(features.mean((2, 3))).float()


@torch.no_grad()
def detect(detector: Detector, pixels: Tensor) -> list[DetectedScene]:
    """What images (n, 3, 128, 128) in [-1, 1] show."""
    detector.eval()
    vocabulary = detector.vocabulary
    corners, places = detector(pixels)
    parts = [part.argmax(-1).numpy() for part in corners.split(vocabulary.parts, dim=-1)]
    return [
        decode(vocabulary, [part[index] for part in parts], vocabulary.backgrounds[int(place)])
        for index, place in enumerate(places.argmax(-1))
    ]


def decode(
    vocabulary: DetectorVocabulary, parts: Sequence[NDArray[Any]], background: str
) -> DetectedScene:
    """Put into words what begins at each corner.

    Args:
        parts: indices of size, look and colour, each of shape (8, 8).
    """
    stickers = []
    for row, column in zip(*np.nonzero(parts[0]), strict=True):
        size, look, colour = (int(part[row, column]) for part in parts)
        name, state = vocabulary.looks[look]
        box = int(column) * LATTICE, int(row) * LATTICE, vocabulary.sizes[size]
        stickers.append(Sticker(*box, name, vocabulary.colours[colour], state))
    return DetectedScene(tuple(stickers), background)


def to_pixels(images: Sequence[Image]) -> Tensor:
    """Images as the detector takes them, (n, 3, 128, 128); larger ones are reduced."""
    small = [image.convert("RGB").resize((SIZE, SIZE)) for image in images]
    stack = np.stack([np.asarray(image) for image in small])
    return torch.from_numpy(stack).permute(0, 3, 1, 2).float() / 127.5 - 1


def save_detector(detector: Detector, folder: Path) -> Path:
    """Write its vocabulary and its weights, in half precision."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = json.dumps(asdict(detector.vocabulary)) + "\n"
    (folder / "vocabulary.json").write_text(vocabulary, encoding="utf-8")
    weights = {
        name: value.half().contiguous() if value.is_floating_point() else value
        for name, value in detector.state_dict().items()
    }
    save_file(weights, folder / "detector.safetensors")
    return folder


def load_detector(folder: Path = FOLDER) -> Detector:
    """The detector that `save_detector` wrote."""
    stored = (folder / "vocabulary.json").read_text(encoding="utf-8")
    detector = Detector(TypeAdapter(DetectorVocabulary).validate_json(stored))
    detector.load_state_dict(load_file(folder / "detector.safetensors"))
    detector.eval()
    return detector

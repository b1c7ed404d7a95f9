"""How often a text-to-image model generates what evaluation prompts ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from PIL.Image import Image

from alignment.statistics.intervals import mean_interval, proportion_interval
from benchmarks.stickers.detector import DetectedScene, Detector, detect, to_pixels
from benchmarks.stickers.prompts import KINDS, EvaluationPrompt, satisfies
from generation import GridRequest, ModelSpec, sample

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline

SEED = 4000
"""Of the first prompt; prompt k is generated from SEED + k."""
ONE_STEP = 255.0**-2
"""The squared error of one step of the 256 that a picture has, 48 dB: the least that is told."""


@dataclass(frozen=True)
class GeneratedImage:
    """A picture of an evaluation prompt, and what the detector sees in it."""

    prompt: EvaluationPrompt
    image: Image
    scene: DetectedScene

    @property
    def correct(self) -> bool:
        """Whether the picture shows what was asked for."""
        return satisfies(self.scene, self.prompt)


@dataclass(frozen=True)
class LoadedGenerator:
    """A text-to-image pipeline and how it wants to be called."""

    pipeline: DiffusionPipeline
    spec: ModelSpec

    def grid(
        self, prompt: str, shape: tuple[int, int], seed: int, *, completion: bool = False
    ) -> list[Image]:
        """Pictures of one prompt, rows x columns of them: as it is, or completed by each seed."""
        request = GridRequest(prompt, *shape, seed, self.spec.name, completion)
        *_, last = sample(request, self.pipeline, self.spec)
        return [cell.image for cell in last.cells]


def generate(
    prompts: Sequence[EvaluationPrompt], generator: LoadedGenerator, detector: Detector
) -> Iterator[GeneratedImage]:
    """A picture of each prompt, read by the detector."""
    for index, prompt in enumerate(prompts):
        (image,) = generator.grid(prompt.prompt, (1, 1), SEED + index)
        yield GeneratedImage(prompt, image, detect(detector, to_pixels([image]))[0])


@dataclass(frozen=True)
class Decibels:
    """The peak signal-to-noise ratio of some pictures together, in dB, with its 95 % interval."""

    value: float
    low: float
    high: float
    pictures: int
    """How many the interval draws."""

    def __str__(self) -> str:
        return (
            f"{self.value:.1f} dB (95 %, pictures drawn: {self.low:.1f} .. {self.high:.1f}, "
            f"{self.pictures} pictures)"
        )


def peak_ratio(squares: Sequence[float], generator: np.random.Generator) -> Decibels:
    """-10 log10 of the mean over pictures, whose interval becomes that of the ratio.

    Args:
        squares: the mean squared error of each picture, in [0, 1].
        generator: draws pictures.

    >>> print(peak_ratio([0.001, 0.001, 0.001], np.random.default_rng(7)))
    30.0 dB (95 %, pictures drawn: 30.0 .. 30.0, 3 pictures)
    """
    low, high, pictures = mean_interval(squares, generator, bounds=(ONE_STEP, 1.0))
    value, least, most = (float(-10 * np.log10(each)) for each in (np.mean(squares), high, low))
    return Decibels(value, least, most, pictures)


def autoencoder_errors(images: Sequence[Image], pipeline: DiffusionPipeline) -> list[float]:
    """The mean squared error, in [0, 1], of each picture that its autoencoder coded and decoded."""
    vae, squares = pipeline.vae, []
    for image in images:
        pixels = to_pixels([image])
        with torch.no_grad():
            coded = vae.encode(pixels.to(vae.device, vae.dtype)).latent_dist.mean
            decoded = vae.decode(coded).sample.float().cpu().clamp(-1, 1)
        squares.append(float(((decoded - pixels) / 2).square().mean()))
    return squares


@dataclass(frozen=True)
class Accuracy:
    """How many pictures are correct."""

    prompts: int
    """With one picture each."""
    share: float
    low: float
    """Of the 95 % interval, prompts drawn."""
    high: float


def accuracy(generated: Sequence[GeneratedImage]) -> Accuracy:
    """Of pictures of one prompt each."""
    right, prompts = sum(each.correct for each in generated), len(generated)
    return Accuracy(prompts, right / prompts, *proportion_interval(right, prompts))


def accuracy_by_kind(generated: Sequence[GeneratedImage]) -> dict[str, Accuracy]:
    """Kind -> how many of its pictures are correct."""
    kinds = {kind: [each for each in generated if each.prompt.kind == kind] for kind in KINDS}
    return {kind: accuracy(some) for kind, some in kinds.items() if some}

"""How often a text-to-image model generates what evaluation prompts ask for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from PIL.Image import Image

from alignment.statistics.intervals import Measured, measured_mean
from benchmarks.stickers.detector import Detector, detect, to_pixels
from benchmarks.stickers.prompts import EvaluationPrompt, satisfies
from generation import GridRequest, ModelSpec, find_model, load_pipeline, sample

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline

SEED = 4000
"""Of the first prompt; prompt k is generated from SEED + k."""
ONE_STEP = 255.0**-2
"""The squared error of one step of the 256 that an image has, 48 dB: the least that is told."""


@dataclass(frozen=True)
class GeneratedImage:
    """An image of an evaluation prompt."""

    prompt: EvaluationPrompt
    image: Image
    correct: bool
    """Whether it shows what was asked for, by the detector."""


@dataclass(frozen=True)
class LoadedGenerator:
    """A text-to-image pipeline and how it wants to be called."""

    pipeline: DiffusionPipeline
    spec: ModelSpec

    @classmethod
    def of(
        cls, model: str, steps: int | None = None, guidance: float | None = None
    ) -> LoadedGenerator:
        """That of a model by its name, or of a folder with a pipeline of stickers."""
        folder = "/" in model
        spec = replace(find_model("stickers"), source=Path(model)) if folder else find_model(model)
        own = spec.guidance if guidance is None else guidance
        spec = replace(spec, steps=steps or spec.steps, guidance=own)
        return cls(load_pipeline(spec), spec)

    def grid(
        self, prompt: str, shape: tuple[int, int], seed: int, *, completion: bool = False
    ) -> list[Image]:
        """Images of one prompt, rows x columns of them: as it is, or completed by each seed."""
        request = GridRequest(prompt, *shape, seed, self.spec.name, completion)
        *_, last = sample(request, self.pipeline, self.spec)
        return [cell.image for cell in last.cells]


def right_images(
    images: Sequence[Image], prompt: EvaluationPrompt, detector: Detector
) -> list[bool]:
    """Which images show what a prompt asks for, as the detector reads them."""
    return [satisfies(scene, prompt) for scene in detect(detector, to_pixels(images))]


def generate(
    prompts: Sequence[EvaluationPrompt], generator: LoadedGenerator, detector: Detector
) -> Iterator[GeneratedImage]:
    """An image of each prompt, read by the detector."""
    for index, prompt in enumerate(prompts):
        (image,) = generator.grid(prompt.prompt, (1, 1), SEED + index)
        (correct,) = right_images([image], prompt, detector)
        yield GeneratedImage(prompt, image, correct)


def peak_ratio(squares: Sequence[float], generator: np.random.Generator) -> Measured:
    """The peak signal-to-noise ratio of some images together, in dB.

    -10 log10 of the mean over images, whose interval becomes that of the ratio.

    Args:
        squares: the mean squared error of each image, in [0, 1].
        generator: draws images.

    >>> round(peak_ratio([0.001] * 3, np.random.default_rng(7)).value, 3)
    30.0
    """
    mean = measured_mean(squares, generator, bounds=(ONE_STEP, 1.0))
    value, low, high = (-10 * math.log10(each) for each in (mean.value, mean.high, mean.low))
    return Measured(value, low, high, mean.n)


def autoencoder_errors(images: Sequence[Image], pipeline: DiffusionPipeline) -> list[float]:
    """The mean squared error, in [0, 1], of each image that its autoencoder coded and decoded."""
    vae, squares = pipeline.vae, []
    for image in images:
        pixels = to_pixels([image])
        with torch.no_grad():
            coded = vae.encode(pixels.to(vae.device, vae.dtype)).latent_dist.mean
            decoded = vae.decode(coded).sample.float().cpu().clamp(-1, 1)
        squares.append(float(((decoded - pixels) / 2).square().mean()))
    return squares

"""How often a text-to-image model generates what evaluation prompts ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from PIL.Image import Image

from benchmarks.stickers.detector import DetectedScene, Detector, detect, to_pixels
from benchmarks.stickers.prompts import KINDS, EvaluationPrompt, satisfies
from generation import GridRequest, ModelSpec, sample

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline

SEED = 4000
"""Of the first prompt; prompt k is generated from SEED + k."""


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


def autoencoder_psnr(images: Sequence[Image], pipeline: DiffusionPipeline) -> float:
    """Peak signal-to-noise ratio of pictures that its autoencoder coded and decoded, in dB."""
    vae, squares = pipeline.vae, []
    for image in images:
        pixels = to_pixels([image])
        with torch.no_grad():
            coded = vae.encode(pixels.to(vae.device, vae.dtype)).latent_dist.mean
            decoded = vae.decode(coded).sample.float().cpu().clamp(-1, 1)
        squares.append(float(((decoded - pixels) / 2).square().mean()))
    return float(-10 * np.log10(np.mean(squares)))


def accuracy_by_kind(generated: Iterable[GeneratedImage]) -> Mapping[str, float]:
    """Kind -> part of its pictures that are correct."""
    found = [(each.prompt.kind, each.correct) for each in generated]
    asked = Counter(kind for kind, _ in found)
    correct = Counter(kind for kind, good in found if good)
    return {kind: correct[kind] / asked[kind] for kind in KINDS if asked[kind]}

"""Scenes rendered and encoded once into latents, which the diffusion model then learns from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import track
from torch import Tensor

from recipes.diffusion.canonical_layout import text_to_image_layout
from recipes.training import device, mixed_precision, stored
from recipes.world.domains import Domain
from recipes.world.scenes import Scene

SHARD = 5000
"""Scenes in one file of latents."""
PLAIN = 0.3
"""How many scenes are before nothing in any case, as most prompts name no place."""
DIM = ("night", "sunset")
"""Backgrounds before which things fade."""


@dataclass(frozen=True)
class LatentCache:
    """Encoded scenes, ready to be captioned and noised."""

    scenes: tuple[Scene, ...]
    latents: Tensor
    """(n, latents, 16, 16), scaled to unit deviation, bf16."""

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int_]:
        """Indices of scenes to learn from, what is harder to generate more often."""
        return rng.choice(len(self.scenes), count, p=self._chances)

    @cached_property
    def _chances(self) -> NDArray[np.float64]:
        hardness = np.array([_hardness(scene) for scene in self.scenes])
        chances: NDArray[np.float64] = hardness / hardness.sum()
        return chances


def _hardness(scene: Scene) -> float:
    """Hardest are pairs whose places prompts leave open, things that touch, and empty places.

    Before a dim background each counts twice.
    """
    counts = [group.count for group in scene.groups]
    dimmed = 2.0 if scene.background in DIM else 1.0
    if scene.touching or not counts:
        return dimmed * 5.0
    if counts == [1, 1]:
        return dimmed * (3.0 if scene.where == "left" else 1.5)
    return dimmed * (2.0 if sum(counts) > 1 else 1.0)


def encode_data_set(
    folder: Path, encoder: Path, domain: Domain, count: int, seed: int
) -> LatentCache:
    """Draw and encode training scenes; the latents stay in the folder for the next time.

    They belong to this world, encoder, seed and layout: for others, choose another folder.

    Args:
        encoder: folder of the autoencoder.
        count: of scenes; more of them can be asked for when a run is resumed.
    """
    sizes = [min(SHARD, count - start) for start in range(0, count, SHARD)]
    drawn = [_scenes(domain, (seed, index), size) for index, size in enumerate(sizes)]
    latents = stored(
        {
            folder / f"latents-{index:02}.pt": partial(_encode, encoder, domain, scenes)
            for index, scenes in enumerate(drawn)
        }
    )
    return LatentCache(tuple(scene for part in drawn for scene in part), latents)


def _scenes(domain: Domain, seed: tuple[int, int], count: int) -> list[Scene]:
    rng = np.random.default_rng(seed)
    return [training_scene(rng, domain) for _ in range(count)]


def training_scene(rng: np.random.Generator, domain: Domain) -> Scene:
    """A scene in canonical layout, mostly of one thing or kind, or of a pair."""
    scene = domain.sample(rng, "train")
    while len(scene.groups) > 1 and rng.random() < 0.25:
        scene = domain.sample(rng, "train")
    plain = rng.random() < PLAIN and bool(scene.groups)
    return text_to_image_layout(replace(scene, background="plain") if plain else scene)


@torch.no_grad()
def _encode(encoder: Path, domain: Domain, scenes: list[Scene]) -> Tensor:
    from diffusers import AutoencoderKL

    model = AutoencoderKL.from_pretrained(encoder).to(device())
    model.to(memory_format=torch.channels_last)
    parts = []
    for start in track(range(0, len(scenes), 50), "encoding scenes"):
        with mixed_precision():
            pixels = domain.photographs(scenes[start : start + 50]).to(device())
            latents = model.encode(pixels).latent_dist.mean
        parts.append((latents * model.config.scaling_factor).bfloat16().cpu())
    return torch.cat(parts)

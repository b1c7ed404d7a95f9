"""Scenes become latents on a shelf, rendered and encoded once, for a painter to learn from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from recipes.diffusion.canonical_layout import settled
from recipes.diffusion.claims import GROUPS
from recipes.training import mixed_precision
from recipes.world.art import patch_map, photographs
from recipes.world.patches import patch_labels
from recipes.world.scenes import Scene, sample_scene
from recipes.world.things import FREE_WORLD, WORLD, World


@dataclass(frozen=True)
class Shelf:
    """Encoded scenes, ready to be captioned and noised."""

    scenes: tuple[Scene, ...]
    latents: Tensor
    """(n, latents, 16, 16), scaled to unit deviation, bf16."""
    labels: Tensor
    """(n, 2, 8, 8)."""
    cover: Tensor
    """(n, GROUPS, 8, 8): which patches each group covers."""

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int_]:
        """Indices of scenes to learn from, what is harder to paint more often."""
        return rng.choice(len(self.scenes), count, p=self._chances)

    @cached_property
    def _chances(self) -> NDArray[np.float64]:
        hardness = np.array([_hardness(scene) for scene in self.scenes])
        chances: NDArray[np.float64] = hardness / hardness.sum()
        return chances


def _hardness(scene: Scene) -> float:
    """Two things are hardest to paint, most of all where prompts leave open how they stand."""
    counts = [group.count for group in scene.groups]
    if counts == [1, 1]:
        return 3.0 if scene.where == "left" else 1.5
    return 2.0 if len(counts) == 1 and counts[0] > 1 else 1.0


def fill_shelf(run: Path, encoder: Path, usual: int, free: int, seed: int) -> Shelf:
    """Draw and encode training scenes; the latents stay in the run folder for the next time.

    They belong to this world, encoder, seed, numbers and way of settling: for others, choose
    another folder.

    Args:
        encoder: folder of the autoencoder.
        usual: how many scenes of the painter's world.
        free: how many more in which any thing may have any colour.
    """
    rngs = np.random.default_rng(seed), np.random.default_rng((seed, 1))
    drawn = tuple(training_scene(rngs[0]) for _ in range(usual))
    practised = tuple(training_scene(rngs[1], FREE_WORLD) for _ in range(free))
    scenes = drawn + practised
    latents = (
        _encoded(encoder, drawn, run / "usual.pt"),
        _encoded(encoder, practised, run / "free.pt"),
    )
    labels = np.stack([patch_labels(scene) for scene in scenes])
    covered = np.stack([patch_map(scene) for scene in scenes])[:, None]
    cover = covered == np.arange(GROUPS)[:, None, None]
    looks = torch.from_numpy(labels).to(torch.int8)
    return Shelf(scenes, torch.cat(latents), looks, torch.from_numpy(cover))


def training_scene(rng: np.random.Generator, world: World = WORLD) -> Scene:
    """A settled scene without held-out compositions, mostly of one thing or kind, or of a pair."""
    scene = sample_scene(rng, world)
    while len(scene.groups) > 1 and rng.random() < 0.25:
        scene = sample_scene(rng, world)
    return settled(scene)


@torch.no_grad()
def _encoded(encoder: Path, scenes: tuple[Scene, ...], stored: Path) -> Tensor:
    if not stored.exists():
        stored.parent.mkdir(parents=True, exist_ok=True)
        torch.save(_encode(encoder, scenes), stored)
    latents: Tensor = torch.load(stored, weights_only=True)
    return latents


def _encode(encoder: Path, scenes: tuple[Scene, ...]) -> Tensor:
    from diffusers import AutoencoderKL

    model = AutoencoderKL.from_pretrained(encoder).to(memory_format=torch.channels_last)
    parts = []
    for start in range(0, len(scenes), 50):
        with mixed_precision():
            latents = model.encode(photographs(scenes[start : start + 50])).latent_dist.mean
        parts.append((latents * model.config.scaling_factor).bfloat16())
    return torch.cat(parts)

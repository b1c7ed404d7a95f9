"""Augmentation of images: flaws of generated ones and greyscale for drawn ones, and shifts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from recipes.world.scenes import Scene

GREYSCALE = 0.25
"""How many images have no colours."""
REACH = 5
"""Most pixels that an image is shifted by."""


def add_flaws(rng: np.random.Generator, pixels: Tensor) -> Tensor:
    """Images in [-1, 1] with flaws of generated ones: blur, noise, shifts of brightness."""
    pixels = pixels.clone()
    for index in range(len(pixels)):
        if rng.random() < 0.3:
            small = functional.interpolate(
                pixels[index : index + 1], size=int(rng.integers(48, 112)), mode="bilinear"
            )
            pixels[index] = functional.interpolate(small, size=128, mode="bilinear")[0]
    scale = torch.from_numpy(rng.uniform(0.9, 1.1, (len(pixels), 3, 1, 1))).float()
    noise = torch.from_numpy(rng.uniform(0, 0.08, (len(pixels), 1, 1, 1))).float()
    return (pixels * scale + noise * torch.randn_like(pixels)).clamp(-1, 1)


def fade_some(rng: np.random.Generator, scenes: list[Scene], pixels: Tensor) -> list[Scene]:
    """Turn some images to greys, in place; the things of such a scene then have no colours.

    Without colours nothing but its outline tells what a thing is: so a model knows it again in a
    colour that it was never shown in. Which greys the colours become differs from image to
    image.

    Returns:
        The scenes as the images now show them.
    """
    shown = list(scenes)
    for index in np.flatnonzero(rng.random(len(scenes)) < GREYSCALE):
        weights = torch.from_numpy(rng.dirichlet((1, 1, 1))).float()
        pixels[index] = torch.einsum("c,cyx->yx", weights, pixels[index])
        groups = tuple(replace(group, colour="") for group in scenes[index].groups)
        shown[index] = replace(scenes[index], groups=groups)
    return shown


def shift(rng: np.random.Generator, pixels: Tensor) -> Tensor:
    """Images moved by some pixels, each in its own direction, so that none is learned by heart.

    What comes in at an edge is that edge again.
    """
    wide = functional.pad(pixels, (REACH,) * 4, mode="replicate")
    side = pixels.shape[-1]
    corners = rng.integers(0, 2 * REACH + 1, (len(pixels), 2))
    moved = [
        each[:, top : top + side, left : left + side]
        for each, (top, left) in zip(wide, corners, strict=True)
    ]
    return torch.stack(moved)

"""Pictures become a small autoencoder: 128 x 128 pixels to 16 x 16 x 6 latents and back.

The normalisations have one group: with a few channels in each of several groups they take the mean
colour out of the picture. A teacher asks the latents what covers each patch, and is thrown away.
First both halves learn together; then the encoder is frozen, so that the painter can learn its
latents while the decoder goes on alone and sharpens.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import typer
from torch import Tensor, nn

from recipes.diffusion.group_norm import quicken
from recipes.diffusion.initialisation import start_gently
from recipes.training import Schedule, fit, mixed_precision
from recipes.world.art import photographs
from recipes.world.patches import LABELS, patch_loss
from recipes.world.scenes import Box, Group, Scene, sample_scene
from recipes.world.things import WORLD


@dataclass(frozen=True)
class AutoencoderSettings:
    """What `train` needs to know."""

    run: Path = Path("runs/autoencoder")
    channels: tuple[int, ...] = (16, 32, 64, 96)
    latents: int = 6
    batch: int = 4
    together: Schedule = Schedule(steps=1500, lr=1.5e-3, warmup=100, floor=0.3)
    alone: Schedule = Schedule(steps=6300, lr=1.2e-3, warmup=50, floor=0.02, ema=0.999)


def build(settings: AutoencoderSettings) -> Any:
    """The untrained AutoencoderKL, 8 pixels to one latent."""
    from diffusers import AutoencoderKL

    levels = len(settings.channels)
    return AutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * levels,
        up_block_types=("UpDecoderBlock2D",) * levels,
        block_out_channels=settings.channels,
        layers_per_block=1,
        latent_channels=settings.latents,
        norm_num_groups=1,
        mid_block_add_attention=False,
        sample_size=128,
    )


def crowded_scene(rng: np.random.Generator) -> Scene:
    """Four different stickers, so that every part of the picture teaches something."""
    size = int(rng.choice((64, 64, 48, 32)))
    names = rng.choice(len(WORLD.things), 4, replace=False)
    corners = [(0, 0), (64, 0), (0, 64), (64, 64)]
    boxes = [(Box(x + _shift(rng, size), y + _shift(rng, size), size),) for x, y in corners]
    groups = []
    for thing in (WORLD.things[i] for i in names):
        colour = str(rng.choice(WORLD.colours)) if thing.hue is not None else ""
        groups.append(Group(thing.name, colour, str(rng.choice(list(thing.icons)))))
    return Scene(tuple(groups), tuple(boxes), str(rng.choice(list(WORLD.backgrounds))))


def _shift(rng: np.random.Generator, size: int) -> int:
    return int(rng.choice((0, 64 - size)))


def random_scenes(rng: np.random.Generator, count: int, crowded: float = 0.75) -> list[Scene]:
    """Training scenes, most of them crowded."""
    return [
        crowded_scene(rng) if rng.random() < crowded else sample_scene(rng) for _ in range(count)
    ]


def reconstruction(pixels: Tensor, target: Tensor) -> Tensor:
    """Mean difference of pixels, absolute and squared, and of their steps right and down."""
    difference = pixels.float() - target
    edges = difference.diff(dim=2).abs().mean() + difference.diff(dim=3).abs().mean()
    return difference.abs().mean() + 3 * difference.square().mean() + 0.25 * edges


def _together(
    pupil: Any, settings: AutoencoderSettings, rng: np.random.Generator
) -> dict[str, Tensor]:
    model, teacher = pupil["model"], pupil["teacher"]
    scenes = random_scenes(rng, settings.batch)
    target = photographs(scenes)
    with mixed_precision():
        posterior = model.encode(target).latent_dist
        pixels = model.decode(posterior.sample()).sample
        taught = teacher(posterior.mean)
    divergence = posterior.kl().mean() / posterior.mean[0].numel()
    return {
        "pixels": reconstruction(pixels, target),
        "kl": 1e-3 * divergence,
        "patch": 0.03 * patch_loss(taught.float().flatten(2).mT, scenes),
    }


def _alone(
    model: Any, settings: AutoencoderSettings, rng: np.random.Generator
) -> dict[str, Tensor]:
    target = photographs(random_scenes(rng, settings.batch, crowded=0.6))
    with mixed_precision():
        with torch.no_grad():
            latents = model.encode(target).latent_dist.sample()
        pixels = model.decode(latents).sample
    return {"pixels": reconstruction(pixels, target)}


@torch.no_grad()
def latent_scale(model: Any, seed: int = 1) -> float:
    """1 / standard deviation of the latents of random scenes: the pipeline's scaling factor."""
    target = photographs(random_scenes(np.random.default_rng(seed), 128, crowded=0.0))
    with mixed_precision():
        return 1 / float(model.encode(target).latent_dist.mean.float().std())


@torch.no_grad()
def psnr(model: Any, scenes: list[Scene]) -> float:
    """Peak signal-to-noise ratio over scenes, in dB, pixels in [0, 1]."""
    target = photographs(scenes)
    pixels = model.decode(model.encode(target).latent_dist.mean).sample.clamp(-1, 1)
    return float(-10 * torch.log10(((pixels - target) / 2).square().mean()))


def train(settings: AutoencoderSettings) -> Path:
    """Train both phases; `run/encoder` can feed the painter when the first is over.

    Returns:
        The folder of the trained autoencoder.
    """
    torch.manual_seed(settings.together.seed)
    model = build(settings).to(memory_format=torch.channels_last)
    start_gently(model)
    quicken(model)
    frozen = settings.run / "encoder"
    if not frozen.exists():
        pupil = nn.ModuleDict(
            {"model": model, "teacher": nn.Conv2d(settings.latents, LABELS, 2, stride=2)}
        )
        fit(pupil, lambda rng: _together(pupil, settings, rng), settings.together, settings.run)
        model.register_to_config(scaling_factor=latent_scale(model))
        model.save_pretrained(frozen)
        (settings.run / "state.pt").rename(settings.run / "together.pt")
    model = type(model).from_pretrained(frozen).to(memory_format=torch.channels_last)
    quicken(model)
    nn.ModuleList([model.encoder, model.quant_conv]).requires_grad_(False)
    fit(model, lambda rng: _alone(model, settings, rng), settings.alone, settings.run)
    model.save_pretrained(settings.run / "finished")
    return settings.run / "finished"


def main(
    run: Path = AutoencoderSettings.run,
    together: int = AutoencoderSettings.together.steps,
    alone: int = AutoencoderSettings.alone.steps,
) -> None:
    """Train the autoencoder of sticker-diffusion."""
    settings = AutoencoderSettings(run=run)
    settings = replace(
        settings,
        together=replace(settings.together, steps=together),
        alone=replace(settings.alone, steps=alone),
    )
    print(train(settings))


if __name__ == "__main__":
    typer.run(main)

"""Where denoising begins when it does not begin with a seed's own noise, and what it holds.

A finished image can be gone on with: what is denoised again is blended, after each step, with the
latents of the image itself outside a region, noised as far as the step has come.
This needs nothing of a model but its scheduler: neither a pipeline for inpainting, which refuses
some models and does not exist for others, nor the encoder.

Source: Lugmayr et al., "RePaint", 2022, without going back; Avrahami et al., "Blended Latent
Diffusion", 2023.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from torch import Tensor

Region = npt.NDArray[np.bool_]
"""Shape (rows, columns), laid over the whole image: True where it is denoised again."""


@dataclass(frozen=True, eq=False)
class Denoised:
    """Where the denoising of one image ended."""

    latents: Tensor
    """Of one image, as the pipeline's callback has them: (1, channels, height, width), or
    (1, height * width, channels) of models that pack them."""
    levels: tuple[tuple[float, float], ...]
    """After each step, the shares of image and of noise in the latents."""
    passes: int
    """How often the denoiser ran for it; twice a step with guidance."""


@dataclass(frozen=True, eq=False)
class Start:
    """The denoising of one image beside one that is there: near its noise, or around a part."""

    source: Denoised
    """Of an image of the same model, steps and size."""
    noise: tuple[tuple[int, float], ...]
    """Seeds and their weights: their noises are mixed, and have the variance of one."""
    region: Region | None = None
    """What is denoised again, the rest is held; None for all."""

    def latents(self) -> Tensor:
        """What the first step begins with: the noise."""
        return self._noise().to(self.source.latents.dtype)

    def held(self, latents: Tensor, done: int) -> Tensor:
        """The latents after so many steps, outside the region its source."""
        if self.region is None:
            return latents
        image, share = self.source.levels[done - 1]
        kept = (image * self.source.latents.float() + share * self._noise()).to(latents)
        mask = on_latents(self.region, latents)
        return (mask * latents + (1 - mask) * kept).to(latents.dtype)

    def _noise(self) -> Tensor:
        import torch

        shape, mixed = self.source.latents.shape, torch.zeros(self.source.latents.shape)
        for seed, weight in self.noise:
            mixed += weight * torch.randn(shape, generator=torch.Generator("cpu").manual_seed(seed))
        mixed /= float(np.sqrt(sum(weight**2 for _, weight in self.noise)))
        return mixed


def on_latents(region: Region, latents: Tensor) -> Tensor:
    """A region as 0 and 1 by place of the latents; a place that it touches is in it.

    >>> import torch
    >>> corner = np.array([[True, False], [False, False]])
    >>> on_latents(corner, torch.zeros(1, 4, 2, 2)).tolist()
    [[[[1.0, 0.0], [0.0, 0.0]]]]
    >>> on_latents(corner, torch.zeros(1, 4, 8)).flatten().tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    import torch

    packed = latents.ndim == 3
    side = round(latents.shape[1] ** 0.5)
    size = (side, side) if packed else (latents.shape[-2], latents.shape[-1])
    given = torch.from_numpy(np.asarray(region, dtype=np.float32))[None, None]
    mask = torch.nn.functional.adaptive_max_pool2d(given, size).to(latents)
    return mask.reshape(1, -1, 1) if packed else mask


def level_after(scheduler: Any, done: int) -> tuple[float, float]:
    """The shares of image and of noise in latents, by the scheduler's own formula.

    Args:
        scheduler: of a pipeline whose timesteps are set.
        done: how many of them are behind, at least 1.
    """
    import torch

    if done >= len(scheduler.timesteps):
        return 1.0, 0.0
    time = scheduler.timesteps[done : done + 1]
    one, zero = torch.ones(1, 1, device=time.device), torch.zeros(1, 1, device=time.device)
    if hasattr(scheduler, "scale_noise"):  # flow matching
        return float(scheduler.scale_noise(one, time, zero)), float(
            scheduler.scale_noise(zero, time, one)
        )
    return float(scheduler.add_noise(one, zero, time)), float(scheduler.add_noise(zero, one, time))


def estimate(
    before: Tensor, after: Tensor, levels: tuple[tuple[float, float], tuple[float, float]]
) -> Tensor:
    """The image that a step goes towards: the latents without noise, as they are seen so far.

    Both latents are a mix of one image and one noise, which their levels tell apart; exact for
    schedulers of first order that add no noise of their own.

    >>> import torch
    >>> image, noise = torch.ones(1), torch.full((1,), 3.0)
    >>> levels = (0.2, 0.8), (0.5, 0.5)
    >>> estimate(*(a * image + s * noise for a, s in levels), levels).round(decimals=3)
    tensor([1.])
    """
    (image, share), (image_after, share_after) = levels
    return (share_after * before - share * after) / (share_after * image - share * image_after)


def as_given(pipeline: Any, latents: Tensor) -> Tensor:
    """Latents as a pipeline's call takes them: FLUX.2 packs them itself."""
    if latents.ndim == 3 and hasattr(pipeline, "_prepare_latent_ids"):
        side = round(latents.shape[1] ** 0.5)
        return latents.permute(0, 2, 1).reshape(1, -1, side, side)
    return latents

"""Learning to generate without classifier-free guidance, in few steps, from images alone.

No teacher is asked and nothing is generated: what a model is to predict is the flow to an image
and, on top, a share of the difference that the caption makes to its own prediction. Tang et al.,
"Diffusion Models without Classifier-free Guidance" (2025).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from recipes.training import mixed_precision


@dataclass(frozen=True)
class Unguided:
    """How a model learns to do without guidance."""

    share: float = 2 / 3
    """Of the difference; it does what a guidance of 1 / (1 - share) does."""
    steps: int = 8
    """Of sampling: only what these ask for is learned."""

    @cached_property
    def _asked(self) -> tuple[Tensor, Tensor]:
        from recipes.diffusion.pipeline import flow_scheduler

        scheduler = flow_scheduler()
        scheduler.set_timesteps(self.steps)
        return scheduler.sigmas[:-1].float(), scheduler.timesteps.float()

    def moments(self, count: int) -> tuple[Tensor, Tensor]:
        """Steps at random: how much of each latent is noise, and the time that the UNet is told."""
        amounts, times = self._asked
        chosen = torch.randint(self.steps, (count,))
        return amounts[chosen], times[chosen]

    def target(self, flow: Tensor, captioned: Tensor, without: Tensor) -> Tensor:
        """What is to be predicted.

        Args:
            flow: to the image.
            captioned: the model's prediction with the caption.
            without: the same without one.
        """
        return flow + self.share * (captioned.detach().float() - without.float())


def any_moments(count: int) -> tuple[Tensor, Tensor]:
    """Moments of the flow, 0 to 1, as amounts of noise and as times.

    Many are late: there it is decided what goes where.
    """
    late = 0.7 + 0.3 * torch.rand(count)
    amounts = torch.where(
        torch.rand(count) < 0.4, late, torch.sigmoid(torch.randn(count) * 1.1 + 0.2)
    )
    return amounts, amounts * 1000


def unprompted(model: Any, tokenizer: Any, noisy: Tensor, time: Tensor) -> Tensor:
    """What a model predicts of latents for the empty caption."""
    padded = tokenizer([""], padding="max_length", truncation=True, return_tensors="pt")
    with torch.no_grad(), mixed_precision():
        words, _ = model.encoder(padded.input_ids.to(noisy.device))
        flow: Tensor = model.unet(noisy, time, words.expand(len(noisy), -1, -1)).sample
    return flow

"""Distillation of the text-to-image model: few steps without guidance instead of many with it.

The teacher generates with classifier-free guidance in many steps. The student starts from the
teacher's UNet and learns to cross several of them in one: from a latent on the teacher's trajectory
it predicts the mean flow to the next one that is kept (Salimans and Ho, "Progressive Distillation
for Fast Sampling of Diffusion Models"; Meng et al., "On Distillation of Guided Diffusion Models").
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from recipes.diffusion.pipeline import read_pipeline
from recipes.diffusion.trajectories import Trajectories, compute_trajectories, encode_prompts
from recipes.training import Schedule, device, fit, mixed_precision, share
from recipes.world import domains


@dataclass(frozen=True)
class DistillationSettings:
    """What `distil` needs to know."""

    teacher: Path = Path("runs/teacher")
    """Folder of the pipeline that is distilled."""
    run: Path = Path("runs/distillation")
    domain: domains.Domain = domains.FREE_STICKERS
    trajectories: int = 3000
    teacher_steps: int = 8
    """A multiple of the student's."""
    guidance: float = 3.0
    steps: int = 4
    """Of the student."""
    batch: int = 16
    """Trajectories; of each every step is learned."""
    schedule: Schedule = Schedule(steps=600, lr=4e-4, warmup=30, ema=0.99, floor=0.02)


SETTINGS = DistillationSettings()
"""Known to work, of stickers; icons learn to do without guidance by `guidance.Unguided`."""
LAST_PHASE = replace(
    SETTINGS,
    teacher=Path("runs/whole-teacher"),
    run=Path("runs/distillation-whole"),
    domain=domains.WHOLE_FREE_STICKERS,
)
"""The same for the model that ships."""


def distil(settings: DistillationSettings) -> Path:
    """Distil the pipeline of a folder into another, in half precision."""
    pipeline = read_pipeline(settings.teacher)
    student = train_student(pipeline, compute_trajectories(pipeline, settings), settings)
    return export(pipeline, student.state_dict(), settings.run / "finished")


def train_student(pipeline: Any, paths: Trajectories, settings: DistillationSettings) -> nn.Module:
    """A UNet that takes several of the teacher's steps in one."""
    student = copy.deepcopy(pipeline.unet).to(memory_format=torch.channels_last)
    sigmas = student_sigmas(pipeline, settings.steps)

    def losses(rng: np.random.Generator) -> dict[str, Tensor]:
        chosen = rng.integers(len(paths.prompts), size=share(settings.batch))
        words = encode_prompts(pipeline, [paths.prompts[index] for index in chosen])
        path = paths.latents[torch.from_numpy(chosen)].float().to(device())
        with mixed_precision():
            return step_losses(student, words, path, sigmas)

    fit(student, losses, settings.schedule, settings.run)
    return student


def student_sigmas(pipeline: Any, steps: int) -> Tensor:
    """How much noise there is before each step, and none after the last: shape (steps + 1,)."""
    scheduler = student_scheduler(pipeline.scheduler)
    scheduler.set_timesteps(steps)
    sigmas: Tensor = scheduler.sigmas
    return sigmas


def step_losses(
    student: nn.Module, words: Tensor, path: Tensor, sigmas: Tensor
) -> dict[str, Tensor]:
    """The error of each step's flow, which is to lead to the teacher's next latent.

    Args:
        student: a UNet.
        words: (n, tokens, width).
        path: (n, steps + 1, channels, side, side), the teacher's latents.
        sigmas: (steps + 1,), falling from almost 1 to 0.
    """
    strides = (sigmas[:-1] - sigmas[1:]).to(path.device)
    targets = (path[:, :-1] - path[:, 1:]) / strides.view(-1, 1, 1, 1)
    times = (sigmas[:-1] * 1000).long().to(path.device).repeat(len(path))
    words = words.repeat_interleave(len(strides), 0)
    flow = student(path[:, :-1].flatten(0, 1), times, words).sample.float()
    errors = (flow.view_as(targets) - targets).square().mean((0, 2, 3, 4))
    return {f"step {index + 1}": error for index, error in enumerate(errors)}


def student_scheduler(scheduler: Any) -> Any:
    """The teacher's scheduler in first order: a step follows one flow to its end."""
    return type(scheduler).from_config(scheduler.config, solver_order=1)


def export(pipeline: Any, weights: Mapping[str, Tensor], folder: Path) -> Path:
    """Write the pipeline with the UNet of a student, in half precision."""
    pipeline.unet.load_state_dict(weights)
    pipeline.scheduler = student_scheduler(pipeline.scheduler)
    pipeline.to(dtype=torch.float16).save_pretrained(folder)
    return folder

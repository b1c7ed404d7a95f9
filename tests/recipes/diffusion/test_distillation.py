"""Two steps of distilling a tiny pipeline; the student walks the way that its scheduler walks."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from generation import GridRequest, ModelSpec, load_pipeline, sample
from recipes.diffusion.distillation import (
    DistillationSettings,
    distil,
    step_losses,
    student_scheduler,
    student_sigmas,
)
from recipes.diffusion.pipeline import read_pipeline
from recipes.diffusion.trajectories import encode_prompts, follow_teacher
from recipes.training import Schedule

TWO = Schedule(steps=2, lr=1e-3, warmup=1, ema=0.9)
PROMPTS = ["a red dog", ""]
SETTINGS = DistillationSettings(teacher_steps=8, guidance=3.0, steps=4)


@pytest.fixture(scope="module")
def pipeline(tiny_pipeline: ModelSpec) -> Any:
    return read_pipeline(Path(tiny_pipeline.source))


def test_a_trajectory_goes_from_noise_to_what_the_pipeline_generates(pipeline: Any):
    path = follow_teacher(pipeline, PROMPTS, SETTINGS, (3, 0))
    assert path.shape == (2, 5, 4, 8, 8)
    latents = pipeline(
        PROMPTS,
        num_inference_steps=8,
        guidance_scale=3.0,
        latents=path[:, 0],
        output_type="latent",
    ).images
    torch.testing.assert_close(path[:, -1], latents, rtol=1e-4, atol=1e-4)


def test_a_student_that_makes_the_teachers_steps_has_no_loss(pipeline: Any):
    """Latents that its own scheduler passes are what it is asked for."""
    words, sigmas = encode_prompts(pipeline, PROMPTS), student_sigmas(pipeline, 4)
    scheduler = student_scheduler(pipeline.scheduler)
    scheduler.set_timesteps(4)
    kept = [torch.from_numpy(np.random.default_rng(0).standard_normal((2, 4, 8, 8), np.float32))]
    with torch.no_grad():
        for time in scheduler.timesteps:
            flow = pipeline.unet(kept[-1], time, words).sample
            kept.append(scheduler.step(flow, time, kept[-1]).prev_sample)
        losses = step_losses(pipeline.unet, words, torch.stack(kept, 1), sigmas)
    assert len(losses) == 4
    assert max(losses.values()) < 1e-6


def test_a_student_generates_in_few_steps_without_guidance(
    tmp_path: Path, tiny_pipeline: ModelSpec
):
    settings = DistillationSettings(
        teacher=Path(tiny_pipeline.source),
        run=tmp_path,
        trajectories=3,
        batch=2,
        schedule=TWO,
    )
    spec = replace(tiny_pipeline, source=distil(settings), guidance=0.0)
    *_, last = sample(GridRequest("a red dog", 1, 1, model="tiny"), load_pipeline(spec), spec)
    assert last.cells[0].image.size == (32, 32)
    stored = torch.load(tmp_path / "trajectories-00.pt")
    assert distil(settings).is_dir()
    assert torch.load(tmp_path / "trajectories-00.pt").equal(stored)

"""Trajectories of a guided teacher: the latents that it passes on its way from noise to an image.

They are computed once and kept; no image is needed for them, only captions of the training split.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from rich.progress import track
from torch import Tensor

from recipes.diffusion.latent_cache import training_scene
from recipes.diffusion.text_encoder import caption_of
from recipes.training import device, stored
from recipes.world.domains import Domain
from recipes.world.scenes import Scene

if TYPE_CHECKING:
    from recipes.diffusion.distillation import DistillationSettings

SHARD = 500
"""Trajectories in one file."""
AT_ONCE = 25
"""Images that the teacher generates together."""
NULL_SHARE = 0.05
"""How many prompts are empty, so that the student still knows what guidance leads away from."""


@dataclass(frozen=True)
class Trajectories:
    """What a teacher made of prompts and noise."""

    prompts: tuple[str, ...]
    latents: Tensor
    """(n, student's steps + 1, channels, side, side), half precision: from noise to image."""


def compute_trajectories(pipeline: Any, settings: DistillationSettings) -> Trajectories:
    """Let a teacher generate from training captions; what is in the folder is not computed again.

    More of them can be asked for when a run is resumed.
    """
    count, seed = settings.trajectories, settings.schedule.seed + 1
    sizes = [min(SHARD, count - start) for start in range(0, count, SHARD)]
    prompts = [_prompts(settings.domain, (seed, index), size) for index, size in enumerate(sizes)]
    latents = stored(
        {
            settings.run / f"trajectories-{index:02}.pt": partial(
                _compute, pipeline, said, settings, seed + index
            )
            for index, said in enumerate(prompts)
        }
    )
    return Trajectories(tuple(text for said in prompts for text in said), latents)


def _prompts(domain: Domain, seed: tuple[int, int], count: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return ["" if rng.random() < NULL_SHARE else _prompt(rng, domain) for _ in range(count)]


def _prompt(rng: np.random.Generator, domain: Domain) -> str:
    scene = training_scene(rng, domain)
    while _is_simple(scene) and rng.random() < 0.5:
        scene = training_scene(rng, domain)
    return caption_of(rng, scene, domain).text


def _is_simple(scene: Scene) -> bool:
    """A single thing is nearly always generated right: it is asked for half as often."""
    return sum(group.count for group in scene.groups) == 1


def _compute(
    pipeline: Any, prompts: list[str], settings: DistillationSettings, seed: int
) -> Tensor:
    parts = [
        follow_teacher(pipeline, prompts[start : start + AT_ONCE], settings, (seed, start))
        for start in track(range(0, len(prompts), AT_ONCE), "computing trajectories")
    ]
    return torch.cat(parts).half().cpu()


@torch.no_grad()
def follow_teacher(
    pipeline: Any, prompts: list[str], settings: DistillationSettings, seed: tuple[int, int]
) -> Tensor:
    """Generate as the pipeline does, and keep every latent at which the student takes a step."""
    unet, scheduler = pipeline.unet, pipeline.scheduler
    scheduler.set_timesteps(settings.teacher_steps)
    words = encode_prompts(pipeline, ["", *prompts])
    words = torch.cat([words[:1].expand(len(prompts), -1, -1), words[1:]])
    state = _noise(unet, len(prompts), seed)
    kept = [state]
    for index, time in enumerate(scheduler.timesteps):
        null, said = unet(state.repeat(2, 1, 1, 1), time, words).sample.chunk(2)
        flow = null + settings.guidance * (said - null)
        state = scheduler.step(flow, time, state).prev_sample
        if (index + 1) % (settings.teacher_steps // settings.steps) == 0:
            kept.append(state)
    return torch.stack(kept, 1)


def _noise(unet: Any, count: int, seed: tuple[int, int]) -> Tensor:
    shape = count, unet.config.in_channels, unet.config.sample_size, unet.config.sample_size
    drawn = np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
    return torch.from_numpy(drawn).to(device())


@torch.no_grad()
def encode_prompts(pipeline: Any, prompts: list[str]) -> Tensor:
    """States of the tokens, (n, tokens, width), as the pipeline's UNet attends to them."""
    tokenizer = pipeline.tokenizer
    tokens = tokenizer(
        prompts,
        padding="max_length",
        max_length=tokenizer.model_max_length,
        truncation=True,
        return_tensors="pt",
    )
    words: Tensor = pipeline.text_encoder(tokens.input_ids.to(device())).last_hidden_state
    return words

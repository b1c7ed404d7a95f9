"""A Stable Diffusion pipeline, assembled from its trained parts: the teacher of distillation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from recipes.training import device


@dataclass(frozen=True)
class PipelineParts:
    """Where the parts are and where the whole goes."""

    autoencoder: Path = Path("runs/autoencoder/finished")
    text_to_image: Path = Path("runs/text-to-image/finished")
    target: Path = Path("runs/teacher")


def read_pipeline(folder: Path) -> Any:
    """A pipeline in single precision, where this process trains."""
    from diffusers import StableDiffusionPipeline

    pipeline = StableDiffusionPipeline.from_pretrained(
        folder, dtype=torch.float32, local_files_only=True
    ).to(device())
    pipeline.set_progress_bar_config(disable=True)
    pipeline.unet.to(memory_format=torch.channels_last)
    return pipeline


def scheduler() -> Any:
    """Flow matching in few steps, by the second-order DPM-Solver++."""
    from diffusers import DPMSolverMultistepScheduler

    return DPMSolverMultistepScheduler(
        prediction_type="flow_prediction",
        use_flow_sigmas=True,
        flow_shift=1.0,
        solver_order=2,
        steps_offset=1,
    )


def assemble(settings: PipelineParts) -> Path:
    """Write the pipeline, its weights in half precision.

    Returns:
        Its folder.
    """
    from diffusers import AutoencoderKL, StableDiffusionPipeline, UNet2DConditionModel
    from transformers import CLIPTextModel, CLIPTokenizer

    pipeline = StableDiffusionPipeline(
        vae=AutoencoderKL.from_pretrained(settings.autoencoder),
        text_encoder=CLIPTextModel.from_pretrained(settings.text_to_image / "text_encoder"),
        tokenizer=CLIPTokenizer.from_pretrained(settings.text_to_image / "tokenizer"),
        unet=UNet2DConditionModel.from_pretrained(settings.text_to_image / "unet"),
        scheduler=scheduler(),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    )
    pipeline.to(dtype=torch.float16).save_pretrained(settings.target)
    return settings.target

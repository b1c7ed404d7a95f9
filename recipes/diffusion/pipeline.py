"""A Stable Diffusion pipeline, assembled from its trained parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from recipes.training import device


def read_pipeline(folder: Path) -> Any:
    """A pipeline in single precision, where this process trains."""
    from diffusers import StableDiffusionPipeline

    pipeline = StableDiffusionPipeline.from_pretrained(
        folder, dtype=torch.float32, local_files_only=True
    ).to(device())
    pipeline.set_progress_bar_config(disable=True)
    pipeline.unet.to(memory_format=torch.channels_last)
    return pipeline


def flow_scheduler(order: int = 2) -> Any:
    """Flow matching in few steps."""
    from diffusers import DPMSolverMultistepScheduler

    return DPMSolverMultistepScheduler(
        prediction_type="flow_prediction",
        use_flow_sigmas=True,
        flow_shift=1.0,
        solver_order=order,
        steps_offset=1,
    )


def assemble(autoencoder: Path, text_to_image: Path, target: Path) -> Path:
    """Write the pipeline of an autoencoder and of a text-to-image model, in half precision."""
    from diffusers import (
        AutoModel,
        StableDiffusionPipeline,
        UNet2DConditionModel,
    )
    from transformers import CLIPTextModel, CLIPTokenizer

    pipeline = StableDiffusionPipeline(
        vae=AutoModel.from_pretrained(str(autoencoder)),
        text_encoder=CLIPTextModel.from_pretrained(text_to_image / "text_encoder"),
        tokenizer=CLIPTokenizer.from_pretrained(text_to_image / "tokenizer"),
        unet=UNet2DConditionModel.from_pretrained(text_to_image / "unet"),
        scheduler=flow_scheduler(),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    )
    pipeline.to(dtype=torch.float16).save_pretrained(target)
    return target

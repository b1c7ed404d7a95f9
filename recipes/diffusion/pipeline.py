"""The trained autoencoder and painter become `sticker-diffusion`, a Stable Diffusion pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import typer

CHECKPOINT = Path("assets/checkpoints/sticker-diffusion")


@dataclass(frozen=True)
class PipelineParts:
    """Where the parts are and where the whole goes."""

    autoencoder: Path = Path("runs/autoencoder/finished")
    painter: Path = Path("runs/painter/finished")
    target: Path = CHECKPOINT


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
        text_encoder=CLIPTextModel.from_pretrained(settings.painter / "text_encoder"),
        tokenizer=CLIPTokenizer.from_pretrained(settings.painter / "tokenizer"),
        unet=UNet2DConditionModel.from_pretrained(settings.painter / "unet"),
        scheduler=scheduler(),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    )
    pipeline.to(dtype=torch.float16).save_pretrained(settings.target)
    return settings.target


def main(target: Path = CHECKPOINT) -> None:
    """Assemble sticker-diffusion from its trained autoencoder, text encoder and UNet."""
    print(assemble(PipelineParts(target=target)))


if __name__ == "__main__":
    typer.run(main)

"""Real text-to-image pipelines with random weights, small enough to generate in a blink."""

from pathlib import Path
from typing import Any

from generation import ModelSpec

TOKENS = 16


def tiny_model(folder: Path) -> ModelSpec:
    """What is to be said of a pipeline that one of the others has saved."""
    return ModelSpec(
        name="tiny",
        source=folder,
        steps=4,
        guidance=3.0,
        size=32,
        licence="none",
        batch=2,
        previews=1,
        cpu_dtype="float32",
    )


def save_stable_diffusion(folder: Path, *, checker_verdict: bool | None = None) -> None:
    """Save a Stable Diffusion pipeline: one text encoder, a UNet, flow sampling by DPM-Solver.

    Args:
        folder: where to.
        checker_verdict: what its safety checker says of every image; None leaves it out.
    """
    from diffusers import DPMSolverMultistepScheduler, StableDiffusionPipeline

    seed()
    checker = None if checker_verdict is None else safety_checker(checker_verdict)
    StableDiffusionPipeline(
        vae=autoencoder(),
        text_encoder=text_encoder(),
        tokenizer=tokenizer(),
        unet=unet(),
        scheduler=DPMSolverMultistepScheduler(
            prediction_type="flow_prediction", use_flow_sigmas=True, steps_offset=1
        ),
        safety_checker=checker,
        feature_extractor=feature_extractor() if checker else None,
        requires_safety_checker=checker is not None,
    ).save_pretrained(folder)


def seed() -> None:
    import torch

    torch.manual_seed(0)


def tokenizer() -> Any:
    """A CLIP tokenizer that reads letter by letter, so that a few words reach its limit."""
    from transformers import CLIPTokenizer

    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,'"
    pieces = [*letters, *(f"{letter}</w>" for letter in letters)]
    vocabulary = ["<|startoftext|>", *pieces, "<|endoftext|>"]
    return CLIPTokenizer(
        vocab={piece: index for index, piece in enumerate(vocabulary)},
        merges=[],
        model_max_length=TOKENS,
    )


def text_encoder() -> Any:
    from transformers import CLIPTextConfig, CLIPTextModel

    words = tokenizer()
    config = CLIPTextConfig(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=64,
        projection_dim=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=TOKENS,
        bos_token_id=words.bos_token_id,
        eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
    )
    return CLIPTextModel(config)


def unet() -> Any:
    from diffusers import UNet2DConditionModel

    return UNet2DConditionModel(
        sample_size=8,
        block_out_channels=(16, 32),
        layers_per_block=1,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=32,
        attention_head_dim=8,
        norm_num_groups=8,
    )


def autoencoder() -> Any:
    from diffusers import AutoencoderKL

    return AutoencoderKL(
        block_out_channels=(8, 8, 8),
        down_block_types=("DownEncoderBlock2D",) * 3,
        up_block_types=("UpDecoderBlock2D",) * 3,
        latent_channels=4,
        norm_num_groups=4,
    )


def feature_extractor() -> Any:
    from transformers import CLIPImageProcessor

    return CLIPImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})


def safety_checker(verdict: bool) -> Any:
    """A safety checker whose thresholds are under (True) or over (False) every cosine."""
    import torch
    from diffusers.pipelines.stable_diffusion.safety_checker import StableDiffusionSafetyChecker
    from transformers import CLIPConfig

    tower = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    checker = StableDiffusionSafetyChecker(
        CLIPConfig(
            vision_config={**tower, "num_attention_heads": 4, "image_size": 32, "patch_size": 16},
            text_config={**tower, "num_attention_heads": 4, "vocab_size": 99},
            projection_dim=32,
        )
    )
    threshold = -2.0 if verdict else 2.0
    with torch.no_grad():
        checker.concept_embeds_weights.fill_(threshold)
        checker.special_care_embeds_weights.fill_(2.0)
    return checker

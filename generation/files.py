"""Which files of a diffusers repository a pipeline needs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

WEIGHTS = re.compile(
    r"(?:diffusion_pytorch_model|model|pytorch_model)"
    r"(?:\.(?P<variant>\w+))?(?:-\d{5}-of-\d{5})?\.(?P<format>safetensors|bin)"
)
READABLE = (".json", ".txt", ".model", ".jinja")


def pipeline_files(
    names: Sequence[str], index: Mapping[str, object], variant: str | None
) -> list[str]:
    """The files of every component: its configuration, and its weights once.

    Of the weights the variant is taken where a component has it, else the plain files; safetensors
    where there are any, else pickles.

    Args:
        names: every file of the repository.
        index: its `model_index.json`.
        variant: such as "fp16"; None for the plain files.

    >>> files = ["unet/config.json", *(f"unet/diffusion_pytorch_model.{each}" for each in
    ...     ("bin", "safetensors", "fp16.safetensors", "non_ema.safetensors"))]
    >>> pipeline_files(files, {"unet": ["diffusers", "UNet2DConditionModel"]}, "fp16")
    ['model_index.json', 'unet/config.json', 'unet/diffusion_pytorch_model.fp16.safetensors']
    """
    parts = [part for part, origin in index.items() if isinstance(origin, list) and origin[0]]
    chosen = ["model_index.json"]
    for part in parts:
        files = [name for name in names if name.startswith(f"{part}/") and name.count("/") == 1]
        chosen += [name for name in files if name.endswith(READABLE)]
        chosen += _weights(files, variant)
    return chosen


def _weights(files: Sequence[str], variant: str | None) -> list[str]:
    """The weight files of one component."""
    for wanted in dict.fromkeys((variant, None)):
        for suffix in ("safetensors", "bin"):
            found = [name for name in files if _is_weight(name, wanted, suffix)]
            if found:
                return found
    return []


def _is_weight(name: str, variant: str | None, suffix: str) -> bool:
    match = WEIGHTS.fullmatch(name.rpartition("/")[2])
    return match is not None and (match["variant"], match["format"]) == (variant, suffix)

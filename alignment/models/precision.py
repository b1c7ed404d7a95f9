"""In which number format a model runs on a device."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

OVERFLOWS_IN_FP16 = ("gemma2", "gemma3", "gemma3_text", "gemma4", "gemma4_text")
"""Configurations whose activations leave the range of float16, which ends at 65,504."""


def half_precision(model_types: Iterable[str], native_bf16: bool) -> str:
    """The smallest format in which a model gives its answers on an accelerator.

    Args:
        model_types: those of its configuration and of the parts inside.
        native_bf16: whether the accelerator calculates in bfloat16 itself; a T4 or V100 only
            emulates it, many times slower.

    >>> half_precision(["paligemma", "gemma"], native_bf16=False)
    'float16'
    >>> half_precision(["paligemma", "gemma2"], native_bf16=False)
    'float32'
    """
    if native_bf16:
        return "bfloat16"
    return "float32" if {*model_types} & {*OVERFLOWS_IN_FP16} else "float16"


def model_types(config: Any) -> list[str]:
    """The kind of a configuration of transformers, and the kinds of its parts.

    >>> from transformers import PaliGemmaConfig
    >>> model_types(PaliGemmaConfig())
    ['paligemma', 'gemma', 'siglip_vision_model']
    """
    parts = [getattr(config, name, None) for name in ("text_config", "vision_config")]
    return [each.model_type for each in (config, *parts) if each is not None]


def native_bf16() -> bool:
    """Whether the accelerator of this machine calculates in bfloat16 without emulation."""
    import torch

    return bool(torch.cuda.is_bf16_supported(including_emulation=False))

"""How much memory a text-to-image model takes, and how it is placed where that is short."""

from __future__ import annotations

import importlib.util
from enum import Enum
from typing import TYPE_CHECKING

import hub
from generation.errors import ModelUnavailableError

if TYPE_CHECKING:
    from diffusers import PipelineQuantizationConfig

    from generation.spec import ModelSpec

BYTES = {"float32": 4.0, "bfloat16": 2.0, "float16": 2.0, "4 bits": 0.5625}
"""Bytes a parameter; 4 bits have a scale of 4 bytes for every 64 parameters."""
LIBRARIES = 1_000_000_000
"""Bytes that the libraries take beside any model."""
ACTIVATIONS = 5_000
"""Bytes for each pixel of one picture while it is decoded, which is the peak; measured at 512."""


class Placement(Enum):
    """Where the components of a pipeline are while it generates."""

    WHOLE = "all on the device"
    TAKING_TURNS = "one at a time on the accelerator, the others in the CPU's memory"


def memory_needed(spec: ModelSpec, dtype: str) -> int:
    """Bytes that a pipeline takes, weights and working memory.

    >>> from generation.models import MODELS
    >>> memory_needed(MODELS["sd-1.5"], "float32") // 10**8  # measured: 7.8 GB
    77
    """
    if not spec.parameters:
        return 0
    plain = spec.parameters - spec.quantized_parameters
    weights = plain * BYTES[dtype] + spec.quantized_parameters * BYTES["4 bits"]
    return int(weights * 1e9) + _working_memory(spec)


def _working_memory(spec: ModelSpec) -> int:
    """Bytes that a pipeline takes beside its weights."""
    return LIBRARIES + ACTIVATIONS * spec.size**2


def memory_on(spec: ModelSpec, device: str) -> int:
    """Bytes that a pipeline takes on a device, in the precision that it runs in there."""
    dtype = hub.precision(device, trained_in=spec.half, on_cpu=spec.cpu_dtype)
    return memory_needed(spec, dtype)


def place(spec: ModelSpec, device: str, dtype: str) -> Placement:
    """Make room for a pipeline and say how it fits.

    Raises:
        MemoryShortError: not even one component at a time does; the message has both numbers.
        ModelUnavailableError: its 4-bit weights need a CUDA GPU.
    """
    if spec.quantized and device != "cuda":
        raise ModelUnavailableError(
            f"{spec.name} keeps its weights in 4 bits, which needs a CUDA GPU, and this machine "
            f"computes on {device}; choose {spec.name.removesuffix('-4bit')}"
        )
    quantization(spec)
    whole = memory_needed(spec, dtype)
    if hub.make_room(whole, device) >= whole:
        return Placement.WHOLE
    if device != "cpu" and _can_take_turns(spec, device, dtype):
        return Placement.TAKING_TURNS
    hub.require_memory(spec.name, whole, device)
    return Placement.WHOLE


def _can_take_turns(spec: ModelSpec, device: str, dtype: str) -> bool:
    largest = int(spec.largest_component * BYTES[dtype] * 1e9) + _working_memory(spec)
    whole = memory_needed(spec, dtype)
    return (
        not spec.quantized
        and hub.free_memory(device) >= largest
        and hub.make_room(whole, "cpu") >= whole
    )


def four_bits_work(device: str) -> bool:
    """Whether weights can be kept in 4 bits here: on a CUDA GPU, with bitsandbytes installed.

    Not on ZeroGPU, whose GPU has room for every model in half precision.
    """
    installed = importlib.util.find_spec("bitsandbytes") is not None
    return device == "cuda" and installed and not hub.zero_gpu()


def quantization(spec: ModelSpec) -> PipelineQuantizationConfig | None:
    """How the large components of a 4-bit model are stored.

    Raises:
        ModelUnavailableError: bitsandbytes, which does it, is not installed.

    Source: Dettmers et al., "QLoRA: Efficient Finetuning of Quantized LLMs" (NF4).
    """
    if not spec.quantized:
        return None
    if importlib.util.find_spec("bitsandbytes") is None:
        raise ModelUnavailableError(
            f"{spec.name} needs bitsandbytes; run `pip install '.[four-bit]'`, or choose "
            f"{spec.name.removesuffix('-4bit')}"
        )
    import torch
    from diffusers import PipelineQuantizationConfig

    return PipelineQuantizationConfig(
        quant_backend="bitsandbytes_4bit",
        quant_kwargs={
            "load_in_4bit": True,
            "bnb_4bit_quant_type": "nf4",
            "bnb_4bit_compute_dtype": torch.bfloat16,
        },
        components_to_quantize=list(spec.quantized),
    )

"""How much memory a text-to-image model takes, how it is placed, and which a machine can offer."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import hub
from generation.errors import ModelUnavailableError
from generation.models import MODELS, find_model
from generation.spec import ModelSpec

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


def seconds_on_gpu(model: str, pictures: int, steps: int | None = None) -> float:
    """About how long a large GPU takes to generate pictures; 0.03 s a step for a billion parameters
    at 1024 x 1024.

    >>> seconds_on_gpu("flux.1-schnell", 9)
    12.8
    """
    spec = find_model(model).asked(steps, None)
    step = 0.03 * spec.largest_component * (spec.size / 1024) ** 2
    return round(pictures * spec.steps * max(step, 0.01), 1)


def fitting(
    specs: Iterable[ModelSpec],
    device: str,
    memory: int,
    disk: int,
    *,
    token: bool,
    four_bits: bool = False,
) -> tuple[str, ...]:
    """The models that a machine can run, one at a time, and keep all of on its disk.

    Args:
        specs: in the order of preference.
        device: where they would run.
        memory: bytes on that device.
        disk: bytes for downloads.
        token: True where gated models can be downloaded.
        four_bits: True where weights can be kept in 4 bits.

    >>> fitting(MODELS.values(), "cpu", 8 * 10**9, 6 * 10**9, token=False)
    ('stickers', 'bk-sdm-tiny', 'sd-turbo')
    """
    chosen: list[ModelSpec] = []
    for spec in specs:
        here = spec.source in {each.source for each in chosen}
        size = 0 if here else int(spec.download * 1e9)
        usable = (token or not spec.gated) and (four_bits or not spec.quantized)
        if usable and size <= disk and memory_on(spec, device) <= memory:
            chosen.append(spec)
            disk -= size
    return tuple(spec.name for spec in chosen)


def fitting_here(reserved: int) -> tuple[str, ...]:
    """The models that this machine can run; `reserved` bytes of memory are for those that score."""
    from huggingface_hub import constants, get_token

    device = hub.best_device()
    folder = Path(constants.HF_HUB_CACHE)
    folder.mkdir(parents=True, exist_ok=True)
    disk = shutil.disk_usage(folder).free
    memory = hub.free_memory(device) - reserved
    token, four_bits = get_token() is not None, four_bits_work(device)
    return fitting(MODELS.values(), device, memory, disk, token=token, four_bits=four_bits)

"""How much memory and time a text-to-image model takes, and how it is placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import hub
from generation.errors import ModelUnavailableError
from generation.spec import ModelSpec
from hub import Machine

if TYPE_CHECKING:
    from diffusers import PipelineQuantizationConfig

BYTES = {"float32": 4.0, "bfloat16": 2.0, "float16": 2.0, "4 bits": 0.5625}
"""Bytes a parameter; 4 bits have a scale of 4 bytes for every 64 parameters."""
LIBRARIES = 1_000_000_000
"""Bytes that the libraries take beside any model."""
ACTIVATIONS = 5_000
"""Bytes for each pixel of one image while it is decoded, which is the peak; measured at 512."""


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
    return LIBRARIES + _decoding(spec)


def _decoding(spec: ModelSpec) -> int:
    """Bytes that decoding one image takes."""
    return ACTIVATIONS * spec.size**2


def precision_on(spec: ModelSpec, device: str, bfloat16: bool | None = None) -> str:
    """The torch dtype that a pipeline runs in on a device, by name.

    One that was made for bfloat16 leaves the range of float16: its images are black there.

    Args:
        bfloat16: whether the device computes in it; None asks the one that is here.
    """
    return hub.precision(
        device,
        trained_in=spec.half,
        on_cpu=spec.cpu_dtype,
        float16_is_safe=False,
        bfloat16=bfloat16,
    )


def images_at_once(spec: ModelSpec, device: str) -> int:
    """How many images of a loaded pipeline are generated together, at least one.

    As many as there is memory to decode, which takes more than denoising them. A CPU is full with
    one of a hub model, and so is MPS, on which diffusers advises against batches.

    >>> from generation.models import MODELS
    >>> images_at_once(MODELS["sd-turbo"], "cpu")
    1
    """
    if not spec.embedded and device in {"cpu", "mps"}:
        return 1
    return max(1, min(spec.batch, hub.free_memory(device) // _decoding(spec)))


def memory_on(spec: ModelSpec, device: str, bfloat16: bool | None = None) -> int:
    """Bytes that a pipeline takes on a device, in the precision that it runs in there."""
    return memory_needed(spec, precision_on(spec, device, bfloat16))


def make_room(spec: ModelSpec, device: str, dtype: str) -> bool:
    """Make room for a pipeline and say whether all of it fits on the device.

    Where it does not, its components take turns on the accelerator, the others in the CPU's memory.

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
        return True
    if device != "cpu" and _can_take_turns(spec, device, dtype):
        return False
    hub.require_memory(spec.name, whole, device)
    return True


def _can_take_turns(spec: ModelSpec, device: str, dtype: str) -> bool:
    largest = int(spec.largest_component * BYTES[dtype] * 1e9) + _working_memory(spec)
    whole = memory_needed(spec, dtype)
    return (
        not spec.quantized
        and hub.free_memory(device) >= largest
        and hub.make_room(whole, "cpu") >= whole
    )


def quantization(spec: ModelSpec) -> PipelineQuantizationConfig | None:
    """How the large components of a 4-bit model are stored.

    Raises:
        ModelUnavailableError: bitsandbytes, which does it, is not installed.

    Source: Dettmers et al., "QLoRA: Efficient Finetuning of Quantized LLMs" (NF4).
    """
    if not spec.quantized:
        return None
    if not hub.four_bits_installed():
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


def seconds_per_image(spec: ModelSpec, machine: Machine) -> float:
    """About how long a machine takes for one image, by its operations; 0 for an embedded model.

    >>> from generation.models import MODELS
    >>> cpu = Machine("cpu", 16 * 10**9, 50 * 10**9, half=0.14, single=0.14, bfloat16=False)
    >>> [round(seconds_per_image(MODELS[name], cpu)) for name in ("sd-turbo", "sd-1.5")]
    [24, 592]
    """
    return spec.tera / machine.speed(precision_on(spec, machine.device, machine.bfloat16))

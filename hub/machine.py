"""What models can use of a machine, as values: plans are made of these alone."""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import dataclass
from pathlib import Path

from hub.hardware import best_device, bfloat16_is_native, free_memory
from hub.space import zero_gpu

SHARE = 0.35
"""Of what a GPU's data sheet promises, what a denoiser of batch 1 gets; an assumption."""
PEAK = {
    "T4": (65.0, 8.1),
    "V100": (125.0, 15.7),
    "L4": (121.0, 30.3),
    "A10G": (70.0, 31.5),
    "L40S": (362.0, 91.6),
    "A100": (312.0, 19.5),
    "H100": (989.0, 67.0),
    "H200": (989.0, 67.0),
    "RTX PRO 6000": (503.8, 126.0),
}
"""Of a GPU by its name: 10^12 operations a second in half and in single precision, dense, from
NVIDIA's data sheets."""
LEAST = "T4"
"""What is assumed of a GPU of another name."""
CPU_CORE = (0.2, 0.07)
"""The same of one core of a CPU: SD 1.5 at its true size took 4.7 s a step (1.6 x 10^12 operations)
in bfloat16 on a Xeon with AMX, and 17 to 23 s in single precision (benchmarks/RESULTS.md)."""


@dataclass(frozen=True)
class Machine:
    """What models can use of a machine."""

    device: str
    """"cpu", "cuda", "mps" or "xpu"."""
    memory: int
    """Bytes that models can fill on that device."""
    disk: int
    """Bytes for downloads."""
    half: float
    """10^12 operations a second that models get in half precision."""
    single: float
    """The same in single precision."""
    bfloat16: bool
    """True where the device computes in bfloat16 itself."""
    four_bits: bool = False
    """True where weights can be kept in 4 bits."""
    token: bool = False
    """True where gated models can be downloaded."""
    lent: bool = False
    """True on ZeroGPU, where models are on the GPU before the first call or never."""

    def speed(self, dtype: str) -> float:
        """10^12 operations a second that a model gets in a precision, by its torch name."""
        return self.single if dtype == "float32" else self.half


def this_machine() -> Machine:
    """What is free of this machine now."""
    from huggingface_hub import constants, get_token

    device, lent = best_device(), zero_gpu()
    half, single = speeds(device)
    folder = Path(constants.HF_HUB_CACHE)
    folder.mkdir(parents=True, exist_ok=True)
    return Machine(
        device=device,
        memory=free_memory(device),
        disk=shutil.disk_usage(folder).free,
        half=half,
        single=single,
        bfloat16=bfloat16_is_native(device),
        four_bits=device == "cuda" and not lent and four_bits_installed(),
        token=get_token() is not None,
        lent=lent,
    )


def four_bits_installed() -> bool:
    """Whether bitsandbytes is, which keeps weights in 4 bits."""
    return importlib.util.find_spec("bitsandbytes") is not None


def speeds(device: str) -> tuple[float, float]:
    """10^12 operations a second that models get on a device here, in half and single precision."""
    if device == "cpu":
        from joblib import cpu_count

        half, single = (each * cpu_count() for each in CPU_CORE)  # those that a container may use
        return (half if bfloat16_is_native("cpu") else single), single
    return of_gpu(_name(device))


def of_gpu(name: str) -> tuple[float, float]:
    """The same of a GPU by its name.

    >>> of_gpu("NVIDIA A10G") > of_gpu("Tesla T4") == of_gpu("somebody's GPU")
    True
    """
    said = f" {name.replace('-', ' ')} "
    known = next((peak for gpu, peak in PEAK.items() if f" {gpu} " in said), PEAK[LEAST])
    return SHARE * known[0], SHARE * known[1]


def _name(device: str) -> str:
    import torch

    if device == "mps":
        return ""
    return str(getattr(torch, device).get_device_name())

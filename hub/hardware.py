"""The device that models run on, the precision they run in there, and how much memory is free."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")
"""Where a container's limit of memory is written."""
LIMITS = (
    ("memory.max", "memory.current", "memory.stat", "inactive_file"),
    (
        "memory/memory.limit_in_bytes",
        "memory/memory.usage_in_bytes",
        "memory/memory.stat",
        "total_inactive_file",
    ),
)
"""In versions 2 and 1 of cgroups: the files of the limit, of what is used and of its parts, and
which part is copies of files that the kernel lets go of when memory is wanted."""
M_ARENA_MAX, ARENAS = -8, 2
"""The parameter of glibc's `mallopt`, and how many heaps all threads share."""


def best_device() -> str:
    """Where models run: "cuda", "mps", "xpu" where there is an accelerator, else "cpu"."""
    import torch

    accelerator = torch.accelerator.current_accelerator(check_available=True)
    return accelerator.type if accelerator else "cpu"


def precision(
    device: str,
    *,
    trained_in: str = "bfloat16",
    on_cpu: str = "float32",
    float16_is_safe: bool = True,
    bfloat16: bool | None = None,
) -> str:
    """The torch dtype that a model runs in, by name.

    Args:
        device: from `best_device`.
        trained_in: "bfloat16" or "float16", the half precision that the model was made for.
        on_cpu: the dtype on a CPU; "fastest" is bfloat16 where the CPU computes in it, else
            float32.
        float16_is_safe: False for models whose activations leave the range of float16, such as
            Gemma 2; they run in float32 where bfloat16 is only emulated (T4, V100).
        bfloat16: whether the device computes in it; None asks the one that is here.

    >>> precision("cpu"), precision("cuda", trained_in="float16")
    ('float32', 'float16')
    """
    if device == "cpu" and on_cpu != "fastest":
        return on_cpu
    if device != "cpu" and trained_in == "float16":
        return "float16"
    if bfloat16_is_native(device) if bfloat16 is None else bfloat16:
        return "bfloat16"
    if device == "cpu":
        return "float32"
    return "float16" if float16_is_safe else "float32"


def bfloat16_is_native(device: str) -> bool:
    """True where the device computes in bfloat16 itself and does not emulate it."""
    import torch

    if device == "cpu":
        return bool(torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported())

    if device == "mps":
        return bool(torch.backends.mps.is_macos_or_newer(14, 0))
    if device in {"cuda", "xpu"}:
        return bool(getattr(torch, device).is_bf16_supported(including_emulation=False))
    return False


def free_memory(device: str) -> int:
    """Bytes of memory that can still be filled on a device."""
    import torch

    if device == "cpu":
        return _free_ram()
    if device == "mps":
        return int(torch.mps.recommended_max_memory() - torch.mps.driver_allocated_memory())
    backend = getattr(torch, device)
    unused = backend.memory_reserved() - backend.memory_allocated()
    return int(backend.mem_get_info()[0] + unused)


def _free_ram() -> int:
    """What the machine has available, or the container, whichever is less."""
    import psutil

    machine = int(psutil.virtual_memory().available)
    return min([machine, *filter(None, (_free_in_container(*names) for names in LIMITS))])


def _free_in_container(limit: str, usage: str, parts: str, files: str) -> int | None:
    """Bytes that the container may still fill; None without one, or without a limit ("max")."""
    try:
        most = int((CGROUP / limit).read_text())
        used = int((CGROUP / usage).read_text())
        known = dict(line.split() for line in (CGROUP / parts).read_text().splitlines())
    except (OSError, ValueError):
        return None
    return most - used + int(known.get(files, 0))


def share_heaps() -> bool:
    """Let all threads of this process share two heaps, where the C library is glibc.

    By default each thread has one of its own, which keeps what was freed in it: with the forty
    threads of a server a quarter more memory. Before any thread starts.

    Returns:
        Whether it is so now; False where the C library has no such parameter.
    """
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(M_ARENA_MAX, ARENAS) == 1


def readable_size(size: float) -> str:
    """Bytes as a person reads them.

    >>> readable_size(5_240_000_000), readable_size(43_000_000)
    ('5.2 GB', '43 MB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"

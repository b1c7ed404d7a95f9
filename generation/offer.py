"""Which text-to-image models a machine can offer."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import hub
from generation.memory import four_bits_work, memory_on
from generation.models import MODELS, find_model
from generation.spec import ModelSpec


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

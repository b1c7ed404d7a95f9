"""Where models come from and where they run: the hub and its downloads, device, memory."""

from __future__ import annotations

from hub.download import (
    BESIDE_WEIGHTS,
    UNKNOWN,
    broken_copy,
    downloading,
    fetch,
    revision,
    stored_here,
)
from hub.errors import (
    BrokenCopyError,
    ConsentNeededError,
    DiskFullError,
    HubError,
    HubUnreachableError,
    MemoryShortError,
    RepositoryMissingError,
)
from hub.hardware import best_device, free_memory, precision, readable_size, share_heaps
from hub.loaded import cached_loader, in_use, is_loaded, make_room, require_memory
from hub.machine import Machine, four_bits_installed, of_gpu, this_machine
from hub.parsers import load_parser
from hub.reach import hub_answers, hub_in_use, opens
from hub.space import on_gpu, straight_to, zero_gpu
from hub.transfer import Download

__all__ = [
    "BESIDE_WEIGHTS",
    "BrokenCopyError",
    "ConsentNeededError",
    "DiskFullError",
    "Download",
    "HubError",
    "HubUnreachableError",
    "Machine",
    "MemoryShortError",
    "RepositoryMissingError",
    "UNKNOWN",
    "best_device",
    "broken_copy",
    "cached_loader",
    "downloading",
    "fetch",
    "four_bits_installed",
    "free_memory",
    "hub_answers",
    "hub_in_use",
    "in_use",
    "is_loaded",
    "load_parser",
    "make_room",
    "of_gpu",
    "on_gpu",
    "opens",
    "precision",
    "readable_size",
    "require_memory",
    "revision",
    "share_heaps",
    "stored_here",
    "straight_to",
    "this_machine",
    "zero_gpu",
]

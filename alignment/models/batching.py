"""Batches that fit into the memory that is free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import hub

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST = 64
"""Items of a batch, however much memory is free: more are no faster."""
SHARE = 2
"""A batch gets one part in so many of the free memory; the rest is for whoever else works."""
PIXEL_BYTES = 1000
"""What a vision tower needs for each pixel that it sees; 100 to 660 were measured on CLIP B/32 and
L/14, SigLIP 2 and BLIP-2's tower, of true size with random weights (benchmarks/RESULTS.md)."""


def in_batches(
    work: Callable[[Sequence[Item]], Sequence[Result]],
    items: Sequence[Item],
    item_bytes: float,
    device: Any,
    most: int = MOST,
) -> list[Result]:
    """What `work` makes of all items, a batch at a time.

    There is one result for each item, which needs `item_bytes` while it runs. An accelerator that
    runs out of memory gets half as many; `torch.OutOfMemoryError` is raised where one does not fit.
    """
    free = hub.free_memory(str(device).partition(":")[0])
    size, results = max(1, min(most, int(free / SHARE / item_bytes))), list[Result]()
    while len(results) < len(items):
        batch = items[len(results) : len(results) + size]
        done = _if_it_fits(work, batch)
        if done is None:
            size = len(batch) // 2
        else:
            results += done
    return results


def _if_it_fits(
    work: Callable[[Sequence[Item]], Sequence[Result]], batch: Sequence[Item]
) -> Sequence[Result] | None:
    """What `work` makes of a batch; None when it does not fit and has more than one item."""
    import torch

    try:
        return work(batch)
    except torch.OutOfMemoryError:
        if len(batch) == 1:
            raise
        torch.accelerator.empty_cache()
        return None


def row_bytes(text: Any, tokens: int, value_bytes: int) -> int:
    """What a language model needs for one row of tokens that it reads at once.

    Keys and values of all layers stay; of the hidden values those of one layer at a time.

    Args:
        text: the configuration of the language model.
        tokens: of the row, image tokens included.
        value_bytes: 4 in single precision, 2 in half.
    """
    values, heads = text.to_dict(), text.num_attention_heads
    width = values.get("head_dim") or text.hidden_size // heads
    kept = 2 * text.num_hidden_layers * width * (values.get("num_key_value_heads") or heads)
    inner = values.get("intermediate_size") or values.get("d_ff") or 4 * text.hidden_size
    needed: int = value_bytes * (
        tokens * (kept + 4 * inner + 8 * text.hidden_size) + 2 * text.vocab_size
    )
    return needed


def image_bytes(config: Any) -> int:
    """What the vision tower of a model needs for one image; 1,024 pixels where it has no side."""
    return PIXEL_BYTES * int(getattr(config.vision_config, "image_size", 1024)) ** 2

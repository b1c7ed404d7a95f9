"""Operations counted on tensors without values."""

from collections.abc import Callable
from typing import Any


def tera(work: Callable[[], Any]) -> float:
    """10^12 operations of some work."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter, torch.no_grad():
        work()
    return counter.get_total_flops() / 1e12

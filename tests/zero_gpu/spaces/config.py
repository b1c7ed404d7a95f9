"""What the real package reads from the variables of a Space with ZeroGPU."""

from __future__ import annotations


class Config:
    """Its settings."""

    zero_gpu = True

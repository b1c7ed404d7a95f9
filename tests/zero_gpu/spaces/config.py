"""What the real package reads from the variables of a Space with ZeroGPU."""


class Config:
    """Its settings."""

    zero_gpu = True

"""ZeroGPU on a Hugging Face Space: a GPU is lent for one call, for about as long as it needs.

Elsewhere nothing of this has an effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from importlib.util import find_spec
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Item = TypeVar("Item")
Job = Callable[Arguments, Iterator[Item]]


@dataclass(frozen=True)
class _Failed:
    """What a job raised; the process it runs in would lose its class and its message."""

    error: Exception


def zero_gpu() -> bool:
    """True on a Space that lends its GPU call by call."""
    if find_spec("spaces") is None:
        return False
    from spaces.config import Config

    return bool(Config.zero_gpu)


def straight_to(device: str) -> str | None:
    """The `device_map` with which a library loads weights straight to a device.

    None where they are loaded first and moved then: on ZeroGPU only the thread that starts the page
    can put anything on the GPU before the first call, and the libraries load in several threads.
    """
    return None if device == "cpu" or zero_gpu() else device


def on_gpu(
    seconds: Callable[..., int],
) -> Callable[[Job[Arguments, Item]], Job[Arguments, Item]]:
    """A decorator for a job that yields its progress: on ZeroGPU it runs where the GPU is.

    There it runs in a process of its own: what it is given and what it yields is pickled, and what
    it changes is lost. Everywhere else the job is left as it is.

    Args:
        seconds: from the job's arguments to about how long it needs the GPU.
    """

    def decorate(job: Job[Arguments, Item]) -> Job[Arguments, Item]:
        if not zero_gpu():
            return job
        import spaces

        return raised_here(job, spaces.GPU(duration=seconds)(telling(job)))

    return decorate


def telling(job: Job[Arguments, Item]) -> Job[Arguments, Item | _Failed]:
    """The same job, which yields what goes wrong instead of raising it."""

    @wraps(job)
    def told(*args: Arguments.args, **options: Arguments.kwargs) -> Iterator[Item | _Failed]:
        try:
            yield from job(*args, **options)
        except Exception as error:
            yield _Failed(error)

    return told


def raised_here(
    job: Job[Arguments, Item], told: Job[Arguments, Item | _Failed]
) -> Job[Arguments, Item]:
    """The told job as `job` is: what went wrong is raised again."""

    @wraps(job)
    def raising(*args: Arguments.args, **options: Arguments.kwargs) -> Iterator[Item]:
        for item in told(*args, **options):
            if isinstance(item, _Failed):
                raise item.error
            yield item

    return raising

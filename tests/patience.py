"""How long tests wait for what must come: as long as it takes, on a machine however busy."""

import time
from collections.abc import Callable
from functools import partial

import httpx

PATIENCE = 240.0
"""Seconds after which a test gives up; only what is broken takes as long."""

get, post = partial(httpx.get, timeout=PATIENCE), partial(httpx.post, timeout=PATIENCE)


def wait_until(holds: Callable[[], bool]) -> None:
    """Look again and again until something holds.

    Raises:
        AssertionError: it never does.
    """
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)


def answers(url: str) -> bool:
    """Whether a server is there."""
    try:
        return httpx.get(f"{url}/healthz", timeout=PATIENCE).is_success
    except httpx.TransportError:
        return False

"""Whether the hub is within reach, known in two seconds, and asked again a minute later.

The hub's own library tries an address that does not answer for half a minute.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

PATIENCE = 2.0
"""Seconds that a connection may take to open."""
REMEMBERED = 60.0
"""Seconds for which a hub that did not answer is not asked again."""

_missed: dict[str, float] = {}
"""Address of a hub -> when it last did not answer."""


def hub_in_use(clock: Callable[[], float] = time.monotonic) -> bool:
    """True when the hub is not switched off (`HF_HUB_OFFLINE`) and answers (at `HF_ENDPOINT`)."""
    from huggingface_hub import constants

    endpoint = constants.ENDPOINT
    if constants.HF_HUB_OFFLINE or clock() - _missed.get(endpoint, -REMEMBERED) < REMEMBERED:
        return False
    if hub_answers(endpoint):
        return True
    _missed[endpoint] = clock()
    return False


def hub_answers(endpoint: str) -> bool:
    """True when the hub, or the proxy on the way to it, opens a connection in two seconds."""
    address = urlsplit(endpoint)
    if (proxy := getproxies().get(address.scheme)) and not proxy_bypass(str(address.hostname)):
        address = urlsplit(proxy)
    port = address.port or (80 if address.scheme == "http" else 443)
    return opens(str(address.hostname), port, PATIENCE)


def opens(host: str, port: int, timeout: float) -> bool:
    """True when a connection opens in `timeout` seconds, the look-up of the name included."""
    opened = threading.Event()

    def connect() -> None:
        with suppress(OSError), socket.create_connection((host, port), timeout):
            opened.set()

    attempt = threading.Thread(target=connect, daemon=True)
    attempt.start()
    attempt.join(timeout)
    return opened.is_set()

"""Whether the hub is within reach, known in two seconds.

The hub's own library tries an address that does not answer for half a minute.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

HUB = "https://huggingface.co"
"""Where the hub is unless `HF_ENDPOINT` names another."""


def hub_in_use() -> bool:
    """True when the hub is not switched off (`HF_HUB_OFFLINE`) and answers (at `HF_ENDPOINT`)."""
    from huggingface_hub import constants

    return not constants.HF_HUB_OFFLINE and hub_answers(constants.ENDPOINT)


def hub_answers(endpoint: str = HUB, timeout: float = 2.0) -> bool:
    """True when the hub, or the proxy on the way to it, opens a connection in `timeout` seconds."""
    address = urlsplit(endpoint)
    if (proxy := getproxies().get(address.scheme)) and not proxy_bypass(str(address.hostname)):
        address = urlsplit(proxy)
    port = address.port or (80 if address.scheme == "http" else 443)
    return opens(str(address.hostname), port, timeout)


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

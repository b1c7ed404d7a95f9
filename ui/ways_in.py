"""The addresses that the server answers at, and what comes in by each; all others are shut.

Gradio has many more, for developing, monitoring, proxies and components that this page has not.
"""

from __future__ import annotations

import re
from enum import Enum

from ui.render.words import IMAGES

API = "/gradio_api"
FILE = f"{API}/file="
"""Where a file is fetched from, by its path."""
MCP = f"{API}/mcp"
"""Where clients look for the tools of a Gradio app."""


class Way(Enum):
    """What comes in by an address."""

    OPEN = "anything that is the same for everybody"
    FILE = "a file that this server issued"
    STREAM = "the answers to a session"
    UPLOAD = "files"
    EVENT = "an event"
    CALL = "a call of a tool, or the end of an event"


WAYS = {
    Way.OPEN: (
        "GET|HEAD",
        r"/|/(assets|static|svelte)/.+|/theme\.css|/favicon\.ico|/manifest\.json|/robots\.txt"
        rf"|/config/?|{API}/(info|app_id|theme\.css|startup-events|upload_progress)/?"
        rf"|/healthz|/{IMAGES}/[^/]*",
    ),
    Way.FILE: ("GET|HEAD", rf"{FILE}.*"),
    Way.STREAM: ("GET", rf"{API}/(queue/data|heartbeat/[^/]+|call/[^/]+/[^/]+)/?"),
    Way.UPLOAD: ("POST", rf"{API}/upload"),
    Way.EVENT: ("POST", rf"{API}/(queue/join|(run|api|call)/[^/]+)/?"),
    Way.CALL: ("GET|POST|DELETE", rf"{MCP}/?|{API}/(cancel|reset)/?"),
}
"""Way -> methods and addresses, as regular expressions."""


def way_in(method: str, path: str) -> Way | None:
    """What comes in by an address; None where it is shut.

    >>> way_in("POST", "/gradio_api/queue/join"), way_in("GET", "/gradio_api/dev/reload")
    (<Way.EVENT: 'an event'>, None)
    """
    for way, (methods, paths) in WAYS.items():
        if re.fullmatch(methods, method) and re.fullmatch(paths, path, re.DOTALL):
            return way
    return None

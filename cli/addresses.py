"""Where a page listens, what it may be asked by, and where its code is: here and on a Space."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any

from generation import InvalidRequestError
from session.offer import names_in

LOCAL = ("localhost", "127.0.0.1", "[::1]", "::1")


def hosts(named: str, host: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The names that a page is asked by: those given and localhost, or what is usual.

    >>> hosts("", "127.0.0.1", {}), hosts("", "0.0.0.0", {})
    (('localhost', '127.0.0.1', '[::1]', '::1'), ('*',))
    >>> hosts("page.example.org, example.org", "0.0.0.0", {})[:3]
    ('page.example.org', 'example.org', 'localhost')
    """
    if names := tuple(names_in(named)):
        return (*names, *LOCAL)
    if "SPACE_HOST" in environment:
        return (environment["SPACE_HOST"], *LOCAL)
    return LOCAL if host in LOCAL else ("*",)


def on_a_space(environment: Mapping[str, str]) -> dict[str, Any]:
    """The settings of a Space: shown in a frame of the hub, behind its proxy; none elsewhere."""
    if "SPACE_ID" not in environment:
        return {}
    return {"frame_ancestors": ("https://huggingface.co",), "trusted_proxies": "*"}


def source_address(given: str, environment: Mapping[str, str]) -> str:
    """The address of the code; empty where it is not known.

    >>> source_address("", {"SPACE_ID": "somebody/images"}), source_address("", {})
    ('https://huggingface.co/spaces/somebody/images/tree/main', '')
    """
    if given and not re.fullmatch(r"https?://[^\s()<>\"]+", given):
        raise InvalidRequestError(f"--source is {given!r}; give an address with http or https")
    space = environment.get("SPACE_ID")
    return given or (f"https://huggingface.co/spaces/{space}/tree/main" if space else "")


def page_address(place: socket.socket) -> str:
    """Where a browser of this machine finds a page that listens.

    >>> with listening_on("127.0.0.1", 0) as place:
    ...     page_address(place).rpartition(":")[0]
    'http://127.0.0.1'
    """
    host, port = place.getsockname()[:2]
    any_network = ip_address(host).is_unspecified
    name = "localhost" if any_network else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


@contextmanager
def listening_on(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        place = socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise InvalidRequestError(
            f"the page cannot listen on {host}:{port}; choose another with HOST and PORT"
        ) from error
    with place:
        place.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else answers wait 40 ms
        yield place

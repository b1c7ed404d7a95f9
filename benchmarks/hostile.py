"""Visitors who mean harm, for as long as it lasts: a flood, half-open connections, bombs, a hub."""

from __future__ import annotations

import io
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import httpx
from PIL import Image

if TYPE_CHECKING:
    from benchmarks.server import Page

HALF_OPEN = 1_100
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
SCANS = 300
"""Of a bomb: each costs as much as the whole picture."""


@contextmanager
def silent_hub() -> Iterator[str]:
    """The address of a hub that takes every connection and says nothing."""
    held: list[socket.socket] = []

    def hold() -> None:
        with suppress(OSError):
            while True:
                held.append(place.accept()[0])

    with socket.create_server(("127.0.0.1", 0), backlog=64) as place:
        thread = threading.Thread(target=hold, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
        place.shutdown(socket.SHUT_RDWR)
        thread.join(5)
    for each in held:
        each.close()


@contextmanager
def attacked(page: Page) -> Iterator[Counter[str]]:
    """All attacks at once, each from addresses of its own; what came of them: attack -> answers."""
    over, bomb, answers = threading.Event(), scan_bomb(), Counter[str]()
    clients = {
        name: partial(_client, page, f"127.0.{place}.1", name, answers)
        for place, name in enumerate(("flood", "bomb", "hub"), 2)
    }
    attacks: list[Callable[[], None]] = [
        lambda: _flood(page, clients["flood"]()),
        lambda: _flood(page, clients["flood"]()),
        lambda: _throw(page, clients["bomb"](), bomb),
        lambda: _want(page, clients["hub"]()),
        lambda: answers.update({"half-open, taken": _half_open(page, over)}),
    ]

    def go_on(attack: Callable[[], None]) -> None:
        while not over.wait(0.05):
            with suppress(httpx.HTTPError, OSError):
                attack()

    threads = [threading.Thread(target=go_on, args=[each], daemon=True) for each in attacks]
    for each in threads:
        each.start()
    try:
        yield answers
    finally:
        over.set()
        for each in threads:
            each.join(10)


def _client(page: Page, address: str, attack: str, answers: Counter[str]) -> httpx.Client:
    def count(answer: httpx.Response) -> None:
        answers[f"{attack}, {answer.status_code}"] += 1

    transport = httpx.HTTPTransport(local_address=address)
    hooks = {"response": [count]}
    return httpx.Client(base_url=page.url, transport=transport, timeout=60, event_hooks=hooks)


def _ask(client: httpx.Client, event: dict[str, Any]) -> None:
    client.post("/gradio_api/queue/join", json={"session_hash": uuid4().hex} | event)


def _flood(page: Page, client: httpx.Client) -> None:
    """A hundred grids, none of which is listened to."""
    with client:
        for _ in range(100):
            _ask(client, page.request(prompt="a flood", grid="6 x 6"))


def _half_open(page: Page, over: threading.Event) -> int:
    """A thousand requests that are never finished, from fifty addresses; how many connect."""
    port = int(page.url.rpartition(":")[2])
    held: list[socket.socket] = []
    for at in range(HALF_OPEN):
        with suppress(OSError):
            source = (f"127.0.10.{1 + at % 50}", 0)
            held.append(socket.create_connection(("127.0.0.1", port), 5, source))
            held[-1].sendall(HALF)
    over.wait(10)
    for each in held:
        each.close()
    return len(held)


def _throw(page: Page, client: httpx.Client, bomb: bytes) -> None:
    """An upload that takes long to decode, to be scored."""
    with client:
        files = {"files": ("bomb.jpg", bomb)}
        (path,) = client.post("/gradio_api/upload", files=files).raise_for_status().json()
        event = page.request("score")
        sent = {"path": path, "meta": {"_type": "gradio.FileData"}}
        _ask(client, event | {"data": ["a red apple", [sent], *event["data"][2:]]})


def _want(page: Page, client: httpx.Client) -> None:
    """A grid whose evaluators are on the hub, which says nothing; its answers are listened to."""
    event = page.request(prompt="a red apple", grid="1 x 1")
    data = ["light" if value == "embedded" else value for value in event["data"]]
    session = uuid4().hex
    with client:
        _ask(client, event | {"data": data, "session_hash": session})
        with client.stream("GET", f"/gradio_api/queue/data?session_hash={session}") as stream:
            for _ in stream.iter_lines():
                pass


def scan_bomb(side: int = 2000) -> bytes:
    r"""A progressive JPEG whose last scan is there again and again.

    >>> scan_bomb(16).count(b"\xff\xda") > SCANS
    True
    """
    file = io.BytesIO()
    Image.new("RGB", (side, side), "tomato").save(file, "JPEG", progressive=True)
    whole = file.getvalue()
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * SCANS + whole[-2:]

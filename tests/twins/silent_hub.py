"""A hub that takes every connection and says nothing."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def silent_hub() -> Iterator[str]:
    """Its address; every connection is held open until the end."""
    held: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0), backlog=64) as place:
        thread = threading.Thread(target=_hold, args=[place, held], daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
        place.shutdown(socket.SHUT_RDWR)
        thread.join(5)
    for each in held:
        each.close()


def _hold(place: socket.socket, held: list[socket.socket]) -> None:
    with suppress(OSError):
        while True:
            held.append(place.accept()[0])

"""What somebody who means ill sends: a hub that says nothing, a JPEG that takes long to decode."""

import io
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from PIL import Image

SCANS = 300
"""Of a bomb: each costs as much as the whole image."""


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


def scan_bomb(side: int = 2000) -> bytes:
    """A progressive JPEG whose last scan is there again and again."""
    file = io.BytesIO()
    Image.new("RGB", (side, side), "tomato").save(file, "JPEG", progressive=True)
    whole = file.getvalue()
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * SCANS + whole[-2:]

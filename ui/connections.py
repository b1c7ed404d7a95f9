"""Connections: how many there may be, of an address and in all, and how long one may say nothing.

The web server limits neither. A connection that waits for a request is closed after `HEAD` seconds,
and makes room where there are too many: the one that has waited longest goes first.
"""

from __future__ import annotations

import resource
from asyncio import TimerHandle, Transport
from collections.abc import Iterable
from logging import getLogger
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ui.admission import address_of

OPEN = 400
"""Connections of all visitors; at most half of the files that the process may have open."""
OPEN_OF_ADDRESS = 64
"""Connections of one address that is no trusted proxy."""
HEAD = 10.0
"""Seconds in which the head of a request must have come."""
IDLE = 30.0
"""Seconds without a byte of a body, or in which nothing of an answer is taken."""
BACKLOG = 128
"""Connections that are taken at a time."""
FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Connection(H11Protocol):
    """A connection that is bounded in time, and one of so many."""

    timer: TimerHandle | None = None
    since = 0.0
    """When it began to wait for the head of a request."""
    network = ""
    """Whose it is."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Take the connection, where there is room for it or room can be made."""
        super().connection_made(transport)
        self.network = address_of(self.client[0]) if self.client else ""
        self.since = self.loop.time()
        self._watch(HEAD)
        if not self._has_room():
            getLogger(__name__).warning("there are too many connections; one more is refused")
            transport.write(FULL)
            transport.close()

    def _has_room(self) -> bool:
        near = [each for each in self._others() if each.network == self.network]
        if not self._by_proxy() and len(near) >= OPEN_OF_ADDRESS and not _close_one(near):
            return False
        others = [*self._others()]
        return len(others) < most_open() or _close_one(others)

    def _others(self) -> Iterable[Connection]:
        for each in self.connections:
            if (
                each is not self
                and isinstance(each, Connection)
                and not each.transport.is_closing()
            ):
                yield each

    @property
    def waits(self) -> bool:
        """Whether it waits for the head of a request."""
        return self.cycle is None or self.cycle.response_complete

    def _by_proxy(self) -> bool:
        proxies: Any = getattr(self.config.loaded_app, "trusted_hosts", ())
        return self.client is not None and self.client[0] in proxies

    def data_received(self, data: bytes) -> None:
        """Take what comes; a head is waited for in all, each byte of a body anew."""
        waited = self.waits
        super().data_received(data)
        if not (waited and self.waits and self.timer):
            self._watch(self._patience)

    def on_response_complete(self) -> None:
        """The next request may come."""
        super().on_response_complete()
        self.since = self.loop.time()
        self._watch(self._patience)

    @property
    def _patience(self) -> float | None:
        """Seconds in which something must come; None while an answer is made."""
        if self.waits:
            return HEAD
        return IDLE if self.cycle.more_body else None

    def connection_lost(self, exc: Exception | None) -> None:
        self._watch(None)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Nothing of an answer is taken."""
        super().pause_writing()
        self._watch(IDLE)

    def resume_writing(self) -> None:
        """It is taken again."""
        super().resume_writing()
        self._watch(None)

    def _watch(self, seconds: float | None) -> None:
        """Close the connection after so many seconds; None lets it be."""
        if self.timer:
            self.timer.cancel()
        self.timer = self.loop.call_later(seconds, self._late) if seconds else None

    def _late(self) -> None:
        """Close it, unless it is this server that does not read on."""
        if self.transport.is_closing() or self.transport.is_reading() or self.flow.write_paused:
            self.transport.abort()
        else:
            self._watch(IDLE)


def _close_one(among: Iterable[Connection]) -> bool:
    """Close the connection that has waited longest for a request; whether there is one."""
    waiting = [each for each in among if each.waits]
    if not waiting:
        return False
    min(waiting, key=lambda each: each.since).transport.abort()
    return True


def most_open() -> int:
    """Connections that there may be: `OPEN`, or half of the files that the process may open."""
    return min(OPEN, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)

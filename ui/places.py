"""Places of runs: whoever finds all of them taken waits at the gate for one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import gradio as gr
from starlette.requests import ClientDisconnect, Request
from starlette.types import Scope

from session.limits import Runs
from session.run import FullError, RunEnded
from ui.admission import address_of

TICKET = "gate.ticket"
"""Key of a request that was let in, kept by its event."""
WAITING = 64
"""Visitors who wait at a time."""
POLL = 0.1
"""Seconds after which they look again."""


@dataclass(eq=False)
class Waiter:
    """Somebody who waits for a place."""

    session: str
    address: str
    stopped: bool = False
    """Whether its visitor has stopped what it waits for."""


class Places:
    """Who is let in: whoever is has a place, from the gate to the end of the run."""

    def __init__(self, page: gr.Blocks, runs: Runs, working: frozenset[int]) -> None:
        self.page, self.runs, self.working = page, runs, working
        self.entering: dict[int, tuple[str, str]] = {}
        """Ticket -> session and address of a request that is on its way to the queue."""
        self.waiting: list[Waiter] = []
        self._tickets = count(1)

    async def wait(self, session: str, request: Request, patient: bool = True) -> None:
        """Wait for a place, and have it from now on.

        Args:
            patient: whether it may wait; a program is told at once that all are taken.

        Raises:
            RunEnded: there is none, or its visitor has some already.
            ClientDisconnect: the visitor has gone.
        """
        waiter = Waiter(session, address(request.scope))
        end = time.monotonic() + (self.runs.limits.at_the_door if patient else 0)
        self.waiting.append(waiter)
        try:
            while not self._has_room(waiter, end):
                await asyncio.sleep(POLL)
                if waiter.stopped:
                    raise RunEnded("stopped while it waited for a place")
                if await request.is_disconnected():
                    raise ClientDisconnect
        finally:
            self.waiting.remove(waiter)
        ticket = request.scope[TICKET] = next(self._tickets)
        self.entering[ticket] = session, waiter.address

    def _has_room(self, waiter: Waiter, end: float) -> bool:
        """Whether there is a place, and nobody came before; False where it is worth waiting."""
        ahead = self.waiting[: self.waiting.index(waiter)]
        try:
            self.runs.require_room(waiter.session, waiter.address, [*self._coming()])
        except FullError:
            most = self.runs.limits.runs_per_address
            near = sum(each.address == waiter.address for each in ahead)
            crowded = near >= most or len(ahead) >= WAITING
            if crowded or time.monotonic() >= end:
                raise
            return False
        return not ahead

    def stop(self, session: str) -> None:
        """Let nothing of a session wait any longer."""
        for each in self.waiting:
            each.stopped |= each.session == session

    def leave(self, scope: Scope) -> None:
        """A request has been answered: its event is in the queue, if it came so far."""
        self.entering.pop(scope.get(TICKET, 0), None)

    def _coming(self) -> Iterator[tuple[str, str]]:
        """Session and address of each run that was let in and is not admitted yet."""
        begun = {run.event for run in self.runs.admitted}
        events = under_way(self.page)
        queued = {each.request.scope.get(TICKET) for each in events}
        for each in events:
            if each.fn._id in self.working and each._id not in begun:
                yield each.session_hash, address(each.request.scope)
        yield from (each for ticket, each in self.entering.items() if ticket not in queued)


def under_way(page: gr.Blocks) -> list[Any]:
    """The events of the queue that wait or are worked on.

    Its own list of events keeps one whose end was interrupted, for ever.
    """
    queue = page._queue
    lines = [*queue.event_queue_per_concurrency_id.values()]
    working = [each for job in [*queue.active_jobs] for each in job or ()]
    return [*working, *(each for line in lines for each in line.queue)]


def address(scope: Scope) -> str:
    """Who asks; behind a proxy that is trusted, whom the proxy names."""
    client = scope.get("client")
    return address_of(client[0]) if client else ""

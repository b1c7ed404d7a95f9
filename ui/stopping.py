"""What takes the place of a job: it is cancelled, and what follows comes after its last message.

Gradio cancels in the background, and tells the page of a cancelled job that it has ended without a
result. Where that message comes after what follows, the page takes it for an error.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

from anyio.to_thread import run_sync
from gradio.context import LocalContext

from session.limits import Runs
from ui.components import AT_ONCE, QUIET

PATIENCE = 10.0
"""Seconds for which what follows waits for a job that does not end."""
POLL = 0.02


def instead(
    event: Callable[..., Any],
    jobs: Sequence[Any],
    handler: Callable[..., Any],
    inputs: Sequence[Any] | None,
    outputs: Sequence[Any],
    runs: Runs,
) -> None:
    """Cancel running jobs on an event, then call a handler once all their output has arrived."""
    cancelled = event(None, cancels=jobs, **AT_ONCE)
    cancelled.then(after(jobs, handler, runs), inputs, outputs, **QUIET)


def after(jobs: Sequence[Any], handler: Callable[..., Any], runs: Runs) -> Callable[..., Any]:
    """A handler that first lets the jobs of its page end.

    Args:
        jobs: events that were cancelled.
        handler: what follows.
        runs: of the server; those of the jobs may not go on.
    """
    numbers = {job["id"] for job in jobs}

    async def following(*inputs: Any) -> Any:
        blocks, request = LocalContext.blocks.get(None), LocalContext.request.get(None)
        if blocks is not None and request is not None:
            await _let_end(blocks._queue, request.session_hash, numbers, runs)
        return await run_sync(handler, *inputs)

    return following


async def _let_end(queue: Any, session: str, numbers: set[int], runs: Runs) -> None:
    """Wait until the last message of every job of a session is sent."""
    events = {
        name
        for name, event in [*queue.event_ids_to_events.items()]
        if event.session_hash == session and event.fn._id in numbers
    }
    runs.cancel(events)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and any(
        name in queue.pending_event_ids_session.get(session, ()) for name in events
    ):
        await asyncio.sleep(POLL)  # no thread of the server waits

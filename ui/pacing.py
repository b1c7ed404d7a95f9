"""The newest state of a job, as often as the page can draw it.

The job goes on in a thread of its own, so that models never wait for the page; states that come
faster than they can be drawn are left out, but for the last.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from contextvars import copy_context
from queue import SimpleQueue
from typing import TypeVar

PACE = 0.25
"""Seconds between two drawings."""

State = TypeVar("State")


def newest(states: Generator[State], pace: float = PACE) -> Iterator[State]:
    """The newest of the states, at most every `pace` seconds, and the last without delay.

    Args:
        states: of the job, which goes on in another thread, in the context of this one.
        pace: seconds from one state to the next.

    Raises:
        Exception: what the job raises, after its newest state. Once this iterator is closed, which
            takes no time, so is the job, after the step that it is at.
    """
    arrived: SimpleQueue[State | None] = SimpleQueue()
    closed = threading.Event()

    def work() -> None:
        with closing(states):
            for state in states:
                arrived.put(state)
                if closed.is_set():
                    return

    thread = ThreadPoolExecutor(1, thread_name_prefix="job")
    job = thread.submit(copy_context().run, work)
    job.add_done_callback(lambda _: arrived.put(None))
    thread.shutdown(wait=False)  # whoever closes this iterator does not wait for the job's step
    try:
        while True:
            come = [arrived.get(), *_more(arrived)]
            drawn = time.monotonic()
            yield from [state for state in come if state is not None][-1:]
            if come[-1] is None:
                break
            wait([job], max(0.0, drawn + pace - time.monotonic()))
    finally:
        closed.set()
    try:
        job.result()
    finally:
        del job  # which holds the exception, whose frames would hold it: all would live on


def _more(arrived: SimpleQueue[State | None]) -> Iterator[State | None]:
    """What else has arrived by now."""
    while not arrived.empty():
        yield arrived.get()

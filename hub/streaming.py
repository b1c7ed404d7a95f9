"""Work in a thread of its own, whose items are read as they come; whoever reads may leave."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
Value = TypeVar("Value")


class LeftError(Exception):
    """Nobody reads any more."""


def streamed(
    work: Callable[[Callable[[Item], None]], Value],
    name: str,
    waits: Callable[[Item], bool] = lambda item: False,
) -> Generator[Item, None, Value]:
    """Do a piece of work in a thread, and yield what it emits; once closed, its next item ends it.

    The work gets what emits an item. After items that `waits` names, it goes on only when the next
    one is asked for. What it returns is returned here, and what it raises is raised.
    """
    seen: SimpleQueue[Item | None] = SimpleQueue()
    go_on, closed = threading.Semaphore(0), threading.Event()

    def emit(item: Item) -> None:
        if not closed.is_set():
            seen.put(item)
            if waits(item):
                go_on.acquire()
        if closed.is_set():
            raise LeftError

    threads = ThreadPoolExecutor(1, name)
    try:
        done = threads.submit(work, emit)
        done.add_done_callback(lambda _: seen.put(None))
        for item in iter(seen.get, None):
            yield item
            if waits(item):
                go_on.release()
        return done.result()
    finally:
        closed.set()
        go_on.release()
        threads.shutdown(wait=False)

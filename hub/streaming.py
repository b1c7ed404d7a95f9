"""Work in a thread of its own, whose items are read as they come; whoever reads may leave."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
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
    pace: float = 0.0,
) -> Generator[Item, None, Value]:
    """Do a piece of work in a thread, and yield what it emits; once closed, its next item ends it.

    The work gets what emits an item. After items that `waits` names, it goes on only when the next
    one is asked for. What it returns is returned here, and what it raises is raised. Of the items
    that come within `pace` seconds the newest is yielded alone, and the last without delay.
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
    done = threads.submit(work, emit)
    done.add_done_callback(lambda _: seen.put(None))
    try:
        for item in _come(seen, done, pace):
            yield item
            if waits(item):
                go_on.release()
        return done.result()
    finally:
        closed.set()
        go_on.release()
        threads.shutdown(wait=False)
        del done  # which holds the exception, whose frames would hold it: all would live on


def _come(seen: SimpleQueue[Item | None], done: Future[Value], pace: float) -> Iterator[Item]:
    """The items of a queue until there is None, which comes last."""
    while True:
        come, began = [seen.get()], time.monotonic()
        while pace and not seen.empty():
            come.append(seen.get())
        yield from [item for item in come if item is not None][-1:]
        if come[-1] is None:
            return
        wait([done], max(0.0, began + pace - time.monotonic()))

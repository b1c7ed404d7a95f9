"""Finished runs, found again by what was asked for: an address that was made is not made twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, TypeVar

from session.link import link_of
from session.state import GridState

T = TypeVar("T")


def is_whole(state: GridState) -> bool:
    """Whether a run gives all that its address asks for: made here, scored, no image missing."""
    here = bool(state.request.model) and not state.opened
    return here and bool(state.report) and not state.missing


class Recent(Generic[T]):
    """The results used last, in memory, by the address that asks for them.

    An address says all that its images are made from, so a result is the same whoever asked for it.
    """

    def __init__(self, files: Callable[[T], Iterable[str | None]], most: int = 64) -> None:
        """Keep some.

        Args:
            files: the images of a result.
            most: how many are kept.
        """
        self._files, self._most = files, most
        self._results: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def save(self, address: str, result: T) -> None:
        """Keep a result; beyond the most, that which was used least recently goes."""
        with self._lock:
            self._results[address] = result
            self._results.move_to_end(address)
            while len(self._results) > self._most:
                self._results.popitem(last=False)

    def find(self, address: str) -> T | None:
        """The result of an address; None where it is not kept, or its images were swept."""
        with self._lock:
            result = self._results.get(address)
            if result is not None:
                self._results.move_to_end(address)
        return result if result is not None and _all_there(self._files(result)) else None


class RecentRuns:
    """The runs used last; what never changes, such as worked examples, stays."""

    def __init__(self, always: Iterable[GridState] = (), most: int = 64) -> None:
        """Keep some.

        Args:
            always: runs that stay.
            most: how many others are kept.
        """
        self._always = {link_of(state).run: state for state in always}
        self._recent = Recent[GridState](lambda state: state.images.files, most)

    def save(self, state: GridState) -> None:
        """Keep a finished run; beyond the most, that which was used least recently goes."""
        self._recent.save(link_of(state).run, state)

    def find(self, run: str) -> GridState | None:
        """The run of an address; None where it is not kept, or its images were swept."""
        always = self._always.get(run)
        here = always if always and _all_there(always.images.files) else None
        return self._recent.find(run) or here


def _all_there(files: Iterable[str | None]) -> bool:
    return all(Path(file).is_file() for file in files if file)

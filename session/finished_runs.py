"""Finished runs, found again by what was asked for: an address that was made is not made twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from session.link import link_of
from session.state import GridState


class FinishedRuns(Protocol):
    """Where finished runs are kept."""

    def save(self, state: GridState) -> None:
        """Keep a finished run; one with the same address gives way."""

    def find(self, run: str) -> GridState | None:
        """The run of an address; None where it is not kept, or its images are gone."""


def is_whole(state: GridState) -> bool:
    """Whether a run gives all that its address asks for: made here, scored, no image missing."""
    here = bool(state.request.model) and not state.opened
    return here and bool(state.report) and not state.missing


class RecentRuns:
    """The runs used last, in memory; what never changes, such as worked examples, stays.

    An address says all that its images are made from, so a run is the same whoever asked for it.
    """

    def __init__(self, always: Iterable[GridState] = (), most: int = 64) -> None:
        """Keep some.

        Args:
            always: runs that stay.
            most: how many others are kept.
        """
        self._always = {link_of(state).run: state for state in always}
        self._runs: OrderedDict[str, GridState] = OrderedDict()
        self._most, self._lock = most, threading.Lock()

    def save(self, state: GridState) -> None:
        """Keep a finished run; beyond the most, that which was used least recently goes."""
        with self._lock:
            self._runs[link_of(state).run] = state
            self._runs.move_to_end(link_of(state).run)
            while len(self._runs) > self._most:
                self._runs.popitem(last=False)

    def find(self, run: str) -> GridState | None:
        """The run of an address; None where it is not kept, or its images were swept."""
        with self._lock:
            state = self._runs.get(run) or self._always.get(run)
            if state and run in self._runs:
                self._runs.move_to_end(run)
        files = filter(None, state.images.files) if state else ()
        return state if all(Path(file).is_file() for file in files) else None

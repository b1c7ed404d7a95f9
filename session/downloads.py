"""Downloads during a job, shown in its state."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import TypeVar

import hub
from session.pair_state import PairState
from session.state import GridState

State = TypeVar("State", GridState, PairState)
Value = TypeVar("Value")


def with_downloads(state: State, work: Callable[[], Value]) -> Generator[State, None, Value]:
    """Do a piece of work; while a model of it is downloaded, the state says how far that is.

    Returns:
        What the work returns.
    """
    progress = hub.downloading(work)
    while True:
        try:
            download = next(progress)
        except StopIteration as finished:
            value: Value = finished.value
            return value
        yield replace(state, download=download)

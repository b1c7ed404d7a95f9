"""A log that says a thing once a minute, with how often it would have been said."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

PERIOD = 60.0
"""Seconds for which a thing is said once."""


@dataclass
class _Said:
    at: float
    more: int = 0
    """How often it would have been said since."""


class Briefly(logging.Filter):
    """Lets one record of a kind through in a minute; the next one tells how many were left out.

    Records are of a kind that come from the same line of code and, where they have an exception,
    have one of the same type, raised at the same line.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.clock = clock
        self._said: dict[tuple[Any, ...], _Said] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to say it; its message then has the count of those that were left out."""
        kind, now = _kind(record), self.clock()
        said = self._said.get(kind)
        if said and now - said.at < PERIOD:
            said.more += 1
            return False
        if said and said.more:
            record.msg = f"{record.getMessage()} ({said.more} times more since it was last said)"
            record.args = ()
        self._said[kind] = _Said(now)
        return True


def _kind(record: logging.LogRecord) -> tuple[Any, ...]:
    raised: tuple[Any, ...] = ()
    if record.exc_info and record.exc_info[0]:
        trace = record.exc_info[2]
        while trace and trace.tb_next:
            trace = trace.tb_next
        raised = (record.exc_info[0], trace and (trace.tb_frame.f_code, trace.tb_lineno))
    return record.name, record.levelno, record.pathname, record.lineno, raised


def log_briefly() -> None:
    """Write what libraries and this project log to stderr, each thing once a minute."""
    handler = logging.StreamHandler()
    handler.addFilter(Briefly())
    logging.basicConfig(handlers=[handler], format="%(levelname)s:%(name)s:%(message)s")

"""Whether the models of a server answer: asked of them before anybody comes, and after failures."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from request import Request
from session.jobs import warm_up
from session.limits import Runs
from session.run import SERVER, RunEnded

PAUSE = 30.0
"""Seconds between two looks at how runs end."""


def watch(
    runs: Runs, ask: Callable[..., None] = warm_up, sleep: Callable[[float], None] = time.sleep
) -> None:
    """Load the embedded models, then ask them again whenever a run has failed.

    A run of the server's own decides, so that no visitor's does. It goes on until the server stops.
    """
    failed = 0
    while not runs.stopping:
        if runs.health != "ok" or runs.ended["failed"] != failed:
            runs.health = _health(runs, ask)
            failed = runs.ended["failed"]
        sleep(PAUSE)


def _health(runs: Runs, ask: Callable[..., None]) -> str:
    try:
        with runs.admit(SERVER, SERVER) as run:
            ask(Request.bundle, run.turn)
    except RunEnded:  # the server stops
        return runs.health
    except Exception:  # whatever it is, visitors would get it, too
        logging.exception("the models do not answer")
        return "failing"
    return "ok"

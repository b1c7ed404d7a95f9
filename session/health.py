"""Whether the models of a server answer: asked of them before anybody comes, and after failures."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from request import Request
from session.jobs import generate_and_score
from session.limits import Runs
from session.run import SERVER, RunEnded, Turn
from session.state import GridState
from session.storage import ReportFolder

PAUSE = 30.0
"""Seconds between two looks at how runs end."""


def warm_up(model: str, bundle: str, turn: Turn) -> None:
    """Run the whole job once with one image, so that every model is loaded."""
    request = Request("a red apple", rows=1, columns=1, seed=0, model=model, bundle=bundle)
    with TemporaryDirectory() as folder:
        for _ in generate_and_score(GridState(request), ReportFolder(Path(folder)), turn):
            pass


def watch(
    runs: Runs, ask: Callable[[Turn], None], sleep: Callable[[float], None] = time.sleep
) -> None:
    """Ask the models before anybody comes, where `runs` are not healthy yet, and after failures.

    A run of the server's own decides, so that no visitor's does. It goes on until the server stops.
    """
    failed = 0
    while not runs.stopping:
        if runs.health != "ok" or runs.ended["failed"] != failed:
            runs.health = _health(runs, ask)
            failed = runs.ended["failed"]
        sleep(PAUSE)


def _health(runs: Runs, ask: Callable[[Turn], None]) -> str:
    try:
        with runs.admit(SERVER, SERVER) as run:
            ask(run.turn)
    except RunEnded:
        return runs.health if runs.stopping else "failing"  # no image within the time of a run
    except Exception:  # whatever it is, visitors would get it, too
        logging.exception("the models do not answer")
        return "failing"
    return "ok"

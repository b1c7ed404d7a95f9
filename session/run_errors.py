"""Why a run may not go on; each message is for its visitor.

RunEnded             a run may not go on; the message is for its visitor
├── BusyError        it is not admitted: there are too many
├── SilentError      nobody listens to it
├── TimeUpError      it has had all the time that one may have
└── StoppingError    the server stops
"""

from __future__ import annotations


class RunEnded(Exception):
    """A run may not go on; the message is for its visitor."""

    outcome = "stopped"
    """What the log says of a run that ended so."""


class BusyError(RunEnded):
    """A run is not admitted: there are too many."""

    outcome = "refused"


class SilentError(RunEnded):
    """Nobody listens to a run."""

    outcome = "nobody listened"


class TimeUpError(RunEnded):
    """A run has had all the time that one may have."""

    outcome = "time was up"


class StoppingError(RunEnded):
    """The server stops."""

    outcome = "server stopped"

    def __init__(self) -> None:
        super().__init__("the server is stopping; what was done stays here, so ask again soon")

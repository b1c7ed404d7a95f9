"""A run: one visitor's use of the models of a server, its turns, its time and what ends it.

A job holds the models for a step at a time, and lets go of them between steps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from secrets import token_hex
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from session.limits import Runs

Step = TypeVar("Step")

SERVER = f"server {token_hex(16)}"
"""The session of runs that the server starts for itself, which no visitor can guess."""
STOPPING = "the server is stopping; what was done stays here, so ask again soon"


RUN: ContextVar[Run | None] = ContextVar("RUN", default=None)
"""The run that this thread works for; None where it works for none."""


@contextmanager
def reading() -> Iterator[Callable[[], None]]:
    """Have the reading of files alone, as the run that this thread works for.

    Yields:
        What says whether it may go on, by the errors of `Run.check`.
    """
    run = RUN.get()
    if run is None:
        yield lambda: None
        return
    with run.reading():
        yield run.check


class Run:
    """One visitor's use of the models."""

    def __init__(
        self, runs: Runs, number: int, session: str, address: str, event: str = ""
    ) -> None:
        self.number, self.session, self.address, self.event = number, session, address, event
        self.cancelled = False
        self.worked = 0.0
        """Seconds for which it has had the models, or files were read for it."""
        self.waited = 0.0
        """Seconds for which it has waited for them."""
        self.since = self.heard = runs.clock()
        """When its present turn or wait began, and when somebody last listened."""
        self.outcome = "stopped"
        """How it ended; "stopped" by its visitor unless something else is said."""
        self.facts: dict[str, Any] = {}
        """What is told of it beside its seconds."""
        self._runs, self._start = runs, self.since
        self._holds = False

    def turn(self) -> AbstractContextManager[None]:
        """Have the models alone for a while; `RunEnded` is raised where it may not go on."""
        return self._runs.turn(self, self._runs.models)

    def reading(self) -> AbstractContextManager[None]:
        """The same of the reading of files, beside whoever has the models."""
        return self._runs.turn(self, self._runs.reader)

    @property
    def turns(self) -> Turn:
        """What a job takes its turns by."""
        return self.turn if self._runs.limits.by_turns else nullcontext

    def checked(self, steps: Iterator[Step]) -> Generator[Step]:
        """The same steps, as long as the run may go on; then they are closed."""
        try:
            for step in steps:
                self.check()
                yield step
        finally:
            if isinstance(steps, Generator):
                steps.close()

    @property
    def is_heard(self) -> bool:
        """Whether somebody listens; the server hears its own."""
        return self.session == SERVER or self._runs.listening(self.session)

    def check(self) -> None:
        """Raise `RunEnded` with what keeps it from going on, where something does."""
        runs, now = self._runs, self._runs.clock()
        if self.is_heard:
            self.heard = now
        if runs.stopping:
            raise RunEnded(STOPPING, "server stopped")
        if self.cancelled or self not in runs.admitted:
            raise RunEnded("this run was stopped")
        if now - self.heard > runs.limits.silence:
            raise RunEnded("nobody listens to this run any more", "nobody listened")
        if self.worked + (now - self.since if self._holds else 0.0) > runs.limits.seconds_per_run:
            raise RunEnded(
                f"this run has had the models for {runs.limits.seconds_per_run:.0f} s, which is "
                "all that one may have; ask for fewer images or for a smaller model",
                "time was up",
            )

    def summary(self) -> dict[str, Any]:
        """What is told of it when it ends."""
        return {
            "run": self.number,
            "outcome": self.outcome,
            "seconds": round(self._runs.clock() - self._start, 3),
            "queue_seconds": round(self.waited, 3),
            "model_seconds": round(self.worked, 3),
            **self.facts,
        }

    def wait(self) -> None:
        """It begins to wait for its turn."""
        self.since = self._runs.clock()

    def end_wait(self) -> None:
        """It waits no longer, whether its turn has come or it may not go on."""
        now = self._runs.clock()
        self.waited += now - self.since
        self.since = now

    def begin_turn(self) -> None:
        self._holds = True

    def end_turn(self) -> None:
        now = self._runs.clock()
        self.worked += now - self.since
        self.since, self._holds = now, False


Turn: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Makes what holds the models while it is open."""


class RunEnded(Exception):
    """A run may not go on: what its visitor is told, and the outcome that the log has."""

    def __init__(self, said: str, outcome: str = "stopped") -> None:
        super().__init__(said)
        self.outcome = outcome

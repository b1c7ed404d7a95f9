"""Limits of a server, and the turns that its runs take within them.

An address may have no more runs than there are places left for others. Runs take turns, a batch of
images or a step of scoring at a time: whose address has lately had the models least, in whole
seconds, goes next, of equals who came first, so that small runs end one after the other; who has
waited for more than `patience` seconds goes before them. Files are read by such turns of their own.
A run that nobody listens to waits; soon it ends, as does one that is over its time or whose server
stops.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from statistics import fmean
from typing import Any

from session.errors import USER_ERRORS
from session.run import RUN, SERVER, STOPPING, Run, RunEnded

POLL = 0.25
"""Seconds after which a waiting run looks again whether it should go on."""
HALF_LIFE = 30.0
"""Seconds after which half of what an address has had is forgotten."""
BETWEEN = 0.05
"""Seconds for which the models are kept for the next step of a run whose turn it still is."""


@dataclass(frozen=True)
class Limits:
    """What a server does at once, and for how long."""

    runs: int = 24
    """Runs of all visitors, waiting or at work."""
    runs_per_session: int = 3
    """Runs of one open page."""
    runs_per_address: int = 6
    """And no more than there are places left, so that few addresses never have all of them."""
    seconds_per_run: float = 900.0
    """Time that one run may have the models."""
    patience: float = 20.0
    """Seconds after which a waiting run goes before those that have had the models for less."""
    silence: float = 10.0
    """Seconds that a run waits while nobody listens."""
    by_turns: bool = True
    """Whether runs share one machine's models; False where each has a machine of its own."""


class Resource:
    """What one run has at a time: the models, or the reading of files."""

    def __init__(self) -> None:
        self.waiting: list[Run] = []
        self.holder: Run | None = None
        self.latest: Run | None = None
        """Who had it last, and has not ended."""
        self.kept_until = 0.0
        """When it is no longer kept for that run."""


class Shares:
    """How long each address has lately had the models, in seconds, half of it long forgotten."""

    def __init__(self) -> None:
        self._had: dict[str, tuple[float, float]] = {}

    def add(self, address: str, seconds: float, now: float) -> None:
        """Somebody has had the models for so long."""
        total = self.of(address, now) + seconds
        self._had = {who: had for who, had in self._had.items() if self.of(who, now) > 0.001}
        self._had[address] = total, now

    def of(self, address: str, now: float) -> float:
        """What is remembered of an address."""
        seconds, then = self._had.get(address, (0.0, now))
        return seconds * float(0.5 ** ((now - then) / HALF_LIFE))


class Runs:
    """The runs of a server, and who has the models."""

    def __init__(
        self,
        limits: Limits | None = None,
        listening: Callable[[str], bool] = lambda session: True,
        clock: Callable[[], float] = time.monotonic,
        report: Callable[[Mapping[str, Any]], None] = lambda summary: None,
    ) -> None:
        """No run yet.

        Args:
            listening: whether anybody reads what a session is told.
            report: what is told of a run that ended.
        """
        self.limits, self.listening, self.clock = limits or Limits(), listening, clock
        self.report = report
        self.admitted: list[Run] = []
        self.ended: Counter[str] = Counter()
        """Outcome -> runs that ended so."""
        self.stopping = False
        self.health = "ok"
        """Whether the models answer: "starting" before they have, "failing" when they do not."""
        self._turns: deque[float] = deque(maxlen=50)
        """Seconds of the latest turns."""
        self.models, self.reader = Resource(), Resource()
        self.shares = Shares()
        self._changed = threading.Condition()
        self._numbers = count(1)

    @contextmanager
    def admit(self, session: str, address: str, event: str = "") -> Iterator[Run]:
        """A run, from its start to its end.

        Args:
            event: which started it, to be cancelled by; "" of none, such as the server's own.

        Raises:
            RunEnded: there are too many already, or the server stops.
        """
        with self._changed:
            self.require_room(session, address)
            run = Run(self, next(self._numbers), session, address, event)
            self.admitted.append(run)
        RUN.set(run)
        try:
            yield run
            run.outcome = "done"
        except RunEnded as error:
            run.outcome = error.outcome
            raise
        except Exception as error:
            run.outcome = "mistake" if isinstance(error, USER_ERRORS) else "failed"
            raise
        finally:
            RUN.set(None)
            self._end(run)

    def _end(self, run: Run) -> None:
        with self._changed:
            self.admitted.remove(run)
            for place in (self.models, self.reader):
                place.latest = None if place.latest is run else place.latest
            self._changed.notify_all()
            self.ended[run.outcome] += 1
        self.report(run.summary())

    def require_room(self, session: str, address: str) -> None:
        """Raise `RunEnded` where something keeps one more run from being admitted."""
        if self.stopping:
            raise RunEnded(STOPPING, "server stopped")
        if session == SERVER:
            return
        limits, runs = self.limits, [run for run in self.admitted if run.session != SERVER]
        theirs = sum(run.session == session for run in runs) if session else 0
        near = sum(run.address == address for run in runs)
        if theirs >= limits.runs_per_session:
            said = f"{theirs} of your runs are under way; stop one or wait for its end"
        elif near >= limits.runs_per_address:
            said = f"{near} runs from your address are under way; wait for one to end"
        elif near >= limits.runs - len(runs):
            said = f"{len(runs)} runs are under way here; try again in a few minutes"
        else:
            return
        raise RunEnded(said, "refused")

    @contextmanager
    def turn(self, run: Run, place: Resource) -> Iterator[None]:
        """Have a place alone for a while, once it is the run's turn, or raise `RunEnded`."""
        self._begin(run, place)
        try:
            yield
        finally:
            with self._changed:
                before = run.worked
                run.end_turn()
                self.shares.add(run.address, run.worked - before, self.clock())
                if place is self.models and run.session != SERVER:
                    self._turns.append(run.worked - before)
                place.holder, place.latest = None, run
                place.kept_until = self.clock() + BETWEEN
                self._changed.notify_all()

    def _begin(self, run: Run, place: Resource) -> None:
        with self._changed:
            run.wait()
            place.waiting.append(run)
            try:
                run.check()
                while place.holder or self.first_waiting(place) is not run or not run.is_heard:
                    kept = place.kept_until - self.clock()
                    self._changed.wait(kept if 0 < kept < POLL else POLL)
                    run.check()
                place.holder = run
            finally:
                place.waiting.remove(run)
                run.end_wait()
                self._changed.notify_all()
            run.begin_turn()

    def first_waiting(self, place: Resource) -> Run:
        """The run whose turn it is: out of patience, or of whom has had the least.

        It may be the one that had the latest turn, whose next step is about to come.
        """
        now = self.clock()
        kept = [place.latest] if place.latest and now < place.kept_until else []

        def before(run: Run) -> tuple[float, ...]:
            if not run.is_heard:
                return 2, run.number
            if run in place.waiting and run.since <= now - self.limits.patience:
                return 0, run.since
            return 1, int(self.shares.of(run.address, now)), int(run.worked), run.number

        return min((*place.waiting, *kept), key=before)

    def cancel(self, events: Collection[str]) -> None:
        """Let the runs of these events go no further, those that wait for their turn included.

        A run that no event started cannot be cancelled so.
        """
        with self._changed:
            for run in self.admitted:
                run.cancelled = run.cancelled or bool(run.event and run.event in events)
            self._changed.notify_all()

    def ahead(self, session: str) -> tuple[int, float]:
        """Other visitors' runs under way, and about how many seconds a new run waits.

        It goes after the turn that is under way, and after the runs that are out of patience or
        of addresses that have had none either. Where each run has a machine of its own, nobody
        waits.
        """
        if not self.limits.by_turns:
            return 0, 0.0
        with self._changed:
            others = sum(run.session not in (SERVER, session) for run in self.admitted)
            now = self.clock()
            waiting = (run for run in self.models.waiting if run.session != session)
            before = sum(
                run.since <= now - self.limits.patience or self.shares.of(run.address, now) < 1
                for run in waiting
            )
            turns = before + (self.models.holder is not None)
            return others, turns * fmean(self._turns) if self._turns else 0.0

    def somebody_listens(self) -> None:
        """Look again whose turn it is: a run that waited to be listened to may have it."""
        with self._changed:
            self._changed.notify_all()

    def stop(self) -> None:
        """Let no run go on, and admit none."""
        self.stopping = True
        with self._changed:
            self._changed.notify_all()

"""A run on the page: what starts and stops it, its status line, and what is said when it fails.

The job goes on in a thread of its own, so that models never wait for the page; states that come
faster than they can be drawn are left out, but for the last.

Gradio cancels in the background, and tells the page of a cancelled job that it has ended without a
result. Where that message comes after what follows, the page takes it for an error: so what takes
the place of a job comes after its last message.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from contextvars import copy_context
from dataclasses import dataclass, field
from errno import EDQUOT, ENOSPC
from typing import Any, NamedTuple, TypeVar

import gradio as gr
from anyio.to_thread import run_sync
from gradio.context import LocalContext

from hub.streaming import streamed
from session.errors import MISSING_CHECKPOINTS, SERVICE_ERRORS, USER_ERRORS
from session.limits import Runs
from session.run import RunEnded
from session.storage import ContentStore
from ui.admission import admitted, event, session
from ui.components import AT_ONCE, QUIET, RUN, Changes, enabled, page_store
from ui.render import status

PACE = 0.5
"""Seconds between two drawings, each of which takes the processor from the models."""

State = TypeVar("State")


def newest(states: Generator[State], pace: float = PACE) -> Iterator[State]:
    """The newest of the states, at most every `pace` seconds, and the last without delay.

    Args:
        states: of the job, which goes on in another thread, in the context of this one.

    Raises:
        Exception: what the job raises, after its newest state. Once this iterator is closed, which
            takes no time, so is the job, after the step that it is at.
    """
    own = copy_context()

    def work(emit: Callable[[State], None]) -> None:
        with closing(states):
            for state in states:
                emit(state)

    def in_context(emit: Callable[[State], None]) -> None:
        own.run(work, emit)

    yield from streamed(in_context, "job", pace=pace)


NOT_HERE = "a model that you chose is missing on the server, whose log says which; choose another"
BROKEN = (
    "something failed on the server, whose log says what; the results so far are kept, and you "
    "can try again"
)
FULL_DISK = (
    "the server's disk is full, so this could not be stored; the results so far are kept, "
    "and you can try again once its owner has made room"
)


def user_message(error: Exception) -> str:
    """The message of an error as a visitor may read it.

    >>> from generation import InvalidRequestError
    >>> user_message(InvalidRequestError("the prompt is empty"))
    'the prompt is empty'
    """
    if isinstance(error, MISSING_CHECKPOINTS):
        logging.error("a checkpoint is missing: %s", error)
        return NOT_HERE
    if isinstance(error, (*USER_ERRORS, *SERVICE_ERRORS, RunEnded)):
        return str(error)
    if isinstance(error, OSError) and error.errno in {ENOSPC, EDQUOT}:
        logging.error("the disk is full: %s", error)
        return FULL_DISK
    logging.error("a job on a grid failed", exc_info=error)
    return BROKEN


BEGUN = '() => [false, true].map(interactive => ({ __type__: "update", interactive }))'
"""What the browser makes of the start and the stop button at once: a run that was asked for can be
stopped, and no other begins."""
REFUSED = f"() => window.refused({json.dumps(status.mistake('{}'))})"
"""What the browser does where a run was refused before it began, see `assets/refused.js`."""


def under_way(event: Callable[..., Any], line: gr.HTML, text: str) -> None:
    """Have the browser say in a status line what an event has begun, before the server knows."""
    event(None, None, [line], js=f"() => {json.dumps(status.begun(text))}", **QUIET)


class Job(NamedTuple):
    """Work that asks models and takes time."""

    event: Callable[..., Any]
    """What starts it, e.g. `button.click`."""
    handler: Callable[..., Iterator[Changes]]
    inputs: Sequence[Any]
    also: Sequence[Any] = ()
    """What it changes beside the parts of its grid."""


@dataclass(frozen=True)
class RunControls:
    """The three components, and the runs that take turns."""

    start: gr.Button
    stop: gr.Button
    status: gr.HTML
    runs: Runs
    """Of the server."""
    started: list[Any] = field(default_factory=list)
    """The events of the runs that were wired, for other events to cancel."""

    @property
    def parts(self) -> list[Any]:
        return [self.start, self.stop, self.status]

    def wire(
        self,
        event: Callable[..., Any],
        handler: Callable[..., Any],
        inputs: Sequence[Any],
        outputs: Sequence[Any],
    ) -> Any:
        """Have an event start a run: it is acknowledged at once, then waits for its turn.

        Returns:
            The event of the run.
        """
        event(None, None, [self.start, self.stop], js=BEGUN, **QUIET)
        event(self.waiting, None, [self.status], **AT_ONCE)
        run = event(handler, inputs, outputs, **RUN)
        run.failure(None, None, self.parts, js=REFUSED, **QUIET)
        self.started.append(run)
        return run

    def instead(
        self,
        event: Callable[..., Any],
        handler: Callable[..., Any],
        inputs: Sequence[Any] | None,
        outputs: Sequence[Any],
    ) -> None:
        """Cancel what was started on an event, then call a handler once its output has arrived."""
        cancelled = event(None, cancels=self.started, **AT_ONCE)
        cancelled.then(self.after(handler), inputs, outputs, **QUIET)

    def after(self, handler: Callable[..., Any]) -> Callable[..., Any]:
        """A handler that first lets the runs that were started on its page end."""
        numbers = {run["id"] for run in self.started}

        async def following(*inputs: Any) -> Any:
            blocks, request = LocalContext.blocks.get(None), LocalContext.request.get(None)
            if blocks is not None and request is not None:
                await _let_end(blocks._queue, request.session_hash, numbers, self.runs)
            return await run_sync(handler, *inputs)

        return following

    def run(
        self,
        job: Callable[..., Iterator[State]],
        draw: Callable[[State], Changes],
        line: Callable[[State, float], str],
        done: Callable[[State, float], str],
        facts: Callable[[State], Mapping[str, Any]],
    ) -> Iterator[Changes]:
        """Run a job; a mistake or a failure leaves what is on show alone.

        Args:
            job: starts it, with the store of its images and the `turn`s that it takes.
            draw: what changes with a state.
            line: the status line of a state, after so many seconds.
            done: what was done, in words, from the last state and the seconds that it took.
            facts: what the log is told of a state.
        """
        start, started_by = time.perf_counter(), event()
        store = page_store()
        try:
            for state in newest(self._admitted(job, store, facts)):
                yield self.running(line(state, time.perf_counter() - start)) | draw(state)
            end = status.done(done(state, time.perf_counter() - start))
        except GeneratorExit:
            self.runs.cancel({started_by})  # it waits for no turn any more
            raise
        except Exception as error:
            end = status.mistake(user_message(error))
        finally:
            store.drop_previews()
        yield self.ready(end)

    def _admitted(
        self,
        job: Callable[..., Iterator[State]],
        store: ContentStore,
        facts: Callable[[State], Mapping[str, Any]],
    ) -> Generator[State]:
        """The states of a job, which counts as a run until the last of its steps is over."""
        with admitted(self.runs) as run:
            try:
                for state in run.checked(job(store, turn=run.turns)):
                    run.facts |= facts(state)
                    yield state
            finally:
                if run.cancelled:
                    store.drop_previews()  # of the step that nobody draws any more

    def waiting(self) -> Changes:
        """A run was asked for; the status line says who is before it."""
        return {self.status: status.begun(status.waiting(*self.runs.ahead(session())))}

    def running(self, line: str) -> Changes:
        """The run has begun; the status line says how far it is."""
        return {self.stop: enabled(True), self.status: line}

    def ready(self, line: str) -> Changes:
        """No run is under way any more; the status line says how it ended."""
        return {self.start: enabled(True), self.stop: enabled(False), self.status: line}


PATIENCE = 10.0
"""Seconds for which what follows waits for a job that does not end."""
POLL = 0.02


async def _let_end(queue: Any, session: str, numbers: set[int], runs: Runs) -> None:
    """Wait until the last message of every job of a session is sent."""
    events = {
        name
        for name, event in [*queue.event_ids_to_events.items()]
        if event.session_hash == session and event.fn._id in numbers
    }
    runs.cancel(events)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and any(
        name in queue.pending_event_ids_session.get(session, ()) for name in events
    ):
        await asyncio.sleep(POLL)  # no thread of the server waits

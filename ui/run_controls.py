"""What shows whether a run is under way: the buttons that start and stop it, the status line."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from session.limits import Runs
from ui.admission import session
from ui.components import AT_ONCE, QUIET, RUN, Changes, enabled
from ui.render import status

REFUSED = f"() => window.refused({json.dumps(status.mistake('{}'))})"
"""What the browser does where a run was refused before it began, see `assets/refused.js`."""


@dataclass(frozen=True)
class RunControls:
    """The three components, and the runs that take turns."""

    start: gr.Button
    stop: gr.Button
    status: gr.HTML
    runs: Runs
    """Of the server."""

    @property
    def parts(self) -> list[Any]:
        """The components."""
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
            The event of the run, for others to cancel.
        """
        event(self.waiting, None, self.parts, **AT_ONCE)
        run = event(handler, inputs, outputs, **RUN)
        run.failure(None, None, self.parts, js=REFUSED, **QUIET)
        return run

    def waiting(self) -> Changes:
        """A run was asked for: it can be stopped, and not asked for twice."""
        line = status.begun(status.waiting(*self.runs.ahead(session())))
        return {self.start: enabled(False), self.stop: enabled(True), self.status: line}

    def running(self, line: str) -> Changes:
        """The run has begun; the status line says how far it is."""
        return {self.stop: enabled(True), self.status: line}

    def ready(self, line: str) -> Changes:
        """No run is under way any more; the status line says how it ended."""
        return {self.start: enabled(True), self.stop: enabled(False), self.status: line}

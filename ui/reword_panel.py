"""The panel that scores the images of a compared grid against another prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gradio as gr

from session.comparison import ComparisonState, reword
from session.limits import Runs
from ui.admission import facts
from ui.components import Changes, html, prompt_row
from ui.render import status
from ui.render.compared_grid import rewording
from ui.run_controls import RunControls, instead

Place = tuple[int, int]
"""Prompt and system of a grid of the comparison."""


class RewordPanel:
    """The components of the panel, out of sight at first, and the handlers of their events."""

    def __init__(self, runs: Runs) -> None:
        """Build the panel."""
        with gr.Column(visible=False, elem_classes="reword") as self.whole:
            html("reword-lead", "<h2>The same images under another prompt</h2>")
            self.prompt, ask, stop = prompt_row(
                "The other prompt", "change a word", "Ask again", "other-prompt"
            )
            self.controls = RunControls(ask, stop, html("status"), runs)
            self.found = html("rewording")
        self.place = gr.State(None)  # where the grid is, a `Place`; None without one

    @property
    def drawn(self) -> list[Any]:
        """The components that change when another grid is opened."""
        return [self.whole, self.prompt, self.controls.status, self.found, self.place]

    def wire(self, comparison: gr.State) -> None:
        """Connect the events.

        Args:
            comparison: the `ComparisonState` on show.
        """
        controls = self.controls
        asked, changed = [comparison, self.place, self.prompt], [*controls.parts, self.found]
        jobs = [
            controls.wire(event, self.on_ask, asked, changed)
            for event in (controls.start.click, self.prompt.submit)
        ]
        instead(controls.stop.click, jobs, self.on_stop, None, controls.parts, controls.runs)

    def on_ask(
        self, comparison: ComparisonState | None, place: Place | None, prompt: str
    ) -> Iterator[Changes]:
        """Score the images against the prompt; only questions that are new are asked."""
        grid = comparison.grids.get(place) if comparison and place else None
        if grid is None or grid.report is None:
            yield self.controls.ready("")
            return
        report = grid.report
        yield from self.controls.run(
            lambda _, turn: reword(grid, report, prompt, turn),
            lambda after: {self.found: rewording(grid, after)},
            status.job,
            lambda _, seconds: f"done in {seconds:.1f} s",
            facts,
        )

    def opened(self, comparison: ComparisonState | None, place: Place) -> Changes:
        """The panel of a grid, with its prompt to be edited."""
        grid = comparison.finished.get(place) if comparison else None
        return {
            self.whole: gr.update(visible=grid is not None),
            self.prompt: grid.prompt if grid else "",
            self.controls.status: "",
            self.found: "",
            self.place: place if grid else None,
        }

    def closed(self) -> Changes:
        """No grid is open."""
        return {self.whole: gr.update(visible=False), self.place: None, self.found: ""}

    def on_stop(self) -> Changes:
        """After the job was cancelled."""
        return self.controls.ready(status.note("stopped; ask again to score these images"))

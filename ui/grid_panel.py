"""The grid panel: images, the reasons of the selected one, and the set metrics below them.

Every tab that shows images has one; the tab decides which jobs fill it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import gradio as gr

import alignment
from session.jobs import check_contrast
from session.state import GridState
from session.storage import load_images
from session.viewer_utility import ViewingSettings
from ui import metrics_panel
from ui.components import (
    ASSETS,
    AT_ONCE,
    ONE_AT_A_TIME,
    QUIET,
    Changes,
    enabled,
    html,
    instead,
    segments,
)
from ui.messages import user_message
from ui.metrics_panel import MetricsPanel
from ui.render import status
from ui.render.contrast_check import contrast
from ui.render.evidence import evidence, questions
from ui.render.gallery import gallery
from ui.render.words import ARRANGEMENTS, counted

NO_TARGETS = "these pictures were scored without targets; add target pictures, and score again"


class Job(NamedTuple):
    """Work that asks models and takes time."""

    event: Callable[..., Any]
    """What starts it, e.g. `button.click`."""
    handler: Callable[..., Iterator[Changes]]
    inputs: Sequence[Any]


@dataclass(frozen=True)
class GridPanel:
    """The components of the panel, and the handlers of their events."""

    ranked_by: gr.Radio
    stop: gr.Button
    warning: gr.HTML
    status: gr.HTML
    arrangement: gr.Radio
    grid: gr.HTML
    reasons: gr.HTML
    again: gr.Button
    contradict: gr.Button
    contradictions: gr.HTML
    metrics: MetricsPanel
    state: gr.State
    """The `GridState` on show."""
    selected: gr.State
    """The cell whose reasons are shown."""

    @property
    def view(self) -> list[Any]:
        """The controls that become `ViewingSettings`."""
        return [self.arrangement, *self.metrics.settings]

    @property
    def shown(self) -> list[Any]:
        """The grid on show and how it is viewed: inputs of most handlers."""
        return [self.state, self.selected, *self.view]

    @property
    def drawn(self) -> list[Any]:
        """The components that change with the grid on show."""
        parts = [self.grid, self.reasons, self.again, self.contradict, self.contradictions]
        return [self.state, self.selected, self.status, *parts, *self.metrics.drawn]

    def wire(self, jobs: Sequence[Job]) -> list[Any]:
        """Connect the events; only jobs queue, everything else answers at once.

        Returns:
            The events of the jobs, for other events to cancel.
        """
        changed = [self.stop, self.warning]
        started = [
            job.event(job.handler, job.inputs, [*changed, *self.drawn], **ONE_AT_A_TIME)
            for job in (*jobs, Job(self.contradict.click, self.check_contrast, self.shown))
        ]
        for each in started:  # the visitor may have chosen another ranking meanwhile
            each.then(self.rank, [self.ranked_by, *self.shown], self.drawn, **QUIET)
        instead(self.stop.click, started, self.stopped, self.shown, [*changed, *self.drawn])
        self._on_choice()
        self.ranked_by.input(self.rank, [self.ranked_by, *self.shown], self.drawn, **AT_ONCE)
        # One event for all controls, so that the last answer is that to the last change.
        changes = [control.input for control in self.view]
        gr.on(changes, self.draw, self.shown, self.drawn, **AT_ONCE)
        return started

    def _on_choice(self) -> None:
        def chosen(state: Any, event: gr.SelectData) -> Any:
            return self.open(state, int(event.index))

        opens = [self.selected, self.reasons, self.again]
        self.grid.select(chosen, [self.state], opens, **AT_ONCE)

    def run(
        self,
        states: Callable[[], Iterator[GridState]],
        grow: Callable[[GridState], Changes],
        what: Callable[[GridState], str],
    ) -> Iterator[Changes]:
        """Run a job; a mistake or a failure leaves the grid on show alone.

        Args:
            states: starts the job.
            grow: what changes with each state.
            what: was done, in words.
        """
        start, end = time.perf_counter(), status.note("done")
        try:
            for state in states():
                line = status.job(state, time.perf_counter() - start)
                yield {self.stop: enabled(True), self.status: line} | grow(state)
            end = status.note(f"{what(state)} in {time.perf_counter() - start:.1f} s")
        except Exception as error:
            end = status.mistake(user_message(error))
        yield {self.stop: enabled(False), self.status: end}

    def grow(self, state: GridState) -> Changes:
        """What changes as a new grid grows; `rank` draws the rest once the job is over."""
        if not state.images.files:
            return {}
        changes = {self.state: state, self.grid: gallery(state)}
        if state.report:
            changes |= {self.selected: state.worst}
        elif not any(state.images.files) or (state.images.names and not state.scores):
            changes |= self._blank(state)
        if state.truncated_words:
            said = status.about_truncated(state.truncated_words)
            changes[self.warning] = status.warning(said)
        return changes

    def _blank(self, state: GridState) -> Changes:
        """The panel of a grid that has no score yet."""
        return {
            self.selected: None,
            self.reasons: questions(state),
            self.again: self._offer(state, None),
            self.contradict: gr.update(visible=False),
            self.contradictions: "",
            **self.metrics.cleared(),
        }

    def draw(self, state: GridState | None, selected: int | None, *view: Any) -> Changes:
        """Everything anew, under the viewing settings of now."""
        if state is None:
            return {self.state: None}
        return {
            self.state: state,
            self.selected: selected,
            self.reasons: questions(state) if selected is None else evidence(state, selected),
            self.again: self._offer(state, selected),
            self.contradict: gr.update(visible=bool(state.ranked)),
            self.contradictions: contrast(state),
            **self._arranged(state, selected, ViewingSettings(*view)),
        }

    def _arranged(self, state: GridState, selected: int | None, view: ViewingSettings) -> Changes:
        """The grid in its arrangement, and the set metrics."""
        if not state.report or not state.report.saliency:
            grid = gallery(state, state.arranged("generated"), selected)
            return {self.grid: grid, **self.metrics.cleared()}
        changes, shown, steps = self.metrics.draw(state, state.report, view)
        return {self.grid: gallery(state, shown.cells, selected, steps), **changes}

    def rank(
        self, method: str, state: GridState | None, selected: int | None, *view: Any
    ) -> Changes:
        """The same images ranked by another method; no model is asked."""
        if state is None or state.report is None:
            return {self.state: state}
        if method not in state.report.rankings:
            return {self.status: status.mistake(NO_TARGETS)}
        if method != state.ranked_by:
            report = alignment.rerank(state.report, method, load_images(state))
            state = replace(state, rank_by=method).with_report(report)
        return self.draw(state, selected, *view)

    def open(self, state: GridState | None, cell: int) -> Changes:
        """Show the reasons of a cell."""
        if state is None or cell not in range(state.size):
            return {self.selected: None}
        again = {self.again: self._offer(state, cell)}
        return {self.selected: cell, self.reasons: evidence(state, cell), **again}

    def check_contrast(
        self, state: GridState, selected: int | None, *view: Any
    ) -> Iterator[Changes]:
        """Score the best image under contradictions of the prompt, one after the other."""
        if not state.report:
            return
        yield from self.run(
            partial(check_contrast, state, state.report),
            lambda growing: {self.state: growing, self.contradictions: contrast(growing)},
            lambda done: counted(done.stage.total, "contradiction"),
        )

    def stopped(self, state: GridState | None, selected: int | None, *view: Any) -> Changes:
        """After a job was cancelled: what is there stays."""
        note = status.note("stopped; the results so far stay")
        over = {self.stop: enabled(False), self.status: note}
        return {**self.draw(state, selected, *view), **over}

    def _offer(self, state: GridState, selected: int | None) -> Any:
        """The button that regenerates the selected image, where that can be done."""
        possible = selected is not None and bool(state.report) and bool(state.request.model)
        said = f"Make this picture again, with seed {state.next_seed}" if possible else ""
        return gr.update(value=said, visible=possible)


def lay_out(**given: Any) -> GridPanel:
    """Build the panel under what the tab asks with.

    Args:
        given: the components that a tab has already laid out: `ranked_by`, `stop`, `warning`.
    """
    line = html("status")
    with gr.Column(elem_classes="grid-panel"):
        with gr.Row(elem_classes="work"):
            parts = {**_images(), **_reasons()}
        metrics = metrics_panel.lay_out()
    states = {"state": gr.State(None), "selected": gr.State(None)}
    return GridPanel(status=line, metrics=metrics, **given, **parts, **states)


def _images() -> dict[str, Any]:
    with gr.Column(scale=1, min_width=320, elem_classes="pictures"):
        arrangement = segments(
            [(said, name) for name, said in ARRANGEMENTS.items()],
            "reranked",
            label="arrangement",
            show_label=False,
            container=False,
            elem_classes=["segments", "arrangement"],
        )
        script = (ASSETS / "gallery.js").read_text(encoding="utf-8")
        return {"arrangement": arrangement, "grid": html("grid", js_on_load=script)}


def _reasons() -> dict[str, Any]:
    with gr.Column(scale=1, min_width=320, elem_classes="reasons"):
        reasons = html("reasons")
        with gr.Row(elem_classes="next"):
            small = {"size": "sm", "elem_classes": "again", "visible": False}
            again = gr.Button("Make this picture again", **small)
            contradict = gr.Button("Contrast check", **small)
        contradictions = html("contrast")
    return {
        "reasons": reasons,
        "again": again,
        "contradict": contradict,
        "contradictions": contradictions,
    }

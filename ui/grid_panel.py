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
from session.jobs import check_contrast, resume
from session.limits import Runs, Turn
from session.link import link_of
from session.state import GridState
from session.storage import load_images
from session.viewer_utility import ViewingSettings
from ui import metrics_panel, saving
from ui.admission import admitted, facts
from ui.components import (
    ASSETS,
    AT_ONCE,
    QUIET,
    RUN,
    Changes,
    enabled,
    html,
    instead,
    previewing,
    segments,
)
from ui.history_strip import HistoryStrip
from ui.messages import user_message
from ui.metrics_panel import MetricsPanel, viewing_settings
from ui.render import status
from ui.render.contrast_check import contrast
from ui.render.evidence import evidence, questions
from ui.render.gallery import gallery
from ui.render.replaced import replaced
from ui.render.verdict import verdict
from ui.render.words import ARRANGEMENTS, counted, image_name
from ui.saving import Saving

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
    start: gr.Button
    stop: gr.Button
    warning: gr.HTML
    status: gr.HTML
    arrangement: gr.Radio
    verdict: gr.HTML
    grid: gr.HTML
    reasons: gr.HTML
    again: gr.Button
    contradict: gr.Button
    contradictions: gr.HTML
    resume: gr.Button
    score: gr.Button
    undo: gr.Button
    replaced: gr.HTML
    saving: Saving
    metrics: MetricsPanel
    runs: Runs
    """The runs of the server."""
    state: gr.State
    """The `GridState` on show."""
    selected: gr.State
    """The cell whose reasons are shown."""
    link: gr.HTML | None = None
    """The link to what is shown, on a tab that has one."""
    strip: HistoryStrip | None = None
    """Where finished runs are kept, on a tab that has it."""

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
        parts = [self.state, self.selected, self.status, self.verdict, self.grid, self.reasons]
        parts += [self.undo, self.replaced]
        buttons = [self.again, self.contradict, self.resume, self.score]
        links = [self.link] if self.link else []
        parts += [*buttons, self.contradictions, self.saving.button, *links]
        return [*parts, *self.metrics.drawn]

    @property
    def controls(self) -> list[Any]:
        """The components that show whether a job is running."""
        return [self.start, self.stop, self.status]

    def wire(self, jobs: Sequence[Job]) -> list[Any]:
        """Connect the events; only jobs queue, everything else answers at once.

        Returns:
            The events of the jobs, for other events to cancel.
        """
        kept = [self.strip.part] if self.strip else []
        everything = [self.start, self.stop, self.warning, *self.drawn, *kept]
        queued = {**RUN, "show_progress_on": self.status}
        started = []
        own = (
            Job(self.contradict.click, self.check_contrast, self.shown),
            Job(self.resume.click, partial(self.go_on, True), [self.state]),
            Job(self.score.click, partial(self.go_on, False), [self.state]),
        )
        for job in (*jobs, *own):
            job.event(self.waiting, None, self.controls, **AT_ONCE)
            started.append(job.event(job.handler, job.inputs, everything, **queued))
        for each in started:  # the visitor may have chosen another ranking meanwhile
            each.then(self.rank, [self.ranked_by, *self.shown], self.drawn, **QUIET)
        instead(self.stop.click, started, self.stopped, self.shown, everything)
        self._on_choice()
        self.saving.wire(self.shown)
        back = [self.ranked_by, *self.shown]
        instead(self.undo.click, started, self.take_back, back, everything)
        self.ranked_by.input(self.rank, [self.ranked_by, *self.shown], self.drawn, **AT_ONCE)
        # One event for all controls, so that the last answer is that to the last change.
        changes = [control.input for control in self.view]
        gr.on(changes, self.draw, self.shown, self.drawn, **AT_ONCE)
        return started

    def _on_choice(self) -> None:
        def chosen(event: gr.SelectData, state: Any, *view: Any) -> Any:
            return self.open(state, int(event.index), *view)

        opens = [self.selected, self.reasons, self.again, *([self.link] if self.link else [])]
        self.grid.select(chosen, [self.state, *self.view], opens, **AT_ONCE)

    def waiting(self) -> Changes:
        """A job was asked for: it can be stopped, and not asked for twice."""
        line = status.note("waiting for its turn")
        return {self.start: enabled(False), self.stop: enabled(True), self.status: line}

    def ready(self, line: str) -> Changes:
        """No job is running any more; the status line says how it ended."""
        return {self.start: enabled(True), self.stop: enabled(False), self.status: line}

    def run(
        self,
        job: Callable[[Turn], Iterator[GridState]],
        grow: Callable[[GridState], Changes],
        what: Callable[[GridState], str],
        besides: str = "",
    ) -> Iterator[Changes]:
        """Run a job; a mistake or a failure leaves the grid on show alone.

        Args:
            job: starts it, with the turns it takes.
            grow: what changes with each state.
            what: was done, in words.
            besides: what else there is to say in the end.
        """
        start, end = time.perf_counter(), status.note("done")
        try:
            with admitted(self.runs) as run:
                for state in run.checked(job(run.turns)):
                    line = status.job(state, time.perf_counter() - start)
                    kept = self.strip.keep(state) if self.strip else {}
                    yield {self.stop: enabled(True), self.status: line} | kept | grow(state)
                run.facts |= facts(state)
            done = f"{what(state)} in {time.perf_counter() - start:.1f} s"
            end = status.note("; ".join(filter(None, (done, besides))))
        except Exception as error:
            end = status.mistake(user_message(error))
        yield self.ready(end)

    def grow(self, state: GridState) -> Changes:
        """What changes as a new grid grows; `rank` draws the rest once the job is over."""
        if not state.images.files:
            return {}
        changes = {self.state: state, self.grid: gallery(state)}
        if state.report:
            changes |= {self.selected: state.worst}
        elif not any(state.images.files) or (state.images.names and not state.scores):
            changes |= self.blank(state)
        if state.truncated_words:
            said = status.about_truncated(state.truncated_words)
            changes[self.warning] = status.warning(said)
        return changes

    def blank(self, state: GridState) -> Changes:
        """The panel of a grid that has no score yet."""
        return {
            self.selected: None,
            self.verdict: "",
            self.reasons: questions(state),
            self.again: self._offer(state, None),
            self.contradict: gr.update(visible=False),
            **self._offer_rest(None),
            **self._compared(state),
            self.contradictions: "",
            **self.saving.offer(None),
            **self.metrics.cleared(),
            **self._linked(state, None),
        }

    def _linked(self, state: GridState, selected: int | None, *view: Any) -> Changes:
        """The link to what is shown; without a view, to the images alone."""
        if self.link is None:
            return {}
        if not state.request.model or not state.bundle:
            return {self.link: ""}
        looked = viewing_settings(*view) if view else None
        return {self.link: str(link_of(state, selected, looked))}

    def draw(self, state: GridState | None, selected: int | None, *view: Any) -> Changes:
        """Everything anew, under the viewing settings of now."""
        if state is None:
            return {self.state: None}
        return {
            self.state: state,
            self.selected: selected,
            self.verdict: verdict(state),
            self.reasons: questions(state) if selected is None else evidence(state, selected),
            self.again: self._offer(state, selected),
            self.contradict: gr.update(visible=_scorable(state)),
            **self._offer_rest(state),
            **self._compared(state),
            self.contradictions: contrast(state),
            **self.saving.offer(state),
            **self._arranged(state, selected, viewing_settings(*view)),
            **self._linked(state, selected, *view),
        }

    def _arranged(self, state: GridState, selected: int | None, view: ViewingSettings) -> Changes:
        """The grid in its arrangement, and the set metrics."""
        if not state.report or not state.report.saliency:
            grid = gallery(state, state.arranged(view.arrangement), selected)
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

    def take_back(
        self, method: str, state: GridState | None, selected: int | None, *view: Any
    ) -> Changes:
        """The grid as it was before its last image was generated again."""
        if state is None or state.replaced is None:
            return {self.state: state}
        before = replace(state.replaced.before, tried=state.next_seed - 1)
        return {**self.rank(method, before, selected, *view), **self.ready("")}

    def _compared(self, state: GridState) -> Changes:
        """An image that was generated again, beside the old one, and the way back."""
        last = state.replaced
        said = f"Take {image_name(last.before, last.cell)} back" if last else ""
        return {
            self.undo: gr.update(value=said, visible=last is not None),
            self.replaced: replaced(state),
        }

    def open(self, state: GridState | None, cell: int, *view: Any) -> Changes:
        """Show the reasons of a cell."""
        if state is None or cell not in range(state.size):
            return {self.selected: None}
        more = {self.again: self._offer(state, cell), **self._linked(state, cell, *view)}
        return {self.selected: cell, self.reasons: evidence(state, cell), **more}

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

    def go_on(self, generate_rest: bool, state: GridState) -> Iterator[Changes]:
        """Go on with a stopped job; without the rest, only finished images are scored."""
        with previewing() as store:
            job = partial(resume, state, store, generate_rest)
            yield from self.run(job, self.grow, status.generated)

    def stopped(self, state: GridState | None, selected: int | None, *view: Any) -> Changes:
        """After a job was cancelled: what is there stays."""
        note = status.note("stopped; the results so far stay")
        return {**self.draw(state, selected, *view), **self.ready(note)}

    def _offer_rest(self, state: GridState | None) -> Changes:
        """The buttons that go on with a stopped job, where it can be done."""
        stopped = state is not None and not state.report and bool(state.request.model)
        missing = len(state.missing) if state and stopped else 0
        some = stopped and state is not None and missing < state.size
        rest = f"Go on: generate {counted(missing, 'more picture')}, then score"
        return {
            self.resume: gr.update(value=rest, visible=stopped and missing > 0),
            self.score: gr.update(visible=some),
        }

    def _offer(self, state: GridState, selected: int | None) -> Any:
        """The button that regenerates the selected image, where that can be done."""
        made = selected is not None and bool(state.report) and bool(state.file(selected))
        possible = made and bool(state.request.model and state.bundle)
        said = f"Make this picture again, with seed {state.next_seed}" if possible else ""
        return gr.update(value=said, visible=possible)


def _scorable(state: GridState) -> bool:
    """Whether its best image can be scored again."""
    return bool(state.ranked and state.bundle and state.file(state.ranked[0]))


def lay_out(
    link: gr.HTML | None = None, strip: HistoryStrip | None = None, **given: Any
) -> GridPanel:
    """Build the panel under what the tab asks with.

    Args:
        link: to what is shown, not yet rendered; None on a tab that has none.
        strip: where finished runs are kept; None on a tab that keeps none.
        given: the runs of the server, and the components that a tab has already laid out:
            `ranked_by`, `start`, `stop` and `warning`.
    """
    line = html("status")
    with gr.Column(elem_classes="grid-panel"):
        with gr.Row(elem_classes="said"):
            said = html("verdict")
            if link:
                link.render()
        with gr.Row(elem_classes="work"):
            parts = {**_images(str(line._id)), **_reasons()}
        metrics = metrics_panel.lay_out()
    states = {"state": gr.State(None), "selected": gr.State(None)}
    own = {"status": line, "verdict": said, "metrics": metrics, "link": link, "strip": strip}
    return GridPanel(**own, **given, **parts, **states)


def _images(name: str) -> dict[str, Any]:
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
        grid = html("grid", js_on_load=script)
        return {"arrangement": arrangement, "grid": grid, "saving": saving.lay_out(name)}


def _reasons() -> dict[str, Any]:
    with gr.Column(scale=1, min_width=320, elem_classes="reasons"):
        reasons = html("reasons")
        with gr.Row(elem_classes="next"):
            small = {"size": "sm", "elem_classes": "again", "visible": False}
            again = gr.Button("Make this picture again", **small)
            contradict = gr.Button("Contrast check", **small)
            resume_button = gr.Button("Go on", **small)
            score = gr.Button("Score the pictures that are there", **small)
            undo = gr.Button("Take it back", **small)
        before = html("replaced")
        contradictions = html("contrast")
    return {
        "reasons": reasons,
        "again": again,
        "contradict": contradict,
        "contradictions": contradictions,
        "resume": resume_button,
        "score": score,
        "undo": undo,
        "replaced": before,
    }

"""The grid panel: images, the reasons of the selected one, and the set metrics below them.

Every tab that shows images has one; the tab decides which jobs fill it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import gradio as gr

import alignment
from session.attention import attention
from session.jobs import check_contrast, resume
from session.link import link_of
from session.state import GridState
from session.storage import load_images
from session.viewer_utility import ViewingSettings, arrangements
from ui.admission import facts
from ui.components import AT_ONCE, QUIET, Changes, html, segments
from ui.history_strip import HistoryStrip
from ui.metrics_panel import MetricsPanel, wire_view
from ui.next_steps import NextSteps, events
from ui.render import status
from ui.render.contrast_check import contrast
from ui.render.evidence import evidence, questions
from ui.render.gallery import gallery
from ui.render.verdict import verdict, ways_on
from ui.render.words import ARRANGEMENTS, counted, method_name
from ui.run_controls import Job, RunControls
from ui.saving import file_button, zipped

NO_TARGETS = (
    "these images were scored without targets, so {} ranks them; add target images, and score again"
)


def places(state: GridState, view: ViewingSettings) -> tuple[int, ...]:
    """The cell at each place of the arrangement in view."""
    if not state.report or not state.report.saliency:
        return state.arranged(view.arrangement)
    found = arrangements(state.report, view, partial(attention, state))
    return found[view.arrangement].cells


class GridPanel:
    """The components of the panel, and the handlers of their events."""

    def __init__(
        self,
        controls: RunControls,
        ranked_by: gr.Radio,
        warning: gr.HTML,
        link: gr.HTML | None = None,
        strip: HistoryStrip | None = None,
    ) -> None:
        """Build it under what the tab has laid out already: images left, reasons right, metrics."""
        self.ranked_by, self.warning, self.link, self.strip = ranked_by, warning, link, strip
        self.controls, self.links = controls, [link] if link else []
        with gr.Column(elem_classes="grid-panel"):
            with gr.Row(elem_classes="findings"):
                self.verdict = html("verdict", "", "claims.js")
                self.next = NextSteps()
            self.next.attempts.render()
            with gr.Row(elem_classes="work"):
                with gr.Column(scale=1, min_width=320, elem_classes="images"):
                    self._lay_out_images()
                with gr.Column(scale=1, min_width=320, elem_classes="reasons"):
                    self.reasons = html("reasons")
                    self.next.lay_out()
                    self.contradictions = html("contrast")
            if strip:
                strip.part.render()
            self.metrics = MetricsPanel()
        self.state = gr.State(None)  # the `GridState` on show
        self.selected = gr.State(None)  # the cell whose reasons are shown

    def _lay_out_images(self) -> None:
        self.grid = html("grid", "", "gallery.js")
        with gr.Row(elem_classes="under"):
            self.arrangement = segments(
                [(said, name) for name, said in ARRANGEMENTS.items()],
                "reranked",
                label="arrangement",
                show_label=False,
                container=False,
                elem_classes=["segments", "arrangement"],
            )
            if self.link:
                self.link.render()
            self.next.contradict.render()
            self.saving = file_button("Save all (ZIP)", zipped, interactive=False)

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
        status = self.controls.status
        parts = [self.state, self.selected, status, self.verdict, self.grid, self.reasons]
        parts += [*self.next.drawn, self.contradictions, self.saving.button, *self.links]
        return [*parts, *self.metrics.drawn]

    @property
    def growing(self) -> list[Any]:
        """Those that change while a run works: Gradio makes each of them anew at every step.

        The style sheet hides the others, as long as they are of the last grid.
        """
        parts = [*self.controls.parts, self.warning, self.state, self.selected, self.verdict]
        parts += [self.grid, self.reasons, self.contradictions, self.next.attempts]
        return [*parts, *self.links, *([self.strip.part] if self.strip else [])]

    def wire(self, jobs: Sequence[Job]) -> None:
        """Connect the events; only jobs queue, everything else answers at once."""
        controls, steps = self.controls, self.next
        everything = [controls.start, controls.stop, self.warning, *self.drawn]
        own = (
            Job(steps.contradict.click, self.check_contrast, self.shown),
            Job(steps.resume.click, partial(self.go_on, True), [self.state]),
            Job(steps.score.click, partial(self.go_on, False), [self.state]),
        )
        more = events(self)
        for job in (*jobs, *own, *more):
            controls.wire(job.event, job.handler, job.inputs, [*self.growing, *job.also])
        for each in controls.started:  # the visitor may have chosen another ranking meanwhile
            each.success(self.rank, [self.ranked_by, *self.shown], self.drawn, **QUIET)
        controls.instead(controls.stop.click, self.stopped, self.shown, everything)
        self._on_choice()
        self.saving.wire(self.shown, controls.status)
        back = [self.ranked_by, *self.shown]
        controls.instead(steps.undo.click, self.take_back, back, everything)
        self.ranked_by.input(self.rank, [self.ranked_by, *self.shown], self.drawn, **AT_ONCE)
        wire_view(self)

    def _on_choice(self) -> None:
        def chosen(event: gr.SelectData, state: Any, *view: Any) -> Any:
            return self.open(state, int(event.index), *view)

        steps = [self.next.where, self.next.again, self.next.repair]
        opens = [self.selected, self.reasons, *steps, *self.links]
        self.grid.select(chosen, [self.state, *self.view], opens, **AT_ONCE)

    def run(
        self,
        job: Callable[..., Iterator[GridState]],
        grow: Callable[[GridState], Changes],
        what: Callable[[GridState], str],
        besides: str = "",
    ) -> Iterator[Changes]:
        """Run a job; a mistake or a failure leaves the grid on show alone.

        Args:
            job: starts it, with the store of its images and the `turn`s that it takes.
            grow: what changes with each state.
            what: was done, in words.
            besides: what else there is to say in the end.
        """

        def draw(state: GridState) -> Changes:
            kept = self.strip.keep(state) if self.strip else {}
            return kept | grow(state)

        def done(state: GridState, seconds: float) -> str:
            return "; ".join(filter(None, (f"{what(state)} in {seconds:.1f} s", besides)))

        return self.controls.run(job, draw, status.job, done, facts)

    def grow(self, state: GridState) -> Changes:
        """What changes as a new grid grows; `rank` draws the rest once the job is over."""
        if not state.images.files:
            return {}
        changes = {self.state: state, self.grid: gallery(state)}
        begins = not any(state.images.files) or (state.images.names and not state.scores)
        if begins and not state.report:
            changes |= self._begun(state)
        if state.scores:
            changes[self.verdict] = verdict(state)
        if state.truncated_words:
            said = status.about_truncated(state.truncated_words)
            changes[self.warning] = status.warning(said)
        return changes

    def grow_anew(self, opened: int | None = None) -> Callable[[GridState], Changes]:
        """The same of a grid that takes the place of another, of which `opened` is open at first.

        What a visitor opens meanwhile stays open.
        """
        first: Changes = {self.selected: opened}

        def grow(state: GridState) -> Changes:
            changes = self.grow(state)
            if changes and first:
                changes |= first
                first.clear()
            return changes

        return grow

    def _begun(self, state: GridState) -> Changes:
        """What changes where a grid has no score yet."""
        return {
            self.selected: None,
            self.verdict: "",
            self.reasons: questions(state),
            **self.linked(state, None),
        }

    def blank(self, state: GridState) -> Changes:
        """The panel of a grid that has no score yet, and that no run works on."""
        return {
            **self._begun(state),
            **self.next.none(state),
            self.contradictions: "",
            **self.saving.offer(None),
            **self.metrics.cleared(),
        }

    def linked(self, state: GridState | None, selected: int | None, *view: Any) -> Changes:
        """The link to what is shown; without a view, to the images alone."""
        if self.link is None:
            return {}
        if state is None or not (state.request.model and state.request.bundle):
            return {self.link: ""}
        looked = ViewingSettings(*view) if view else None
        return {self.link: str(link_of(state, selected, looked))}

    def draw(self, state: GridState | None, selected: int | None, *view: Any) -> Changes:
        """Everything anew, under the view of now; where no image is open, the most telling."""
        if state is None:
            return {self.state: None}
        opened = selected if selected in range(state.size) else None
        selected = state.telling if opened is None else opened
        return {
            self.state: state,
            self.selected: selected,
            self.verdict: verdict(state) + ways_on(state),
            self.reasons: questions(state) if selected is None else evidence(state, selected),
            **self.next.offered(state, opened, selected),
            self.contradictions: contrast(state),
            **self.saving.offer(state),
            **self._arranged(state, selected, ViewingSettings(*view)),
            **self.linked(state, selected, *view),
        }

    def _arranged(self, state: GridState, selected: int | None, view: ViewingSettings) -> Changes:
        """The grid in its arrangement, and the set metrics."""
        if not state.report or not state.report.saliency:
            grid = gallery(state, state.arranged(view.arrangement), selected)
            return {self.grid: grid, **self.metrics.cleared()}
        changes, shown = self.metrics.draw(state, state.report, view)
        return {self.grid: gallery(state, shown.cells, selected), **changes}

    def rank(
        self, method: str, state: GridState | None, selected: int | None, *view: Any
    ) -> Changes:
        """The same images ranked by another method; no model is asked."""
        if state is None or state.report is None:
            return self.draw(state, selected, *view)
        if method not in state.report.rankings:
            said = status.mistake(NO_TARGETS.format(method_name(state.ranked_by)))
            return {**self.draw(state, selected, *view), self.controls.status: said}
        if method != state.ranked_by:
            report = alignment.rerank(state.report, method, load_images(state))
            request = replace(state.request, rank_by=method)
            state = replace(state, request=request).with_report(report)
        return self.draw(state, selected, *view)

    def take_back(
        self, method: str, state: GridState | None, selected: int | None, *view: Any
    ) -> Changes:
        """The grid as it was before its last image was generated again."""
        if state is None or state.replaced is None:
            return {self.state: state}
        before = replace(state.replaced.before, tried=state.next_seed - 1)
        return {**self.rank(method, before, selected, *view), **self.controls.ready("")}

    def open(self, state: GridState | None, cell: int, *view: Any) -> Changes:
        if state is None or cell not in range(state.size):
            return {self.selected: None}
        more = {**self.next.of_image(state, cell), **self.linked(state, cell, *view)}
        return {self.selected: cell, self.reasons: evidence(state, cell), **more}

    def check_contrast(
        self, state: GridState, selected: int | None, *view: Any
    ) -> Iterator[Changes]:
        """Score the best image under contradictions of the prompt, one after the other."""
        if not state.report:
            return
        report = state.report
        yield from self.run(
            lambda _, turn: check_contrast(state, report, turn),
            lambda growing: {self.state: growing, self.contradictions: contrast(growing)},
            lambda done: counted(done.stage.total, "contradiction"),
        )

    def go_on(self, generate_rest: bool, state: GridState | None) -> Iterator[Changes]:
        """Go on with a stopped job; without the rest, only finished images are scored."""
        if state is None:  # nothing was stopped
            return
        job = partial(resume, state, generate_rest=generate_rest)
        yield from self.run(job, self.grow, status.generated)

    def stopped(self, state: GridState | None, selected: int | None, *view: Any) -> Changes:
        """After a job was cancelled: what is there stays."""
        note = status.note(status.stopped(state))
        return {**self.draw(state, selected, *view), **self.controls.ready(note)}

"""The compare tab: a list of prompts, generated and scored in two to four ways, side by side."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gradio as gr

import alignment
from session.comparison import LETTERS, ComparisonState, compare, prompts_of
from session.disagreement import most_disputed
from session.limits import Runs
from session.offer import Offer
from ui import blind_panel, reword_panel, system_fields
from ui.admission import admitted, comparison_facts
from ui.blind_panel import BlindPanel
from ui.components import (
    ASSETS,
    AT_ONCE,
    QUIET,
    Changes,
    enabled,
    html,
    previewing,
    ranking_choice,
    segments,
)
from ui.messages import user_message
from ui.render import status
from ui.render.compare import activity, comparison
from ui.render.disagreement import disagreement
from ui.render.evidence import evidence
from ui.render.words import counted
from ui.request_fields import SIZES, sides
from ui.reword_panel import RewordPanel
from ui.run_controls import RunControls
from ui.stopping import instead
from ui.system_fields import SystemFields, system_of

LEAD = (
    "Every prompt is generated and scored once for each column, and the columns are compared "
    "prompt by prompt. A column can have its own model, evaluators, seed or wording."
)
PROMPTS = "a black apple and a green backpack\nthree stars at night\nan owl left of a pink umbrella"


@dataclass(frozen=True)
class Compare:
    """The components of the tab, and the handlers of their events."""

    prompts: gr.Textbox
    size: gr.Dropdown
    count: gr.Radio
    ranked_by: gr.Radio
    columns: tuple[SystemFields, ...]
    run: RunControls
    blind: gr.Checkbox
    panel: BlindPanel
    result: gr.HTML
    reasons: gr.HTML
    disagreement: gr.HTML
    other: RewordPanel
    state: gr.State
    """The `ComparisonState` on show."""
    runs: Runs
    """The runs of the server."""

    @property
    def request(self) -> list[Any]:
        """Whether it is blind, and what becomes a request, in the order of `requested`."""
        fields = [field for column in self.columns for field in column.fields]
        return [self.blind, self.prompts, self.size, self.count, self.ranked_by, *fields]

    @property
    def controls(self) -> list[Any]:
        """The components that show whether a comparison is running."""
        return [*self.run.parts, self.blind]

    @property
    def opened(self) -> list[Any]:
        """The components that say more of one grid."""
        return [self.reasons, self.disagreement, *self.other.drawn]

    def wire(self) -> None:
        """Connect the events."""
        changed = [*self.controls, self.state, self.result, *self.opened]
        start, stop = self.run.start, self.run.stop
        start.click(lambda: enabled(False), None, [self.blind], **AT_ONCE)
        job = self.run.wire(start.click, self.on_compare, self.request, changed)
        judged = [self.blind, self.state, self.panel.test, self.panel.earlier]
        job.then(self.panel.begin, judged, self.panel.drawn, **QUIET)
        stopped = [*self.controls, *self.panel.drawn]
        instead(stop.click, [job], self.on_stop, judged, stopped, self.runs)
        self.panel.wire(self.result)
        groups = [column.group for column in self.columns]
        self.count.input(self.on_count, [self.count], groups, **AT_ONCE)
        self.other.wire(self.state)
        self._on_picture()

    def _on_picture(self) -> None:
        def chosen(state: Any, event: gr.SelectData) -> Any:
            return self.on_picture(state, str(event.value))

        self.result.select(chosen, [self.state], self.opened, **AT_ONCE)

    def on_compare(self, blind: bool, *fields: Any) -> Iterator[Changes]:
        """Generate and score every grid; finished ones are shown at once, unless it is blind."""
        start, finished = time.perf_counter(), -1
        try:
            with admitted(self.runs) as run, previewing() as store:
                for state in run.checked(compare(requested(*fields), store, run.turns)):
                    seconds = time.perf_counter() - start
                    run.facts |= comparison_facts(state)
                    changes = self.run.running(status.progress(*activity(state), seconds))
                    if len(state.finished) != finished:
                        finished = len(state.finished)
                        store.drop_previews()
                        changes |= self.shown(state, blind)
                    yield changes
            grids = counted(len(state.finished), "grid")
            end = status.note(f"{grids} in {time.perf_counter() - start:.1f} s")
        except Exception as error:
            end = status.mistake(user_message(error))
        yield self.ready(end)

    def shown(self, state: ComparisonState, blind: bool) -> Changes:
        """What changes with a grid that is finished."""
        return {
            self.state: state,
            self.result: "" if blind else comparison(state),
            self.reasons: "",
            self.disagreement: "" if blind else disagreement(state, most_disputed(state)),
            **self.other.closed(),
        }

    def ready(self, line: str) -> Changes:
        """No comparison is under way any more; the status line says how it ended."""
        return {**self.run.ready(line), self.blind: enabled(True)}

    def on_stop(self, *judged: Any) -> Changes:
        """After a job was cancelled: what is there stays."""
        end = self.ready(status.note("stopped; the grids that are finished stay"))
        return {**end, **self.panel.begin(*judged)}

    def on_count(self, count: str) -> list[Any]:
        """So many columns are shown."""
        return [gr.update(visible=place < int(count)) for place in range(len(self.columns))]

    def on_picture(self, state: ComparisonState | None, place: str) -> Changes:
        """The reasons of a picture of the table, and what is disputed in its grid."""
        row, system, cell = map(int, place.split(","))
        grid = state.finished.get((row, system)) if state else None
        if not state or grid is None or cell not in range(grid.size):
            return {self.reasons: ""}
        return {
            self.reasons: evidence(grid, cell),
            self.disagreement: disagreement(state, (row, system)),
            **self.other.opened(state, (row, system)),
        }


def requested(prompts: str, size: str, count: str, rank_by: str, *fields: Any) -> ComparisonState:
    """The comparison that the fields ask for.

    Args:
        prompts: one a line.
        size: of each grid, e.g. "2 x 2".
        count: of the columns that are shown.
        rank_by: a ranking method.
        fields: those of each column in turn, as in `system_of`.

    Raises:
        InvalidRequestError: the grid is not two numbers, or a column has no seed.
    """
    width = len(fields) // len(LETTERS)
    columns = [fields[place * width : (place + 1) * width] for place in range(int(count))]
    systems = tuple(
        system_of(letter, *column) for letter, column in zip(LETTERS, columns, strict=False)
    )
    return ComparisonState(prompts_of(prompts), systems, *sides(size), rank_by)


def build(offer: Offer, runs: Runs) -> None:
    """Build and wire the tab inside the one that is open.

    Args:
        offer: what a visitor may choose from.
        runs: of the server.
    """
    lay_out(offer, runs).wire()


def lay_out(offer: Offer, runs: Runs) -> Compare:
    """Build the tab, not yet wired."""
    html("compare-lead", f"<p>{LEAD}</p>")
    prompts = gr.Textbox(
        PROMPTS, label="prompts, one a line", lines=3, max_lines=12, elem_id="compared-prompts"
    )
    with gr.Row(elem_classes="settings compared"):
        ranked_by = ranking_choice(alignment.METHODS)
        count = segments([(k, k) for k in "234"], "2", label="columns", min_width=120, scale=1)
        size = gr.Dropdown(
            SIZES, value="2 x 2", label="each grid", allow_custom_value=True, min_width=90
        )
    with gr.Row(elem_classes="columns"):
        columns = tuple(system_fields.lay_out(offer, place) for place in range(len(LETTERS)))
    with gr.Row(elem_classes="ask"):
        start = gr.Button("Compare these", variant="primary", scale=0, min_width=180)
        stop = gr.Button("Stop", variant="stop", scale=0, min_width=80, interactive=False)
        blind = gr.Checkbox(
            False, label="blind: judge the grids before you see which column is which", scale=3
        )
    script = (ASSETS / "compare.js").read_text(encoding="utf-8")
    return Compare(
        prompts=prompts,
        size=size,
        count=count,
        ranked_by=ranked_by,
        columns=columns,
        run=RunControls(start, stop, html("status"), runs),
        blind=blind,
        panel=blind_panel.lay_out(),
        result=html("comparison", js_on_load=script),
        reasons=html("reasons"),
        disagreement=html("disagreement"),
        other=reword_panel.lay_out(runs),
        state=gr.State(None),
        runs=runs,
    )

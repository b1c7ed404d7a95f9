"""The panel of set metrics: what a viewer gets from the grid, and who that viewer is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import gradio as gr

from alignment.records import Arrangement, GridReport
from session.attention import attention
from session.state import GridState
from session.viewer_utility import (
    ViewingSettings,
    viewer_utility,
)
from ui.components import AT_ONCE, Changes, html, viewer_fields
from ui.presentation import lit
from ui.render import status
from ui.render.summary import attention_map, summary

if TYPE_CHECKING:
    from ui.grid_panel import GridPanel


class MetricsPanel:
    def __init__(self) -> None:
        with gr.Row(elem_classes="viewing"):
            with gr.Column(scale=1, min_width=320):
                html("metrics-title", "<h2>What a viewer gets from this grid</h2>")
                self.summary = html("summary")
                self.settings = viewer_fields()
                """The controls that describe the viewer."""
            with gr.Column(scale=1, min_width=320):
                self.maps = html("maps")

    @property
    def drawn(self) -> list[Any]:
        """The components that change with the grid."""
        return [self.summary, self.maps]

    def draw(
        self, state: GridState, report: GridReport, view: ViewingSettings
    ) -> tuple[Changes, Arrangement]:
        """The metrics of a finished grid.

        Returns:
            What changes, and the arrangement shown.
        """
        found = viewer_utility(report, view, partial(attention, state))
        shown = found.arrangements[view.arrangement]
        drawn = ""
        if found.scores:
            drawn = attention_map(state, shown, found.contributions, lit(state, shown.cells))
        return {self.summary: summary(report, view, found), self.maps: drawn}, shown

    def cleared(self) -> Changes:
        """The panel of a grid that has no report yet."""
        return {self.summary: "", self.maps: ""}


def wire_view(panel: GridPanel) -> None:
    """Connect the choices of how a grid is viewed."""
    line = panel.controls.status

    def begun(arrangement: str) -> Any:
        best = arrangement == "best"  # which is looked for, and that takes time
        return status.begun("looking for the best layout") if best else gr.skip()

    def arranged(state: GridState | None, selected: int | None, *view: Any) -> Changes:
        done = {line: ""} if view[0] == "best" else {}
        return {**panel.draw(state, selected, *view), **done}

    # One event for all controls, so that the last answer is that to the last change.
    changed = gr.on(
        [each.input for each in panel.view], begun, [panel.arrangement], [line], **AT_ONCE
    )
    changed.then(arranged, panel.shown, panel.drawn, **AT_ONCE)

"""The panel of set metrics: what a viewer gets from the grid, and who that viewer is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import gradio as gr

from alignment.judgements import judgements
from alignment.records import GridReport
from alignment.set_metrics.viewing_orders import Order
from session.attention import attention, saliency_overlay
from session.state import GridState
from session.storage import report_text
from session.viewer_utility import (
    Arrangement,
    ViewerUtility,
    ViewingSettings,
    as_released,
    reported,
    viewer_utility,
)
from ui.components import Changes, html, page_store, segments
from ui.render.figures import Place, maps
from ui.render.summary import ORDERS, released_form, summary, why_unmeasured
from ui.render.words import url

LEAST_PERSISTENT, MOST_PERSISTENT = 0.05, 0.95


def viewing_settings(
    arrangement: str, order: Order, persistence: float | None, novelty: bool
) -> ViewingSettings:
    """The settings that the controls show; a number typed out of range becomes the nearest."""
    known = 0.8 if persistence is None else persistence
    within = min(max(known, LEAST_PERSISTENT), MOST_PERSISTENT)
    return ViewingSettings(arrangement, order, within, novelty)


@dataclass(frozen=True)
class MetricsPanel:
    """The components of the panel."""

    order: gr.Radio
    persistence: gr.Slider
    novelty: gr.Checkbox
    summary: gr.HTML
    maps: gr.HTML
    export: gr.DownloadButton

    @property
    def settings(self) -> list[Any]:
        """The controls that describe the viewer."""
        return [self.order, self.persistence, self.novelty]

    @property
    def drawn(self) -> list[Any]:
        """The components that change with the grid."""
        return [self.summary, self.maps, self.export]

    def draw(
        self, state: GridState, report: GridReport, view: ViewingSettings
    ) -> tuple[Changes, Arrangement, tuple[int | None, ...]]:
        """The metrics of a finished grid.

        Returns:
            What changes, the arrangement shown, and when each of its places is looked at.
        """
        found = viewer_utility(report, view, partial(attention, state))
        shown = found.arrangements[view.arrangement]
        text = report_text(state, reported(report, view, found))
        changes = {
            self.summary: summary(
                found.scores,
                view.order,
                found.expected_views,
                found.diversity,
                why_unmeasured(report, view),
                True in judgements(report),
            ),
            self.maps: _drawn_maps(state, report, shown, found),
            self.export: gr.update(
                value=page_store().content(text.encode(), "report.json"), interactive=True
            ),
        }
        return changes, shown, found.steps

    def cleared(self) -> Changes:
        """The panel of a grid that has no report yet."""
        nothing = gr.update(value=None, interactive=False)
        return {self.summary: "", self.maps: "", self.export: nothing}


def _drawn_maps(
    state: GridState, report: GridReport, shown: Arrangement, found: ViewerUtility
) -> str:
    """Both maps of the arrangement shown, and RBP in the form of the released code."""
    overlay = page_store().image(saliency_overlay(state, shown.cells), "jpeg")
    drawn = maps(state, places(shown, found), url(overlay) or "")
    if found.scores:
        released = as_released(report, shown)
        drawn += released_form(released.mean, released.standard_error, released.samples)
    return drawn


def places(shown: Arrangement, found: ViewerUtility) -> tuple[Place, ...]:
    """The places of the arrangement shown; places without an image come last and are left out."""
    known = zip(
        shown.cells, shown.attention, found.contributions, found.leave_one_out, strict=False
    )
    return tuple(Place(*each) for each in known)


def lay_out() -> MetricsPanel:
    """Build the panel."""
    with gr.Row(elem_classes="viewing"):
        with gr.Column(scale=1, min_width=320):
            html("metrics-title", "<h2>What a viewer gets from this grid</h2>")
            found = html("summary")
            order, persistence, novelty = _viewer()
        with gr.Column(scale=1, min_width=320):
            drawn = html("maps")
            export = gr.DownloadButton(
                "Download report.json", size="sm", elem_classes="export", interactive=False
            )
    return MetricsPanel(order, persistence, novelty, found, drawn, export)


def _viewer() -> tuple[gr.Radio, gr.Slider, gr.Checkbox]:
    """The assumed viewer: viewing order, persistence, novelty."""
    with gr.Row(elem_classes="viewer"):
        orders = [(said, name) for name, said in ORDERS.items()]
        order = segments(orders, "positional", label="viewing order", scale=3)
        persistence = gr.Slider(
            LEAST_PERSISTENT,
            MOST_PERSISTENT,
            0.8,
            step=0.05,
            label="persistence",
            info="the probability of looking at one more picture",
            min_width=220,
            elem_classes="persistence",
        )
        novelty = gr.Checkbox(False, label="novelty: repeats count less", min_width=120)
        gr.Checkbox(
            False, label="show the viewing order on the grid", min_width=150, elem_classes="way"
        )
    return order, persistence, novelty

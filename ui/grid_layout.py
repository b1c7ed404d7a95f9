"""Where the parts of the grid panel are: verdict, images left, reasons right, metrics below."""

from __future__ import annotations

from typing import Any

import gradio as gr

from session.limits import Runs
from ui import next_steps, saving
from ui.components import html, segments
from ui.grid_panel import GridPanel
from ui.history_strip import HistoryStrip
from ui.metrics_panel import MetricsPanel
from ui.render.words import ARRANGEMENTS
from ui.run_controls import RunControls


def lay_out(
    start: gr.Button,
    stop: gr.Button,
    link: gr.HTML | None = None,
    strip: HistoryStrip | None = None,
    *,
    runs: Runs,
    **given: Any,
) -> GridPanel:
    """Build the panel under what the tab asks with.

    Args:
        start: the button of the tab that fills the panel.
        stop: the one that stops its jobs.
        link: to what is shown, not yet rendered; None on a tab that has none.
        strip: where finished runs are kept, not yet rendered; None on a tab that keeps none.
        runs: of the server.
        given: the components that a tab has already laid out: `ranked_by` and `warning`.
    """
    controls = RunControls(start, stop, html("status"), runs)
    with gr.Column(elem_classes="grid-panel"):
        said = html("verdict", "", "claims.js")
        find, attempts = next_steps.search_parts()
        with gr.Row(elem_classes="work"):
            parts = _images(link, find)
            parts |= _reasons(parts.pop("contradict"), find, attempts)
        if strip:
            strip.part.render()
        metrics = MetricsPanel()
    states = {"state": gr.State(None), "selected": gr.State(None)}
    own = {"controls": controls, "verdict": said, "metrics": metrics, "link": link, "strip": strip}
    return GridPanel(**own, **given, **parts, **states)


def _images(link: gr.HTML | None, find: gr.Button) -> dict[str, Any]:
    with gr.Column(scale=1, min_width=320, elem_classes="pictures"):
        grid = html("grid", "", "gallery.js")
        with gr.Row(elem_classes="under"):
            find.render()
            arrangement = segments(
                [(said, name) for name, said in ARRANGEMENTS.items()],
                "reranked",
                label="arrangement",
                show_label=False,
                container=False,
                elem_classes=["segments", "arrangement"],
            )
            if link:
                link.render()
            contradict = next_steps.contrast_button()
            save = saving.lay_out("Save all (ZIP)", saving.zipped, "again")
        shown = {"arrangement": arrangement, "grid": grid}
        return {**shown, "contradict": contradict, "saving": save}


def _reasons(contradict: gr.Button, find: gr.Button, attempts: gr.HTML) -> dict[str, Any]:
    with gr.Column(scale=1, min_width=320, elem_classes="reasons"):
        reasons, steps = html("reasons"), next_steps.lay_out(contradict, find, attempts)
        return {"reasons": reasons, "next": steps, "contradictions": html("contrast")}

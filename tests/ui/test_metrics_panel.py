"""The panel of set metrics computes what it shows, and the report that is saved has the same."""

import json
from dataclasses import replace
from pathlib import Path

import gradio as gr
import pytest

from alignment.set_metrics.named import default_metrics
from session.state import GridState
from session.viewer_utility import ViewingSettings
from tests.ui.conftest import APART
from ui.metrics_panel import MetricsPanel
from ui.render.export.files import documents

FIRST = ViewingSettings("reranked", "positional", 0.8, novelty=False)
MOVED = replace(FIRST, persistence=0.7)


@pytest.fixture
def state(state: GridState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GridState:
    """The same grid with calibrated scores, and a folder for the page's files."""
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "page"))
    values = state.report.ranking.values
    return state.with_report(replace(state.report, relevance={"vq2": values}, similarity=APART))


@pytest.fixture
def panel() -> MetricsPanel:
    with gr.Blocks():
        return MetricsPanel()


def test_where_nothing_is_scored_nothing_is_drawn(panel: MetricsPanel, state: GridState) -> None:
    unknown = state.with_report(replace(state.report, relevance={}))
    changes, *_ = panel.draw(unknown, unknown.report, FIRST)
    assert changes[panel.maps] == ""
    assert panel.settings[0].value == "saliency"


def test_the_report_that_is_saved_has_every_metric_of_the_viewer_who_is_set(
    state: GridState,
) -> None:
    found = json.loads(documents(state, state.report, MOVED)["report.json"])["set_metrics"]
    assert len(found) == 2 * len(default_metrics())
    assert all("p:0.7|" in score["signature"] for score in found)

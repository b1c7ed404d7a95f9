"""The history strip: what is kept where, and what a link finds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import gradio as gr
import pytest

from session.finished_runs import RecentRuns
from session.history import History
from session.link import link_of
from session.state import GridState
from ui.history_strip import HistoryStrip


def strip(folder: Path | None = None) -> HistoryStrip:
    return HistoryStrip(gr.HTML(), RecentRuns(), History(folder) if folder else None)


def sent(changes: dict[object, str]) -> dict[str, object]:
    (value,) = changes.values()
    found: dict[str, object] = json.loads(value)
    return found


def test_without_a_history_the_server_lists_nothing_and_sends_the_run_to_its_browser(
    state: GridState,
):
    page = strip()
    (news,) = sent(page._on_finished(state)).values()
    assert news["prompt"] == state.prompt  # type: ignore[index]
    assert page.find(link_of(state).run) == state
    assert "__type__" in next(iter(page._listed().values()))


def test_with_a_history_every_run_of_it_is_listed(state: GridState, tmp_path: Path):
    page = strip(tmp_path)
    page._on_finished(state)
    other = replace(state, request=replace(state.request, seed=90))
    assert len(sent(page._on_finished(other))["entries"]) == 2  # type: ignore[arg-type]
    page = strip(tmp_path)  # another process, later
    assert page.find(link_of(other).run)
    event = gr.EventData(None, {"address": str(link_of(other))})
    (left,) = sent(page._on_delete(event))["entries"]  # type: ignore[misc]
    assert left["address"] == str(link_of(state))
    assert sent(page._on_delete(gr.EventData(None, {"address": None})))["entries"] == []


def test_a_run_that_is_not_whole_is_not_kept(unscored: GridState):
    page = strip()
    page._on_finished(unscored)
    assert page.find(link_of(unscored).run) is None


def test_a_history_that_cannot_be_written_says_so(
    state: GridState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(self: History, state: GridState) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(History, "save", full)
    assert "could not be written" in str(sent(strip(tmp_path)._on_finished(state))["problem"])

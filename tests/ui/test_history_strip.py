"""The history strip: what is kept where, and what a link finds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import gradio as gr
import pytest

from session.history import History, recent_runs
from session.limits import Runs
from session.link import link_of
from session.offer import Offer
from session.state import GridState
from ui.history_strip import HistoryStrip
from ui.render import status
from ui.tabs.playground import Playground


def strip(folder: Path | None = None) -> HistoryStrip:
    return HistoryStrip(gr.HTML(), recent_runs(), History(folder) if folder else None)


def sent(changes: dict[object, str]) -> dict[str, object]:
    (value,) = changes.values()
    found: dict[str, object] = json.loads(value)
    return found


def test_without_a_history_the_server_lists_nothing_and_sends_the_run_to_its_browser(
    state: GridState,
):
    page = strip()
    (news,) = sent(page.keep(state)).values()
    assert news["prompt"] == state.prompt  # type: ignore[index]
    assert page.find(link_of(state).run) == state
    assert "__type__" in next(iter(page._listed().values()))


def test_with_a_history_every_run_of_it_is_listed(state: GridState, tmp_path: Path):
    page = strip(tmp_path)
    page.keep(state)
    other = with_seed(state, 90)
    assert len(sent(page.keep(other))["entries"]) == 2  # type: ignore[arg-type]
    page = strip(tmp_path)  # another process, later
    assert page.find(link_of(other).run)
    event = gr.EventData(None, {"address": str(link_of(other))})
    (left,) = sent(page._on_delete(event))["entries"]  # type: ignore[misc]
    assert left["address"] == str(link_of(state))
    assert sent(page._on_delete(gr.EventData(None, {"address": None})))["entries"] == []


def test_a_run_that_somebody_made_before_is_sent_to_the_browser_of_whoever_makes_it_again(
    state: GridState,
):
    page = strip()
    for _ in range(2):
        (news,) = sent(page.keep(state)).values()
        assert news["address"] == str(link_of(state))  # type: ignore[index]


def test_a_run_that_was_deleted_and_is_made_again_is_listed_again(state: GridState, tmp_path: Path):
    page = strip(tmp_path)
    page.keep(state)
    page._on_delete(gr.EventData(None, {"address": str(link_of(state))}))
    (entry,) = sent(page.keep(state))["entries"]  # type: ignore[misc]
    assert entry["address"] == str(link_of(state))


def test_a_step_of_another_job_on_the_same_scores_is_no_new_run(state: GridState):
    assert strip().keep(state.at("contrast check", 1, 3)) == {}


def test_what_another_job_finds_from_the_same_scores_is_kept_with_the_run(state: GridState):
    page = strip()
    page.keep(state)
    outlined = replace(state, regions={str(state.file(1)): ()}).at("fault regions", 1, 1)
    page.keep(outlined)
    found = page.find(link_of(state).run)
    assert found
    assert found.regions == outlined.regions


def test_a_run_that_is_not_whole_is_not_kept(unscored: GridState):
    page = strip()
    page.keep(unscored)
    assert page.find(link_of(unscored).run) is None


@pytest.mark.usefixtures("no_loops_left")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_a_run_is_in_the_history_before_the_page_shows_its_report(state: GridState, tmp_path: Path):
    with gr.Blocks():
        page = Playground(Offer(), [], Runs(), History(tmp_path))
    finished = with_seed(state, 90)
    steps = page.panel.run(lambda _, turn: iter([finished]), page.panel.grow, status.generated)
    changes = next(steps)  # whoever ends the process now loses nothing
    found = History(tmp_path).find(link_of(finished).run)
    assert found.scores == finished.scores
    assert changes[page.panel.state] is finished
    (entry,) = sent({0: changes[page.strip.part]})["entries"]  # type: ignore[misc]
    assert entry["prompt"] == state.prompt
    steps = page.panel.run(
        lambda _, turn: iter([finished.at("x")]), page.panel.grow, status.generated
    )
    assert page.strip.part not in next(steps)  # a step of another job on the same scores


def with_seed(state: GridState, seed: int) -> GridState:
    return replace(state, request=replace(state.request, seed=seed))


def test_a_history_that_cannot_be_written_says_so(
    state: GridState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(self: History, state: GridState) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(History, "save", full)
    assert "could not be written" in str(sent(strip(tmp_path).keep(state))["problem"])

"""The history strip: what is kept where, and what a link finds."""

import json
from dataclasses import replace

import gradio as gr

from session.history import recent_runs
from session.limits import Runs
from session.link import link_of
from session.offer import Offer
from session.state import GridState
from tests.ui.conftest import with_seed
from ui.history_strip import HistoryStrip
from ui.render import status
from ui.tabs.playground import Playground


def strip() -> HistoryStrip:
    return HistoryStrip(gr.HTML(), recent_runs())


def sent(changes: dict[object, str]) -> dict[str, object]:
    (value,) = changes.values()
    found: dict[str, object] = json.loads(value)
    return found


def test_a_run_is_sent_to_the_browser_of_whoever_makes_it(state: GridState):
    page = strip()
    for _ in range(2):
        news = sent(page.keep(state))
        assert news["prompt"] == state.prompt
        assert news["address"] == str(link_of(state))
        assert page.recent.find(link_of(state).run) == state


def test_what_another_job_finds_from_the_same_scores_is_kept_with_the_run(state: GridState):
    page = strip()
    page.keep(state)
    outlined = replace(state, regions={str(state.file(1)): ()}).at("fault regions", 1, 1)
    page.keep(outlined)
    found = page.recent.find(link_of(state).run)
    assert found
    assert found.regions == outlined.regions


def test_what_a_visitor_finds_from_a_worked_example_is_not_the_next_one_s(state: GridState):
    page = HistoryStrip(gr.HTML(), recent_runs([state]))
    page.keep(replace(state, regions={str(state.file(1)): ()}).at("fault regions", 1, 1))
    assert page.recent.find(link_of(state).run) == state


def test_a_run_that_is_not_whole_is_not_kept(unscored: GridState):
    page = strip()
    page.keep(unscored)
    assert page.recent.find(link_of(unscored).run) is None


def test_a_run_is_kept_before_the_page_shows_its_report(state: GridState):
    with gr.Blocks():
        page = Playground(Offer(), [], Runs())
    finished = with_seed(state, 90)
    steps = page.panel.run(lambda _, turn: iter([finished]), page.panel.grow, status.generated)
    changes = next(steps)
    found = page.strip.recent.find(link_of(finished).run)
    assert found.scores == finished.scores
    assert changes[page.panel.state] is finished
    assert sent({0: changes[page.strip.part]})["prompt"] == state.prompt
    steps = page.panel.run(
        lambda _, turn: iter([finished.at("x")]), page.panel.grow, status.generated
    )
    assert page.strip.part not in next(steps)  # a step of another job on the same scores

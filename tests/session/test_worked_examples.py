"""What the worked examples of the page are there to show."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from session.attention import attention
from session.state import GridState
from session.storage import load_example
from session.viewer_utility import ViewingSettings, viewer_utility
from ui.render.verdict import missing as missing_words

EXAMPLES = sorted((Path(__file__).parents[2] / "assets" / "examples").glob("*/report.json"))


@pytest.fixture(scope="module")
def examples() -> list[GridState]:
    return [load_example(path) for path in EXAMPLES]


@pytest.mark.parametrize(
    ("number", "missing", "right"),
    [(0, "a turtle", 1), (1, "three balloons", 8), (2, "above a robot", 0), (3, "", 9)],
)
def test_each_teaches_one_thing(examples, number: int, missing: str, right: int):
    state = examples[number]
    found = [missing_words(state, cell) for cell in range(state.size)]
    assert len(examples) == 4
    assert {*found} - {()} == ({(missing,)} if missing else set())
    assert found.count(()) == right


def test_in_the_first_the_best_layout_matters_to_a_viewer_drawn_by_saliency(examples):
    first = examples[0]
    view = ViewingSettings("best", "saliency", 0.8, novelty=False)
    found = viewer_utility(first.report, view, partial(attention, first))
    err = {each.arrangement: each.value for each in found.scores if each.metric == "ERR"}
    assert err["best"] > err["reranked"] + 0.1


def test_what_the_last_picture_is_said_to_miss_is_not_what_it_is_said_to_show(examples):
    for state in examples:
        last = state.score(state.ranked[-1], "vq2").weakest
        assert last.holds or last.seen != last.pair.answer.text

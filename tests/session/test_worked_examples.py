"""What the worked examples of the page are there to show."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from session.attention import attention
from session.state import GridState
from session.storage import load_example
from session.viewer_utility import ViewingSettings, viewer_utility

EXAMPLES = sorted((Path(__file__).parents[2] / "assets" / "examples").glob("*/report.json"))


@pytest.fixture(scope="module")
def examples() -> list[GridState]:
    return [load_example(path) for path in EXAMPLES]


def test_there_are_eight_and_half_of_them_have_right_and_wrong_pictures(examples):
    chances = [state.report.relevance["vq2"] for state in examples]
    assert len(chances) == 8
    assert [min(some) < 0.2 and max(some) > 0.8 for some in chances] == [True] * 4 + [False] * 4


def test_in_the_first_the_best_layout_matters_to_a_viewer_drawn_by_saliency(examples):
    first = examples[0]
    view = ViewingSettings("best", "saliency", 0.8, novelty=False)
    found = viewer_utility(first.report, view, partial(attention, first))
    err = {each.arrangement: each.value for each in found.scores if each.metric == "ERR"}
    assert err["best"] > err["reranked"] + 0.1


def test_in_the_second_clip_puts_a_wrong_picture_first(examples):
    report = examples[1].report
    clip = [score.value for score in report.scores["clip"]]
    first = clip.index(max(clip))
    assert report.relevance["vq2"][first] < 0.2
    assert not report.scores["vq2"][first].weakest.holds


def test_what_the_last_picture_is_said_to_miss_is_not_what_it_is_said_to_show(examples):
    for state in examples:
        last = state.score(state.ranked[-1], "vq2").weakest
        assert last.holds or last.seen != last.pair.answer.text

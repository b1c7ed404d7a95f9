"""An image that was generated again, beside the old one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from session.state import GridState, Replaced
from tests.ui.conftest import scored, with_images
from tests.ui.reading import read
from ui.render.evidence import change_sentence, replaced


@pytest.fixture
def again(state: GridState) -> GridState:
    """The same grid after the pink backpack was made again, and came out green."""
    scores = list(state.scores["vq2"])
    scores[1] = scored((0.5, 0.96))
    values = tuple(score.value for score in scores)
    ranking = replace(state.report.ranking, order=(2, 0, 1, 3), values=values)
    report = replace(
        state.report, scores={**state.scores, "vq2": tuple(scores)}, rankings={"vq2": ranking}
    )
    new = with_images(state, regenerated={1: 11}, files=state.images.files[::-1])
    return replace(new.with_report(report), replaced=Replaced(1, state))


def test_both_images_stand_there_with_their_scores(state: GridState, again: GridState):
    before, now = read(replaced(again)).all("figure")
    assert before.text == "before: seed 8, VQ2 0.27"
    assert now.text == "now: seed 11, VQ2 0.73"
    assert before.one("img")["src"] == "pictures/pink.png"
    assert now.one("img")["src"] == "pictures/olive.png"


def test_it_is_said_which_scores_more(again: GridState):
    assert change_sentence(again) == "The new image scores 0.46 more by VQ2."
    worse = replace(again.replaced.before, replaced=Replaced(1, replace(again, replaced=None)))
    assert change_sentence(worse) == "The new image scores 0.46 less by VQ2."


def test_an_image_without_a_score_is_not_compared(again: GridState):
    ranking = replace(again.report.ranking, values=(0.75, None, 0.97, 0.25))
    unscored = again.with_report(replace(again.report, rankings={"vq2": ranking}))
    assert change_sentence(unscored) == "They cannot be compared by VQ2."


def test_there_is_nothing_where_no_image_was_made_again(state: GridState):
    assert (replaced(state), change_sentence(state)) == ("", "")

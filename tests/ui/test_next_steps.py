"""What can be done next with a grid: offered where it can help, and nowhere else."""

from dataclasses import replace

import gradio as gr
import pytest

from alignment.records import UnscoredPair
from alignment.region import FaultRegion
from session.state import GridState
from tests.ui.conftest import BACKPACK, scored, with_images
from ui.next_steps import NextSteps, findable, locatable, repairable


def failing(state: GridState, words: str) -> GridState:
    """A grid of which no image shows the last words of its prompt."""
    pair = replace(BACKPACK, answer=replace(BACKPACK.answer, text=words))
    wrong = scored((0.9, 0.1))
    wrong = replace(wrong, evidence=(wrong.evidence[0], replace(wrong.evidence[1], pair=pair)))
    scores = {"vq2": (wrong,) * state.size}
    report = replace(state.report, questions=(wrong.evidence[0].pair, pair), scores=scores)
    bundle = replace(state.request, bundle="embedded")
    return replace(state, request=bundle).with_report(report)


@pytest.mark.parametrize(("words", "possible"), [("green", True), ("maroon", False)])
def test_what_a_model_has_no_word_for_is_neither_looked_for_nor_repaired(
    state: GridState, words: str, possible: bool
):
    found = failing(state, words)
    chances = (0.5,) + (0.0,) * (state.size - 1)
    report = replace(found.report, relevance={"vq2": chances}, thresholds={"vq2": 0.9})
    for each in (found, found.with_report(report)):  # of the second one image is in doubt
        assert findable(each) is possible
        assert repairable(each, 0) is possible


def test_what_only_the_evaluators_have_no_word_for_is_no_obstacle(state: GridState):
    found = failing(state, "maroon")
    hub = replace(found, request=replace(found.request, model="sdxl"))
    unasked = UnscoredPair(found.questions[1], 'the scoring model does not know "maroon"')
    scores = tuple(
        replace(score, evidence=(replace(score.evidence[0], probability=0.1),), unscored=(unasked,))
        for score in found.scores["vq2"]
    )
    own = found.with_report(replace(found.report, scores={"vq2": scores}))
    assert [findable(each) for each in (hub, own)] == [True, True]


def test_faults_are_looked_for_until_all_of_an_image_are_found(state: GridState):
    found = failing(state, "green")
    wrong = scored((0.1, 0.1))
    both = found.with_report(replace(found.report, scores={"vq2": (wrong,) * state.size}))
    one = FaultRegion(0, "pink", frozenset())
    file = str(both.file(0))
    asked = [replace(both, regions={file: (one,) * known}) for known in (0, 1, 2)]
    assert [locatable(each, 0) for each in asked] == [True, True, False]


def test_an_attempt_on_its_way_into_the_grid_is_not_an_image_that_is_missing(state: GridState):
    joining = with_images(state, previews=frozenset({2}))
    with gr.Blocks():
        steps = NextSteps()
        steps.lay_out()
    assert steps.offered(joining, None, None)[steps.resume]["visible"] is False


def test_a_stopped_run_can_be_gone_on_with_also_after_its_images_were_scored(state: GridState):
    with gr.Blocks():
        steps = NextSteps()
        steps.lay_out()
    files = (*state.images.files[:-1], None)
    stopped = with_images(state, files=files)
    for found, scored_yet in (
        (stopped, True),
        (replace(stopped, stage=replace(stopped.stage, report=None)), False),
    ):
        offered = steps.offered(found, None, None)
        assert offered[steps.resume]["visible"] is True
        assert offered[steps.score]["visible"] is not scored_yet
    whole = steps.offered(state, None, None)
    assert whole[steps.resume]["visible"] is whole[steps.score]["visible"] is False

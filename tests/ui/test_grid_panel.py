"""What the page draws of a run, and what it leaves out."""

from __future__ import annotations

from dataclasses import replace

from alignment import Stage
from session.state import GridImages, GridState
from ui.grid_panel import paced


def test_every_picture_that_is_finished_is_drawn_however_quickly_they_come(state: GridState):
    files = state.images.files
    growing = [
        replace(state, stage=Stage("generating", done, 4), images=GridImages(files[:done]))
        for done in (1, 1, 2, 2, 3, 3, 4, 4)
    ]
    shown = [len(each.images.files) for each in paced(iter(growing))]
    assert shown == [1, 2, 3, 4]


def test_of_quick_steps_the_first_of_each_stage_and_the_report_are_drawn(
    state: GridState, unscored: GridState
):
    steps = [unscored.at(stage, done, 9) for stage in ("generating", "vq2") for done in range(9)]
    shown = [*paced(iter([*steps, state]))]
    assert shown[0] is steps[0]
    assert steps[9] in shown
    assert shown[-1] is state
    assert len(shown) < 6

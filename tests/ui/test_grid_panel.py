"""What the page draws of a run, and what it leaves out."""

from __future__ import annotations

from session.state import GridState
from ui.grid_panel import paced


def test_of_quick_steps_the_first_of_each_stage_and_the_report_are_drawn(
    state: GridState, unscored: GridState
):
    steps = [unscored.at(stage, done, 9) for stage in ("generating", "vq2") for done in range(9)]
    shown = [*paced(iter([*steps, state]))]
    assert shown[0] is steps[0]
    assert steps[9] in shown
    assert shown[-1] is state
    assert len(shown) < 6

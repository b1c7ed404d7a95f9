"""The panel of a blind comparison, by its handlers."""

from __future__ import annotations

import gradio as gr
import pytest

from session.blind import Kept, blind_test
from tests.session.test_comparison_summary import comparison, report
from ui.blind_panel import BlindPanel


@pytest.mark.usefixtures("no_loops_left")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_a_vote_of_another_window_draws_the_table_where_it_reveals_and_not_again_later():
    with gr.Blocks():
        panel = BlindPanel(gr.HTML())
    test = blind_test(comparison((report(0.9, 0.8), report(0.2, 0.1)))).voted(1)
    shown = test.shown()
    kept = Kept(shown.all_votes, shown.earlier.seen)
    assert panel.table in panel.recalled(kept, test)
    assert panel.table not in panel.recalled(kept, shown)

"""What the fields of the compare tab ask for, and what a link to it shows."""

from __future__ import annotations

import gradio as gr
import pytest

from generation import InvalidRequestError
from session.comparison import ComparisonState, System
from session.limits import Runs
from session.offer import Offer
from session.tab_links import comparison_link
from ui.comparison_fields import requested
from ui.components import enabled
from ui.tab_address import wanted
from ui.tabs.compare import Compare, lay_out

pytestmark = [
    pytest.mark.usefixtures("no_loops_left"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

COLUMNS = (
    *("stickers", "embedded", 7, "auto", "", "usual"),
    *("stickers", "embedded", 7, "off", "{prompt} at night", "usual"),
    *("sd-turbo", "embedded", 9, "auto", "{prompt}", "published"),
    *("stickers", "embedded", 7, "on", "", "usual"),
)


def test_fields_become_a_system_for_each_column_that_is_shown():
    found = requested("a cat\na dog", "1 x 2", "3", "mean", "mit1003", *COLUMNS)
    assert found.prompts == ("a cat", "a dog")
    assert (found.rows, found.columns, found.rank_by) == (1, 2, "mean")
    assert {found.requested(*place).request.saliency for place in found.places} == {"mit1003"}
    assert found.systems == (
        System(completion=True),
        System(wording="{prompt} at night"),
        System("sd-turbo", seed=9, vq2="published"),
    )


def test_a_seed_that_is_no_whole_number_names_its_column():
    broken = (*COLUMNS[:8], 1.5, *COLUMNS[9:])
    with pytest.raises(InvalidRequestError, match=r"the seed of column B is 1\.5; write a whole"):
        requested("a cat", "1 x 1", "2", "vq2", "spectral-residual", *broken)


def test_columns_that_are_hidden_are_not_read():
    broken = (*COLUMNS[:14], None, *COLUMNS[15:])
    assert len(requested("a cat", "1 x 1", "2", "vq2", "spectral-residual", *broken).systems) == 2


BLIND = comparison_link(ComparisonState(("a cat",), (System(), System(seed=9))), blind=True)


@pytest.fixture
def tab() -> Compare:
    with gr.Blocks():
        return lay_out(Offer(), Runs())


def test_a_blind_comparison_that_is_opened_again_has_its_panel(tab: Compare):
    tab.recent.save(str(BLIND), BLIND.asked)
    shown = tab.on_visit(str(BLIND))
    assert (shown[tab.panel.whole]["visible"], shown[tab.result]) == (True, "")
    assert tab.on_visit("")[tab.panel.whole]["visible"] is False


def test_whether_a_comparison_is_blind_cannot_be_changed_while_a_link_makes_it(tab: Compare):
    making = tab.on_wanted(wanted(str(BLIND)))
    assert next(making)[tab.fields.blind] == enabled(False)

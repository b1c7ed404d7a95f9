"""What the fields of the compare tab ask for, and what a link to it shows."""

import gradio as gr
import pytest

from generation import InvalidRequestError
from session.blind import Kept, blind_test
from session.comparison import ComparisonState, check
from session.limits import Runs
from session.offer import Offer
from session.systems.system import System
from session.tab_links import ComparisonLink
from tests.session.reports import comparison, report
from ui.blind_panel import BlindPanel
from ui.comparison_fields import requested
from ui.components import enabled
from ui.tabs.compare import Compare
from ui.visits import Wanted

COLUMNS = (
    *("icons", "embedded", 7, "auto", "", "usual", "", ""),
    *("icons", "embedded", 7, "off", "{prompt} at night", "usual", "2", ""),
    *("sd-1.5", "embedded", 9, "auto", "{prompt}", "published", "", "3"),
    *("icons", "embedded", 7, "on", "", "usual", "", ""),
)


def test_fields_become_a_system_for_each_column_that_is_shown():
    found = requested("a cat\na dog", "1 x 2", "3", "mean", *COLUMNS)
    assert found.prompts == ("a cat", "a dog")
    assert (found.rows, found.columns, found.rank_by) == (1, 2, "mean")
    assert found.systems == (
        System(completion=True),
        System(wording="{prompt} at night", steps=2),
        System("sd-1.5", seed=9, vq2="published", guidance=3.0),
    )


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        (10, 1.5, r"the seed of column B is 1\.5; write a whole"),
        (6, "many", "number of steps of column A is 'many'; write"),
    ],
)
def test_what_is_no_number_names_its_column(place: int, value: object, says: str):
    broken = (*COLUMNS[:place], value, *COLUMNS[place + 1 :])
    with pytest.raises(InvalidRequestError, match=says):
        requested("a cat", "1 x 1", "2", "vq2", *broken)


def test_what_is_offered_can_be_compared_as_it_stands():
    """Each column is another system at first: another model, or else another seed."""
    with gr.Blocks():
        tab = Compare(Offer(("icons", "stickers"), ("embedded",)), Runs())
    fields = [field.value for column in tab.fields.columns for field in column.fields]
    found = requested("a cat", "2 x 2", "4", "vq2", *fields)
    check(found)
    here = [(each.model, each.seed) for each in found.systems]
    assert here == [("icons", 7), ("stickers", 7), ("icons", 8), ("stickers", 8)]
    assert {*found.systems[1].differing(found.systems[0])} <= {"model", "completion"}


def test_columns_that_are_hidden_are_not_read():
    broken = (*COLUMNS[:18], None, *COLUMNS[19:])
    assert len(requested("a cat", "1 x 1", "2", "vq2", *broken).systems) == 2


BLIND = ComparisonLink(ComparisonState(("a cat",), (System(), System(seed=9))), blind=True)


@pytest.fixture
def tab() -> Compare:
    with gr.Blocks():
        return Compare(Offer(), Runs())


def test_a_blind_comparison_that_is_opened_again_has_its_panel(tab: Compare):
    tab.recent.save(str(BLIND), BLIND.asked)
    shown = tab.on_visit(str(BLIND))
    assert (shown[tab.panel.whole]["visible"], shown[tab.result]) == (True, "")
    assert tab.on_visit("")[tab.panel.whole]["visible"] is False


def test_whether_a_comparison_is_blind_cannot_be_changed_while_a_link_makes_it(
    tab: Compare, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ui.tabs.compare.compare", lambda asked, *_: iter([asked]))
    making = tab.on_wanted(Wanted(str(BLIND)))
    assert next(making)[tab.fields.blind] == enabled(False)


def test_a_vote_of_another_window_draws_the_table_where_it_reveals_and_not_again_later():
    with gr.Blocks():
        panel = BlindPanel(gr.HTML())
    test = blind_test(comparison((report(0.9, 0.8), report(0.2, 0.1)))).voted(1)
    shown = test.shown()
    kept = Kept(shown.all_votes, shown.earlier.seen)
    assert panel.table in panel.recalled(kept, test)
    assert panel.table not in panel.recalled(kept, shown)

"""What the log can say of a run."""

from tests.session.reports import comparison, report
from ui.admission import comparison_facts


def test_a_comparison_is_logged_with_its_models_and_how_far_it_came():
    state = comparison((report(0.9), report(0.8)), (report(0.7), report(0.6)))
    assert comparison_facts(state) == {
        "grids": "4 of 4",
        "model": "icons",
        "bundle": "embedded",
    }

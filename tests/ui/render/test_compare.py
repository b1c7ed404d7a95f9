"""The comparison as HTML: small grids, figures, differences in words, failures by kind."""

from dataclasses import replace

from session.comparison import ComparisonState
from session.comparison_summary import PairedDifference
from session.state import GridState
from session.systems.system import System
from tests.session.reports import comparison as of_reports
from tests.session.reports import report
from tests.ui.conftest import PARTLY, PROMPT
from tests.ui.reading import read
from ui.render.compare import activity, comparison, difference_sentence

SYSTEMS = (System(), System(seed=9), System(wording="<b>{prompt}</b>"))


def compared(state: GridState, **changes: object) -> ComparisonState:
    """The grid of the fixture under the first two of three systems."""
    grids = {(0, 0): state, (0, 1): state}
    return replace(ComparisonState((PROMPT,), SYSTEMS, grids=grids), **changes)


def test_nothing_is_drawn_before_a_grid_is_finished(state: GridState, unscored: GridState):
    assert comparison(compared(state, grids={})) == ""
    assert comparison(compared(state, grids={(0, 0): unscored})) == ""


def test_each_image_of_a_finished_grid_is_a_button_with_its_place_and_judgement(state: GridState):
    document = read(comparison(compared(state)))
    first, second, third = document.all("tbody")[0].all("td")
    assert [each["data-image"] for each in first.all("button")] == [
        "0,0,2", "0,0,0", "0,0,1", "0,0,3",
    ]  # fmt: skip
    assert [each.text for each in second.all("button")] == [
        "✓ right 0.97", "✓ right 0.75", "✗ wrong 0.27", "✗ wrong 0.25",
    ]  # fmt: skip
    assert third.text == "not finished"


def test_columns_are_told_apart_by_what_differs_and_typed_text_is_escaped(state: GridState):
    heads = read(comparison(compared(state))).all("thead")[0].all("th")
    assert [head.text for head in heads] == [
        "A icons, scored by embedded, seed 7",
        "B seed 9",
        'C "<b>{prompt}</b>"',
    ]


def test_failures_are_shares_of_the_answers_by_kind_of_question(state: GridState):
    failures = read(comparison(compared(state))).one("table", "failures")
    (row,) = failures.one("tbody").all("tr")
    assert row.one("th").text == "thing"
    assert [cell.text for cell in row.all("td")] == ["38 % 3 of 8", "38 % 3 of 8", "–"]


def test_uncalibrated_scores_are_said_to_be(state: GridState):
    assert "The scores of columns A and B are not calibrated" in comparison(compared(state))
    sure = state.with_report(replace(state.report, relevance={"vq2": (1, 0, 1, None)}))
    document = comparison(compared(sure))
    assert "not calibrated" not in document
    assert figures(compared(sure))["images right, of those judged, mean of 1 prompt"][0] == "67 %"
    assert figures(compared(sure))["cannot be told"][0] == "1 of 4 images"
    one = comparison(compared(state, grids={(0, 0): sure, (0, 1): state}))
    assert "The scores of column B are not calibrated: there an image" in one


def test_an_image_of_a_prompt_that_was_judged_in_part_is_right_in_that_part(state: GridState):
    def sentences(grid: GridState) -> list[str]:
        document = read(comparison(compared(grid)))
        return [each.text for each in document.one("ul", "differences").all("li")]

    scores = tuple(replace(each, coverage=PARTLY) for each in state.report.scores["vq2"])
    partly = state.with_report(replace(state.report, scores={**state.scores, "vq2": scores}))
    images = read(comparison(compared(partly))).all("tbody")[0].all("button")
    assert [each.text.split()[0] for each in images[:4]] == ["(✓)", "(✓)", "✗", "✗"]
    assert sentences(partly) == [
        *sentences(state),
        "Only part of 1 prompt could be judged; there an image counts as right when it shows "
        "that part.",
    ]


def test_of_a_prompt_that_was_not_judged_at_all_no_part_was(state: GridState):
    unknown = tuple(replace(e, value=None, coverage=PARTLY) for e in state.report.scores["vq2"])
    silent = state.with_report(replace(state.report, scores={**state.scores, "vq2": unknown}))
    assert "Only part" not in comparison(compared(silent))


def test_a_difference_is_told_by_whether_its_interval_holds_nought():
    said = [
        difference_sentence(PairedDifference(*numbers), "A", "B")
        for numbers in [
            (-0.12, -0.21, -0.03, 40, 9),
            (0.04, -0.06, 0.14, 40, 9),
            (0.0, 0.0, 0.0, 3, 0),
            (0.02, -0.72, 0.77, 3, 2),
            (0.5, -1.0, 1.0, 1, 1),
        ]
    ]
    assert said == [
        "B is right less often than A: −12 points, 95 % interval −21 to −3, 40 prompts.",
        "It cannot be told which of A and B is right more often: "
        "+4 points, 95 % interval −6 to 14, 40 prompts.",
        "A and B are right equally often on each of 3 prompts. "
        "With fewer than 10 prompts, do not rely on it.",
        "3 prompts are too few to tell which of A and B is right more often.",
        "1 prompt is too few to tell which of A and B is right more often.",
    ]


def test_below_a_figure_stands_its_difference_from_the_first_column():
    bad, good = report(0.1, 0.2), report(0.9, 0.8)
    state = of_reports((bad, good), (good, good), (good, good))
    said = figures(state)
    first, second = said["images right, of those judged, mean of 3 prompts"]
    assert first == "67 %"
    assert second == "100 %+33 points"
    assert said["cannot be told"] == ["0 of 6 images", "0 of 6 images"]
    (err,) = (cells for name, cells in said.items() if name.startswith("ERR"))
    assert err == ["0.80", "0.80the same on each of 3 prompts"]
    assert figures(of_reports((bad, good)))["images right, of those judged, mean of 1 prompt"] == [
        "0 %",
        "100 %",
    ]


def test_figures_that_are_compared_rest_on_the_same_prompts_and_say_how_many():
    right, wrong, unknown = report(0.9, 0.2), report(0.1, 0.2), report(None, 0.2)
    said = figures(of_reports((right, right), (right, right), (unknown, wrong)))
    assert said["first image right, mean of 2 of 3 prompts"] == [
        "100 %",
        "100 %the same on each of 2 prompts",
    ]


def figures(state: ComparisonState) -> dict[str, list[str]]:
    """The figures of each system, by what their row is called."""
    rows = read(comparison(state)).one("tfoot").all("tr")
    return {row.one("th").text: [cell.text for cell in row.all("td")] for row in rows}


def test_progress_counts_finished_grids(state: GridState, unscored: GridState):
    running = compared(state, grids={(0, 0): state, (0, 1): unscored})
    said, done, total = activity(running)
    assert said.startswith("prompt 1 of 1, column B: ")
    assert (done, total) == (1, 3)

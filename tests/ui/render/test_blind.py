"""A blind test as HTML: no names before they are revealed, then strengths and agreement."""

from dataclasses import replace

from session.blind import blind_test
from session.state import GridState
from tests.session.reports import comparison, report
from tests.ui.reading import read
from tests.ui.render.test_compare import compared
from ui.render.blind import ballot, revealed


def test_a_ballot_tells_nothing_but_the_prompt_and_the_images(state: GridState):
    test = blind_test(compared(state, systems=compared(state).systems[:2]))
    shown = read(ballot(test))
    assert len(shown.all("img")) == 8
    assert {image["alt"] for image in shown.all("img")} == {f"image {k}" for k in (1, 2, 3, 4)}
    assert not [word for word in ("seed", "icons", "0.97", "✓") if word in shown.text]


def test_the_end_of_the_ballots_and_their_absence_are_said():
    test = blind_test(comparison((report(0.9), report(0.1))))
    assert "You have judged every prompt" in ballot(test.voted(1))
    assert "nothing to judge" in ballot(replace(test, ballots=()))


def test_what_is_revealed_names_the_systems_and_counts_votes_and_ties():
    test = blind_test(comparison(*[(report(0.9), report(0.1))] * 2))
    shown = read(revealed(test.voted(0).voted(2 if test.ballots[1].left == 0 else -2)))
    strengths, agreement = shown.all("table")
    assert "2 votes so far, 1 of them without a preference" in shown.text
    assert strengths.all("tbody")[0].all("th")[0].text.endswith("seed 7, 2 x 2 by vq2")
    assert "share right100 %" in agreement.text
    assert "much better than" in shown.text
    assert "preferences.csv has all votes that this browser keeps" in shown.text


def test_why_there_is_no_table_of_grids_is_said():
    known, bare = report(0.9), replace(report(0.1), relevance={})
    said = [
        read(revealed(blind_test(comparison(each)).voted(1))).text
        for each in ((known, report(0.1)), (known, bare), (bare, bare))
    ]
    assert "grids.csv has the grids of this comparison" in said[0]
    assert "grids.csv leaves out 1 grid: VQ2 has no calibration" in said[1]
    assert "there is no grids.csv: VQ2 has no calibration" in said[2]

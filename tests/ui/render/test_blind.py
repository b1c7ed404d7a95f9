"""A blind test as HTML: no names before they are revealed, then strengths and agreement."""

from __future__ import annotations

from dataclasses import replace

from session.blind import Kept, blind_test
from session.state import GridState
from tests.session.test_comparison_summary import comparison, report
from tests.ui.reading import read
from tests.ui.render.test_compare import compared
from ui.render.blind import ballot, exported, revealed


def test_a_ballot_tells_nothing_but_the_prompt_and_the_pictures(state: GridState):
    test = blind_test(compared(state, systems=compared(state).systems[:2]))
    shown = read(ballot(test))
    assert len(shown.all("img")) == 8
    assert {image["alt"] for image in shown.all("img")} == {f"image {k}" for k in (1, 2, 3, 4)}
    assert not [word for word in ("seed", "stickers", "0.97", "✓") if word in shown.text]


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


def test_the_exported_tables_are_described_for_one_vote_and_for_many():
    one = blind_test(comparison((report(0.9), report(0.1)))).voted(1)
    assert read(exported(one)).text == (
        "preferences.csv has the 1 vote that this browser keeps. "
        "grids.csv has the grids of this comparison: 1 vote is about them."
    )
    larger = replace(one.comparison, rows=3)
    others = (*blind_test(larger).voted(1).votes, *one.votes)
    said = read(exported(replace(one, earlier=Kept(others)))).text
    assert "the 2 votes that" in said
    assert "1 vote is about them. The benchmark leaves the other vote out," in said
    two = blind_test(comparison(*[(report(0.9), report(0.1))] * 2)).voted(1).voted(1)
    assert "2 votes are about them." in read(exported(two)).text
    wider = blind_test(replace(one.comparison, columns=3)).voted(1).votes
    twice = read(exported(replace(one, earlier=Kept((*others[:1], *wider))))).text
    assert "1 vote is about them. The benchmark leaves the other votes out," in twice


def test_grids_that_are_left_out_are_said_to_be_with_the_true_cause():
    bare, good = replace(report(0.9), relevance={}), report(0.1)
    state = comparison((good, bare))
    published = replace(state.systems[1], vq2="published")
    columns = replace(state, systems=(state.systems[0], published))
    said = read(exported(blind_test(columns).voted(1))).text
    assert (
        "It leaves out grids of B: vq2 of embedded with the settings published is not calibrated, "
        "and such a score is no chance."
    ) in said
    one = blind_test(comparison((bare, bare))).voted(1)
    assert "There is no grids.csv: vq2 of embedded is not calibrated, and" in exported(one)


def test_without_a_vote_there_is_nothing_to_reveal():
    test = blind_test(comparison((report(0.9), report(0.1))))
    assert "You have not judged any prompt" in revealed(test)

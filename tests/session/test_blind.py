"""Ballots, votes and what they say; the exported tables are read by `benchmarks preference`."""

import io
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from benchmarks.preference.inputs import read_grids
from benchmarks.preference.people import judgements
from benchmarks.preference.published import differences, published_table
from session.blind import (
    BlindTest,
    Kept,
    agreement,
    blind_test,
    strengths,
)
from session.comparison import ComparisonState
from session.systems.system import System
from session.votes import grids_csv, preferences_csv
from tests.session.reports import comparison, report

GOOD, BAD = report(0.9, 0.8), report(0.2, 0.1)
GOOD_NAME, BAD_NAME = (f"icons, scored by embedded, seed {seed}, 2 x 2 by vq2" for seed in (7, 9))
PREFERS = {GOOD_NAME: 1, BAD_NAME: -1}


def judged(state: ComparisonState) -> BlindTest:
    """All ballots voted on by a person who prefers the first system a little."""
    test = blind_test(state)
    while ballot := test.current:
        test = test.voted(PREFERS[state.called(ballot.left)])
    return test


def of_columns(columns: int) -> ComparisonState:
    """Twelve prompts by so many systems."""
    state = comparison(*[(GOOD, BAD, GOOD, BAD)[:columns]] * 12)
    return replace(state, systems=tuple(System(seed=seed) for seed in range(columns)))


@pytest.mark.parametrize(("columns", "turns"), [(2, 12), (3, 4), (4, 2)])
def test_every_prompt_is_judged_once_every_pair_has_its_turns_and_sides_change(
    columns: int, turns: int
):
    ballots = blind_test(of_columns(columns)).ballots
    assert sorted(ballot.prompt for ballot in ballots) == [*range(12)]
    pairs = Counter(frozenset((ballot.left, ballot.right)) for ballot in ballots)
    assert {*pairs.values()} == {turns}
    assert len({(ballot.left, ballot.right) for ballot in ballots}) > len(pairs)


def test_nothing_can_be_voted_on_once_the_systems_are_revealed():
    test = blind_test(comparison((GOOD, BAD)))
    shown = test.shown()
    assert (shown.revealed, shown.voted(2)) == (True, shown)
    assert len(test.voted(2).voted(2).votes) == 1


def test_metrics_that_prefer_what_a_person_prefers_agree_and_ties_of_metrics_do_not():
    test = judged(comparison((GOOD, BAD), (GOOD, BAD), (BAD, GOOD)))
    found = agreement(test.voted(0).all_votes)
    assert found["share right"].rate.value == pytest.approx(2 / 3)
    assert (found["ERR"].rate.value, found["ERR"].metric_ties, found["ERR"].n) == (0, 3, 3)
    assert next(iter(found)) == "share right"


def test_votes_without_a_preference_have_no_agreement():
    test = blind_test(comparison((GOOD, BAD))).voted(0)
    assert agreement(test.votes) == {}
    assert [each.value for each in strengths(test.votes).values()] == pytest.approx(
        [0, 0], abs=1e-4
    )


def test_the_preferred_system_is_the_stronger_one_over_this_and_earlier_comparisons():
    first = judged(comparison((GOOD, BAD)))
    second = blind_test(comparison((GOOD, BAD)), Kept(first.all_votes))
    assert second.all_votes == first.votes
    assert next(iter(strengths(second.all_votes))) == GOOD_NAME


def test_a_grid_whose_ranking_is_not_calibrated_is_not_exported_as_chances():
    bare = replace(GOOD, relevance={})
    assert grids_csv(comparison((bare, bare))) == ""
    (header, *rows) = grids_csv(comparison((bare, BAD))).splitlines()
    assert header.startswith("prompt,system,place,relevance")
    assert len(rows) == BAD.rows * BAD.columns
    assert all("seed 9" in line for line in rows)


def test_the_exported_tables_are_read_by_the_benchmark_of_preferences():
    test = judged(comparison((GOOD, BAD), (GOOD, report(None, 0.1)), (BAD, GOOD)))
    systems = read_grids(pd.read_csv(io.StringIO(grids_csv(test.comparison))))
    votes = pd.read_csv(io.StringIO(preferences_csv(test.kept)))
    assert {*systems} == {*PREFERS}

    def mean_relevance(grids: object) -> object:
        return np.array([np.mean(grid.relevance) for grid in grids])  # type: ignore[attr-defined]

    about = judgements(systems, votes)
    values = differences(mean_relevance, about)  # type: ignore[arg-type]
    (column,) = published_table(about, {"relevance": values}, 7).values()
    assert column.agreements["relevance"].rate.value == pytest.approx(2 / 3)
    assert [*votes["preference"].abs()] == [1, 1, 1]


def test_a_vote_of_another_window_is_recalled_and_own_votes_stay():
    test = blind_test(comparison((GOOD, BAD), (GOOD, BAD))).voted(1)
    (other,) = blind_test(replace(comparison((GOOD, BAD)), rows=3)).voted(2).votes
    both = test.recalled(Kept((other, *test.votes)))
    assert (both.votes, both.earlier) == (test.votes, Kept((other,)))
    assert test.recalled(Kept((other,))).all_votes == (other, *test.votes)


def test_a_pair_that_was_judged_in_another_window_is_not_asked_again():
    """Of three prompts this window has judged one, and the other window another."""
    test = blind_test(comparison(*[(GOOD, BAD)] * 3)).voted(1)
    meanwhile, left = test.ballots[1:]
    assert test.current == meanwhile
    other = replace(test, votes=()).voted(0).voted(2).votes[1:]
    both = test.recalled(Kept((*test.votes, *other)))
    assert (both.current, both.judged) == (left, 2)
    assert both.voted(0).current is None
    assert len(both.voted(0).all_votes) == 3


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_a_test_that_is_begun_again_has_the_same_pairs_and_sides_and_goes_on(columns: int):
    state = of_columns(columns)
    first = blind_test(state).voted(1)
    again = blind_test(replace(state), Kept(first.votes))
    assert (again.ballots, again.current) == (first.ballots, first.current)
    assert (again.judged, again.here) == (1, first.votes)


def test_a_prompt_is_judged_once_both_grids_are_there_and_changes_no_pair_or_side_of_others():
    state = comparison(*[(GOOD, BAD)] * 5)
    some = {place: grid for place, grid in state.grids.items() if place != (2, 1)}
    before, after = blind_test(replace(state, grids=some)), blind_test(state)
    assert before.ballots == tuple(each for each in after.ballots if each.prompt != 2)


def test_a_click_on_a_pair_is_told_from_one_on_the_next_pair_or_on_another_comparison():
    test = blind_test(comparison((GOOD, BAD), (GOOD, BAD)))
    others = (test.voted(1), blind_test(replace(test.comparison, rank_by="clip")))
    assert len({test.asked, *(other.asked for other in others)}) == 3
    assert test.voted(1).voted(1).asked == ""

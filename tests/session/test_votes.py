"""Votes that a browser keeps: they come back as they were, and nothing else comes in."""

import json
from typing import Any

import pytest

from session.blind import Kept, Vote
from session.votes import (
    MOST_CHARACTERS,
    MOST_VOTED_SYSTEMS,
    MOST_VOTES,
    kept_text,
    read_kept,
    read_votes,
    votes_text,
)

VOTE = Vote("a red car", "A", "B", -2, {"ERR": -0.25, "share right": 0.5})
PLAIN = json.loads(votes_text([VOTE]))[0]


def test_one_vote_that_is_none_costs_no_other():
    assert read_votes([PLAIN, {**PLAIN, "preference": 3}, 7, PLAIN]) == (VOTE, VOTE)


def test_of_votes_about_long_prompts_fewer_are_kept():
    votes = [Vote("x" * 2900, "A", "B", number % 3, {}) for number in range(MOST_VOTES)]
    text = votes_text(votes)
    assert 490_000 < len(text) < MOST_CHARACTERS
    assert read_votes(json.loads(text)) == tuple(votes[-len(json.loads(text)) :])


def test_of_votes_about_too_many_systems_the_last_are_read():
    votes = [Vote("a", f"A{number}", "B", 0, {}) for number in range(MOST_VOTED_SYSTEMS + 3)]
    assert read_votes(json.loads(votes_text(votes))) == tuple(votes[-MOST_VOTED_SYSTEMS + 1 :])


def test_only_the_last_votes_are_kept():
    votes = [Vote(str(number), "A", "B", 0, {}) for number in range(MOST_VOTES + 2)]
    kept = read_votes(json.loads(votes_text(votes)))
    assert (len(kept), kept[0].prompt) == (MOST_VOTES, "2")


@pytest.mark.parametrize(
    "plain",
    [
        None,
        "votes",
        [7],
        [{**PLAIN, "preference": 3}],
        [{**PLAIN, "prompt": "x" * 3001}],
        [{**PLAIN, "differences": {"ERR": float("nan")}}],
        [{**PLAIN, "differences": {str(number): 0.0 for number in range(41)}}],
        [PLAIN] * (MOST_VOTES + 1),
    ],
)
def test_what_are_no_votes_are_none(plain: Any):
    assert read_votes(plain) == ()


def test_votes_and_what_was_revealed_come_back_each_pair_of_grids_once():
    seen = frozenset({"0123456789abcdef"})
    turned = Vote("a red car", "B", "A", 1, {})
    assert read_kept(json.loads(kept_text(Kept((VOTE, turned), seen)))) == Kept((VOTE,), seen)


@pytest.mark.parametrize("plain", [{}, {"seen": "all"}, {"seen": [7, "short", ["x" * 16]]}])
def test_what_names_no_comparison_reveals_none(plain: Any):
    assert read_kept(plain) == Kept()

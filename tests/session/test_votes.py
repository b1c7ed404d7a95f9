"""Votes that a browser keeps: they come back as they were, and nothing else comes in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from session.blind import Vote
from session.votes import MOST_VOTES, read_votes, votes_text

VOTE = Vote("a red car", "A", "B", -2, {"ERR": -0.25, "share right": 0.5})


def test_votes_come_back_as_they_were():
    assert read_votes(json.loads(votes_text([VOTE, VOTE]))) == (VOTE, VOTE)


def test_only_the_last_votes_are_kept():
    votes = [Vote(str(number), "A", "B", 0, {}) for number in range(MOST_VOTES + 2)]
    kept = read_votes(json.loads(votes_text(votes)))
    assert (len(kept), kept[0].prompt) == (MOST_VOTES, "2")


PLAIN = json.loads(votes_text([VOTE]))[0]


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

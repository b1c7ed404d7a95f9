"""Blind preferences: a person judges pairs of grids without knowing which system made them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, cycle
from random import Random
from typing import Annotated, Literal, TypeAlias
from uuid import uuid4

import numpy as np
from pydantic import Field, FiniteFloat
from pydantic.dataclasses import dataclass as checked_dataclass

from alignment.statistics.bradley_terry import bradley_terry
from alignment.statistics.intervals import Measured
from alignment.statistics.preferences import PreferenceAgreement, preference_agreement
from session.comparison import ComparisonState
from session.comparison_summary import MEASURES, SEED, measures

GridPair = tuple[str, frozenset[str]]
"""Two grids: their prompt, and what their systems are called."""


@dataclass(frozen=True)
class Ballot:
    """Two grids of one prompt, side by side; prompts and systems by their places."""

    prompt: int
    left: int
    right: int


Text: TypeAlias = Annotated[str, Field(max_length=3000)]


@checked_dataclass(frozen=True)
class Vote:
    """What a person said of two grids; checked, as whoever opens the page may send any."""

    prompt: Text
    first: Text
    """What a system is called, see `ComparisonState.called`."""
    second: Text
    preference: Annotated[int, Field(ge=-2, le=2)]
    """2 first much better, 1 better, 0 alike, -1, -2 second much better."""
    differences: dict[Literal[MEASURES], FiniteFloat]  # type: ignore[valid-type]
    """Metric -> what it says of the first grid minus what it says of the second."""
    id: Annotated[str, Field(max_length=64)] = ""
    """Tells it from every other vote, also from one of another window."""

    @property
    def pair(self) -> GridPair:
        """The two grids that it is about."""
        return self.prompt, frozenset((self.first, self.second))


@dataclass(frozen=True)
class Kept:
    """What a browser keeps of a person's blind tests."""

    votes: tuple[Vote, ...] = ()
    seen: frozenset[str] = frozenset()
    """The comparisons whose columns were revealed, by their `identity`."""
    name: str = ""
    """What the person calls themselves; empty where they did not say."""

    @property
    def rater(self) -> str:
        """What tells the person's votes from those of others: their name, or one made up for them.

        >>> Kept((Vote("a cat", "A", "B", 1, {}, id="3f2a9c77"),)).rater
        'visitor 3f2a9c'
        """
        first = self.votes[0].id if self.votes else ""
        return self.name or f"visitor {first[:6]}".strip()


@dataclass(frozen=True)
class BlindTest:
    """A comparison to be judged blindly, and the votes so far."""

    comparison: ComparisonState
    ballots: tuple[Ballot, ...]
    """The same ones whenever this comparison is judged."""
    votes: tuple[Vote, ...] = ()
    """Given here."""
    earlier: Kept = Kept()
    """The same person's, on this and other comparisons, from before or from another window."""

    @property
    def revealed(self) -> bool:
        """Whether the person has seen which column is which."""
        return self.comparison.identity in self.earlier.seen

    @property
    def judged(self) -> int:
        """The number of ballots on which there is a vote."""
        return len(self.ballots) - len(self._open)

    @property
    def current(self) -> Ballot | None:
        """The ballot to be voted on; None when all are, or the systems are revealed."""
        return self._open[0] if self._open and not self.revealed else None

    @property
    def asked(self) -> str:
        """What tells the current ballot from any other; empty without one."""
        return f"{self.comparison.identity}:{self.judged}" if self.current else ""

    @property
    def kept(self) -> Kept:
        """What the browser is to keep."""
        return replace(self.earlier, votes=self.all_votes)

    @property
    def all_votes(self) -> tuple[Vote, ...]:
        """The person's votes so far."""
        return counted_once((*self.earlier.votes, *self.votes))

    @property
    def here(self) -> tuple[Vote, ...]:
        """Those on the grids of this comparison."""
        grids = {
            (self.comparison.prompts[prompt], self.comparison.called(system))
            for prompt, system in self.comparison.finished
        }
        return tuple(
            vote
            for vote in self.all_votes
            if {(vote.prompt, vote.first), (vote.prompt, vote.second)} <= grids
        )

    @property
    def _open(self) -> tuple[Ballot, ...]:
        """The ballots on whose two grids there is no vote."""
        judged = {vote.pair for vote in self.all_votes}
        return tuple(each for each in self.ballots if _pair(self.comparison, each) not in judged)

    def recalled(self, kept: Kept) -> BlindTest:
        """The same test where a browser keeps these votes, maybe of another window, too.

        Where it keeps none, they are forgotten, and every ballot is open again. A vote given here
        on two grids that the person has judged in another window is dropped. What is revealed
        stays so.
        """
        own = {vote.id for vote in self.votes}
        others = tuple(vote for vote in kept.votes if vote.id not in own)
        judged = {vote.pair for vote in others}
        votes = tuple(vote for vote in self.votes if kept.votes and vote.pair not in judged)
        seen = kept.seen | (self.earlier.seen & {self.comparison.identity})
        return replace(self, votes=votes, earlier=Kept(others, seen, kept.name))

    def voted(self, preference: int) -> BlindTest:
        """The same test after a vote on the current ballot; unchanged where there is none.

        Args:
            preference: 2, 1, 0, -1 or -2, above 0 for the left grid.
        """
        if not self.current:
            return self
        vote = _vote(self.comparison, self.current, preference)
        return replace(self, votes=(*self.votes, vote))

    def shown(self) -> BlindTest:
        """The same test, its columns revealed."""
        seen = self.earlier.seen | {self.comparison.identity}
        return replace(self, earlier=replace(self.earlier, seen=seen))


def blind_test(comparison: ComparisonState, earlier: Kept = Kept()) -> BlindTest:
    """One ballot for each prompt whose grids are finished, in random order, sides at random.

    With more than two systems every pair of them has its turn. What is drawn depends on what is
    compared alone, so that a test goes on after a reload, or in another window.
    """
    random = Random(comparison.identity)
    pairs = [*combinations(range(len(comparison.systems)), 2)]
    prompts = [*range(len(comparison.prompts))]
    random.shuffle(pairs)
    random.shuffle(prompts)
    drawn = [
        Ballot(prompt, *random.sample(pair, 2))
        for prompt, pair in zip(prompts, cycle(pairs), strict=False)
    ]
    ballots = tuple(
        each
        for each in drawn
        if {(each.prompt, each.left), (each.prompt, each.right)} <= {*comparison.finished}
    )
    return BlindTest(comparison, ballots, earlier=earlier)


def counted_once(votes: Iterable[Vote]) -> tuple[Vote, ...]:
    """Of the votes on the same two grids the first: a later one may know what was revealed.

    >>> first, second = (Vote("a cat", *sides, 2, {}) for sides in ("AB", "BA"))
    >>> counted_once([first, second]) == (first,)
    True
    """
    by_pair = dict[GridPair, Vote]()
    for vote in votes:
        by_pair.setdefault(vote.pair, vote)
    return tuple(by_pair.values())


def _pair(comparison: ComparisonState, ballot: Ballot) -> GridPair:
    """The two grids of a ballot."""
    called = frozenset(map(comparison.called, (ballot.left, ballot.right)))
    return comparison.prompts[ballot.prompt], called


def agreement(votes: Sequence[Vote]) -> dict[str, PreferenceAgreement]:
    """Metric -> how it goes with the votes, the most agreeing first; none where all are ties."""
    metrics = dict.fromkeys(metric for vote in votes for metric in vote.differences)
    found = {}
    for metric in metrics:
        known = [vote for vote in votes if metric in vote.differences]
        if any(vote.preference for vote in known):
            found[metric] = preference_agreement(
                [vote.preference for vote in known],
                [vote.differences[metric] for vote in known],
                [vote.prompt for vote in known],
                np.random.default_rng(SEED),
            )
    return dict(sorted(found.items(), key=lambda each: -each[1].rate.value))


def strengths(votes: Iterable[Vote]) -> dict[str, Measured]:
    """Bradley-Terry strengths of the systems; how much better does not matter."""
    return bradley_terry(
        [
            (vote.first, vote.second, (1 + (vote.preference > 0) - (vote.preference < 0)) / 2)
            for vote in votes
        ]
    )


def _vote(comparison: ComparisonState, ballot: Ballot, preference: int) -> Vote:
    left, right = (
        measures(report) if (report := comparison.grids[ballot.prompt, system].report) else {}
        for system in (ballot.left, ballot.right)
    )
    first, second = (comparison.called(each) for each in (ballot.left, ballot.right))
    differences = {name: left[name] - right[name] for name in left if name in right}
    prompt = comparison.prompts[ballot.prompt]
    return Vote(prompt, first, second, preference, differences, uuid4().hex)

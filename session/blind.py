"""Blind preferences: a person judges pairs of grids without knowing which system made them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, cycle
from random import Random
from uuid import uuid4

import numpy as np

from alignment.records import GridReport
from alignment.statistics.bradley_terry import Strength, bradley_terry
from alignment.statistics.preferences import PreferenceAgreement, preference_agreement
from session.comparison import ComparisonState
from session.comparison_summary import SEED, measures
from session.spreadsheet import harmless

RATER = "visitor"
"""Who voted, as the exported table calls them."""


@dataclass(frozen=True)
class Ballot:
    """Two grids of one prompt, side by side; prompts and systems by their places."""

    prompt: int
    left: int
    right: int


@dataclass(frozen=True)
class Vote:
    """What a person said of two grids."""

    prompt: str
    first: str
    """What a system is called, see `ComparisonState.called`."""
    second: str
    preference: int
    """2 first much better, 1 better, 0 alike, -1, -2 second much better."""
    differences: Mapping[str, float]
    """Metric -> what it says of the first grid minus what it says of the second."""
    id: str = ""
    """Tells it from every other vote, also from one of another window."""


@dataclass(frozen=True)
class BlindTest:
    """A comparison to be judged blindly, and the votes so far."""

    comparison: ComparisonState
    ballots: tuple[Ballot, ...]
    votes: tuple[Vote, ...] = ()
    """On the first ballots, as many as there are."""
    earlier: tuple[Vote, ...] = ()
    """The same person's, on this and other comparisons, before this page."""
    revealed: bool = False

    @property
    def current(self) -> Ballot | None:
        """The ballot to be voted on; None when all are, or the systems are revealed."""
        done = len(self.votes)
        return self.ballots[done] if done < len(self.ballots) and not self.revealed else None

    @property
    def all_votes(self) -> tuple[Vote, ...]:
        """The person's votes so far."""
        return (*self.earlier, *self.votes)

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

    def recalled(self, kept: Sequence[Vote]) -> BlindTest:
        """The same test where a browser keeps these votes, maybe of another window, too.

        Where it keeps none, they are forgotten, and every ballot is open again. A pair of grids
        that the person has judged in another window is not asked again.
        """
        if not kept:
            return replace(blind_test(self.comparison, Random()), revealed=self.revealed)
        own = {vote.id for vote in self.votes}
        others = tuple(vote for vote in kept if vote.id not in own)
        done = len(self.votes)
        still = _not_judged(self.comparison, self.ballots[done:], others)
        return replace(self, ballots=(*self.ballots[:done], *still), earlier=others)

    def voted(self, preference: int) -> BlindTest:
        """The same test after a vote on the current ballot; unchanged where there is none.

        Args:
            preference: 2, 1, 0, -1 or -2, above 0 for the left grid.
        """
        if not self.current:
            return self
        vote = _vote(self.comparison, self.current, preference)
        return replace(self, votes=(*self.votes, vote))


def blind_test(
    comparison: ComparisonState, random: Random, earlier: Sequence[Vote] = ()
) -> BlindTest:
    """One ballot for each prompt whose grids are finished, in random order, sides at random.

    With more than two systems every pair of them has its turn. Two grids that the person has voted
    on before are not judged again, so that a test goes on after a reload.

    Args:
        comparison: with at least one prompt that two systems have finished.
        random: shuffles prompts, pairs and sides.
        earlier: the person's votes on this and other comparisons.
    """
    pairs = [*combinations(range(len(comparison.systems)), 2)]
    prompts = [*range(len(comparison.prompts))]
    random.shuffle(pairs)
    random.shuffle(prompts)
    ballots = [
        Ballot(prompt, *random.sample(pair, 2))
        for prompt, pair in zip(prompts, cycle(pairs), strict=False)
        if all((prompt, system) in comparison.finished for system in pair)
    ]
    return BlindTest(comparison, _not_judged(comparison, ballots, earlier), earlier=tuple(earlier))


def _not_judged(
    comparison: ComparisonState, ballots: Iterable[Ballot], votes: Iterable[Vote]
) -> tuple[Ballot, ...]:
    """The ballots on whose two grids there is no vote."""
    judged = {(vote.prompt, frozenset((vote.first, vote.second))) for vote in votes}
    return tuple(
        each
        for each in ballots
        if (
            comparison.prompts[each.prompt],
            frozenset(map(comparison.called, (each.left, each.right))),
        )
        not in judged
    )


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
    return dict(sorted(found.items(), key=lambda each: -each[1].rate))


def strengths(votes: Iterable[Vote]) -> tuple[Strength, ...]:
    """Bradley-Terry strengths of the systems; how much better does not matter."""
    return bradley_terry(
        [
            (vote.first, vote.second, (1 + (vote.preference > 0) - (vote.preference < 0)) / 2)
            for vote in votes
        ]
    )


def preferences_csv(votes: Iterable[Vote]) -> str:
    """The votes as `python -m benchmarks preference --preferences` reads them."""
    rows = ((v.prompt, v.first, v.second, RATER, v.preference) for v in votes)
    return _csv(("prompt", "first", "second", "rater", "preference"), rows)


def grids_with_chances(comparison: ComparisonState) -> dict[tuple[str, str], GridReport]:
    """Prompt and system -> the report of a grid whose ranking is calibrated."""
    return {
        (comparison.prompts[prompt], comparison.called(system)): grid.report
        for (prompt, system), grid in comparison.finished.items()
        if grid.report and grid.report.ranked_by in grid.report.relevance
    }


def grids_csv(comparison: ComparisonState) -> str:
    """The reranked grids as `python -m benchmarks preference --grids` reads them; "" without any.

    Relevance is the calibrated chance of each image by the method of the ranking; an image without
    one is worth nothing. A grid whose ranking is not calibrated is left out: a score is no chance.
    """
    rows = [
        (prompt, system, *row)
        for (prompt, system), report in grids_with_chances(comparison).items()
        for row in _places(report)
    ]
    if not rows:
        return ""
    return _csv(("prompt", "system", "place", "relevance", "attention", "similarity"), rows)


def votes_with_grids(test: BlindTest) -> int:
    """How many of a person's votes are about grids that `grids_csv` has."""
    known = grids_with_chances(test.comparison)
    return sum(
        (vote.prompt, vote.first) in known and (vote.prompt, vote.second) in known
        for vote in test.here
    )


def left_out(comparison: ComparisonState) -> tuple[int, ...]:
    """The systems that have finished grids which `grids_csv` leaves out."""
    known = grids_with_chances(comparison)
    absent = {
        system
        for prompt, system in comparison.finished
        if (comparison.prompts[prompt], comparison.called(system)) not in known
    }
    return tuple(sorted(absent))


def _places(report: GridReport) -> Iterable[tuple[int, float, float, str]]:
    """Place, relevance, attention and similarities of each image, as reranked."""
    order = report.ranking.order
    relevance = report.relevance[report.ranked_by]
    attention = report.saliency.get("reranked", (1.0,) * len(order))
    for place, cell in enumerate(order):
        known = report.similarity
        alike = [float(cell == other) for other in order] if known is None else known[cell]
        similarity = " ".join(f"{alike[other]:.6g}" for other in order)
        yield place, relevance[cell] or 0.0, attention[place], similarity


def _vote(comparison: ComparisonState, ballot: Ballot, preference: int) -> Vote:
    left, right = (
        measures(report) if (report := comparison.grids[ballot.prompt, system].report) else {}
        for system in (ballot.left, ballot.right)
    )
    first, second = (comparison.called(each) for each in (ballot.left, ballot.right))
    differences = {name: left[name] - right[name] for name in left if name in right}
    prompt = comparison.prompts[ballot.prompt]
    return Vote(prompt, first, second, preference, differences, uuid4().hex)


def _harmless(field: object) -> object:
    return harmless(field) if isinstance(field, str) else field


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([_harmless(field) for field in row] for row in rows)
    return text.getvalue()

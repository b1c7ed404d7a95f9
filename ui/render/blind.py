"""HTML of a blind test: two grids without names, then what the votes say."""

from __future__ import annotations

from collections.abc import Mapping

from alignment.statistics.intervals import FEW, Measured
from alignment.statistics.preferences import PreferenceAgreement
from session.blind import BlindTest, Vote, agreement, strengths
from session.comparison import LETTERS, ComparisonState
from ui.render.compare import small_grid
from ui.render.words import counted, listed, method_name, percent, row, safe, table

NO_BALLOT = "No prompt has two finished grids yet, so there is nothing to judge."
TABLES = "preferences.csv has all votes that this browser keeps"
ALL_VOTED = "You have judged every prompt. Reveal which column is which."


def ballot(test: BlindTest) -> str:
    """The two grids to be judged; that all are judged, or that none can be."""
    current = test.current
    if not current:
        said = ALL_VOTED if test.ballots else NO_BALLOT
        return f'<p class="ballot-done" role="status">{said}</p>'
    grids = "".join(
        f"<figure><figcaption>{side}</figcaption>"
        f"{small_grid(test.comparison.grids[current.prompt, system])}</figure>"
        for side, system in (("left", current.left), ("right", current.right))
    )
    number = f"{test.judged + 1} of {len(test.ballots)}"
    prompt = safe(test.comparison.prompts[current.prompt])
    return (
        f'<section class="ballot" aria-label="Prompt {number}"><p class="note">prompt {number}</p>'
        f"<h2>{prompt}</h2><div>{grids}</div></section>"
    )


def revealed(test: BlindTest) -> str:
    """What the votes say of systems and metrics; that there are none, without a vote."""
    votes = test.all_votes
    if not votes:
        return '<p class="note">You have not judged any prompt.</p>'
    ties = sum(vote.preference == 0 for vote in votes)
    few = f" Fewer than {FEW}: do not rely on the intervals." if len(votes) < FEW else ""
    said = f"{counted(len(votes), 'vote')} so far, {ties} of them without a preference.{few}"
    systems = range(len(test.comparison.systems))
    letters = {test.comparison.called(system): LETTERS[system] for system in systems}
    told = ((each.prompt, _choice(each, letters)) for each in test.here)
    rows = "".join(f"<li>{safe(prompt)}: {choice}</li>" for prompt, choice in told)
    chosen = f'<ul class="votes">{rows}</ul>' if rows else ""
    return (
        f'<section class="revealed"><h2>What you preferred</h2><p class="note">{said}</p>'
        f"{_strengths(strengths(votes))}{_agreement(agreement(votes))}{chosen}"
        f'<p class="note">{safe(f"{TABLES}; {_about_grids(test.comparison)}")}.</p></section>'
    )


def _about_grids(comparison: ComparisonState) -> str:
    """What grids.csv has, or why there is none, or why grids are left out of it."""
    reports = [grid.report for grid in comparison.finished.values() if grid.report]
    left_out = [each.ranked_by for each in reports if each.ranked_by not in each.relevance]
    if not left_out:
        return "grids.csv has the grids of this comparison"
    methods = listed([*map(method_name, dict.fromkeys(left_out))])
    cause = f"{methods} has no calibration with those evaluators, and a score alone is not a chance"
    if len(left_out) == len(reports):
        return f"there is no grids.csv: {cause}"
    return f"grids.csv leaves out {counted(len(left_out), 'grid')}: {cause}"


def _strengths(found: Mapping[str, Measured]) -> str:
    rows = "".join(
        row(safe(name), [_signed(each.value), f"{_signed(each.low)} to {_signed(each.high)}"])
        for name, each in found.items()
    )
    caption = (
        "Bradley-Terry strengths in logits, 0 on average: one that is 1 higher is preferred "
        "in 73 % of choices. A vote without a preference counts as half a win for each."
    )
    return table(["column", "strength", "95 % interval"], rows, caption=caption)


def _agreement(found: Mapping[str, PreferenceAgreement]) -> str:
    if not found:
        return '<p class="note">Without a preference no metric can agree with you.</p>'
    rows = "".join(_metric(name, each) for name, each in found.items())
    heads = ["metric", "agrees with you", "95 % interval", "votes", "where it decides", "votes"]
    caption = (
        "How often each metric prefers what you prefer: of all your votes with a preference, where "
        "a metric's tie counts as disagreement, and of those on which it decides (chance: 50 %)."
    )
    return table(heads, rows, caption=caption)


def _metric(name: str, found: PreferenceAgreement) -> str:
    rate, decides = found.rate, found.n - found.metric_ties
    interval = f"{percent(rate.low)} to {percent(rate.high)}"
    where = percent(found.decided.value if decides else None)
    cells = [percent(rate.value), interval, str(found.n), where, str(decides)]
    return row(safe(method_name(name)), cells)


def _choice(vote: Vote, letters: Mapping[str, str]) -> str:
    """A vote in words, by the letters of the columns.

    >>> _choice(Vote("a red car", "icons", "stickers", -2, {}), {"icons": "A", "stickers": "B"})
    'B much better than A'
    """
    first, second = letters[vote.first], letters[vote.second]
    if not vote.preference:
        return f"{first} and {second} alike"
    better, worse = (first, second)[:: 1 if vote.preference > 0 else -1]
    return f"{better} {'much ' if abs(vote.preference) > 1 else ''}better than {worse}"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")

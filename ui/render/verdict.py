"""The verdict on a grid in one sentence: how many images are right, and what the others miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from alignment.records import Evidence, ImageScore
from session.state import GridState
from ui.render.words import counted, listed, safe

MOST_NAMED = 3
"""How many missing spans of the prompt are named."""


def verdict(state: GridState) -> str:
    """The sentence as HTML; empty before every image has a score."""
    said = sentence(state)
    return f'<p class="grid-verdict" role="status">{safe(said)}</p>' if said else ""


def sentence(state: GridState) -> str:
    """The verdict in words.

    E.g. '6 of 9 pictures show everything that was asked about. The others miss "orange" (3).'
    """
    if not state.report:
        return ""
    scored = [cell for cell in range(state.size) if _evidence(state, cell)]
    if not scored:
        return f"It cannot be said what these pictures show: {_reason(state)}."
    right = [cell for cell in scored if is_right(state, cell)]
    unknown = state.size - len(scored)
    rest = f" {counted(unknown, 'picture')} could not be scored." if unknown else ""
    if len(right) == len(scored):
        whole = _all(len(scored))
        return f"{whole} everything that was asked about.{rest}"
    missing = _missing(state, [cell for cell in scored if cell not in right])
    if not right:
        none = "The picture does not show" if len(scored) == 1 else "No picture shows"
        return f"{none} everything that was asked about. Missing: {missing}.{rest}"
    others = "The other misses" if len(scored) - len(right) == 1 else "The others miss"
    shows = "picture shows" if len(right) == 1 else "pictures show"
    opening = f"{len(right)} of {len(scored)} {shows} everything that was asked about."
    return f"{opening} {others} {missing}.{rest}"


def is_right(state: GridState, cell: int) -> bool:
    """Whether every answer about an image holds; False when none was asked for."""
    evidence = _evidence(state, cell)
    return bool(evidence) and all(entry.holds for entry in evidence)


def badge(state: GridState, cell: int) -> str:
    """No image is "best" where none is right, and none is "worst" where all are."""
    if len(state.ranked) < 2 or cell not in (state.ranked[0], state.ranked[-1]):
        return ""
    right = [is_right(state, each) for each in state.ranked]
    if cell == state.ranked[0]:
        return "best" if any(right) else ""
    return "" if all(right) or not _evidence(state, cell) else "worst"


def narrowest(entries: Sequence[Evidence]) -> list[Evidence]:
    """The entries whose span contains no other's: "three" rather than "three stars"."""
    spans = [entry.pair.answer for entry in entries]
    return [
        entry
        for entry in entries
        if not any(
            other != entry.pair.answer
            and entry.pair.answer.start <= other.start
            and other.end <= entry.pair.answer.end
            for other in spans
        )
    ]


def _missing(state: GridState, cells: Sequence[int]) -> str:
    """The spans that most images miss, with how many miss each."""
    found: Counter[str] = Counter()
    for cell in cells:
        failing = [entry for entry in _evidence(state, cell) if not entry.holds]
        failing.sort(key=lambda entry: entry.pair.answer.start)
        found.update([*dict.fromkeys(entry.pair.answer.text for entry in narrowest(failing))])
    named = [
        f'"{text}" ({count})' if len(cells) > 1 else f'"{text}"'
        for text, count in found.most_common(MOST_NAMED)
    ]
    more = len(found) - len(named)
    return listed([*named, f"{more} more"] if more else named)


def _all(count: int) -> str:
    return "The picture shows" if count == 1 else f"All {count} pictures show"


def _evidence(state: GridState, cell: int) -> tuple[Evidence, ...]:
    score = state.score(cell, "vq2")
    return score.evidence if score else ()


def _reason(state: GridState) -> str:
    scores = (state.score(cell, "vq2") for cell in range(state.size))
    reasons = (score.reason for score in scores if isinstance(score, ImageScore) and score.reason)
    return next(reasons, "no question was asked").rstrip(".")

"""The verdict on a grid in one sentence: how many images are right, and what the others miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from alignment.records import Evidence, ImageScore
from session.state import GridState
from ui.render.words import METHODS, counted, image_name, listed, safe

METHOD = "vq2"
"""The method whose evidence the verdict rests on."""

MOST_NAMED = 3
"""How many missing spans of the prompt are named."""


def verdict(state: GridState) -> str:
    """The sentence as HTML; empty before every image has a score."""
    said = sentence(state)
    if not said:
        return ""
    asked = f'<p class="grid-prompt">pictures of: {safe(state.prompt)}</p>'
    return f'{asked}<p class="grid-verdict" role="status">{safe(said)}</p>'


def sentence(state: GridState) -> str:
    """The verdict in words.

    E.g. '6 of 9 pictures show everything that was asked about. The others miss "orange" (3).' Of
    calibrated scores it says "probably", as they are chances.
    """
    if not state.report:
        return ""
    scored = [cell for cell in range(state.size) if _score(state, cell).value is not None]
    if not scored:
        return f"It cannot be said what these pictures show: {_reason(state)}."
    right = [cell for cell in scored if is_right(state, cell)]
    missed = _missing(state, [cell for cell in scored if cell not in right])
    opening = _opening(len(right), len(scored), "probably " if _chances(state) else "")
    said = f"{opening} everything that was asked about."
    if missed:
        said += f" {_lacking(len(right), len(scored))} {missed}."
    return said + _misled(state, scored) + _not_judged(state, len(scored))


def is_right(state: GridState, cell: int) -> bool:
    """Whether an image more likely than not shows what was asked about.

    By the calibrated chance of its score; where there is no calibration, by whether every answer
    holds. False of an image without a score.
    """
    if chances := _chances(state):
        return (chances[cell] or 0.0) >= 0.5
    score = _score(state, cell)
    return score.value is not None and all(entry.holds for entry in score.evidence)


def badge(state: GridState, cell: int) -> str:
    """No image is "best" where none is right, and none is "worst" where all are."""
    if len(state.ranked) < 2 or cell not in (state.ranked[0], state.ranked[-1]):
        return ""
    right = [is_right(state, each) for each in state.ranked]
    if cell == state.ranked[0]:
        return "best" if any(right) else ""
    return "" if all(right) or not _score(state, cell).evidence else "worst"


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


def _opening(right: int, scored: int, probably: str) -> str:
    """How many pictures are right, up to what they show.

    >>> _opening(2, 4, ""), _opening(0, 4, "probably ")
    ('2 of 4 pictures show', 'Probably no picture shows')
    """
    if scored == 1:
        return f"The picture {probably}{'shows' if right else 'does not show'}"
    if not right:
        return f"{probably}no picture shows".capitalize()
    if right == scored:
        return f"All {scored} pictures {probably}show"
    show = f"pictures {probably}shows" if right == 1 else f"pictures {probably}show"
    return f"{right} of {scored} {show}"


def _lacking(right: int, scored: int) -> str:
    """How the sentence on what is missing begins."""
    if not right:
        return "Missing:"
    return "The other misses" if scored - right == 1 else "The others miss"


def _missing(state: GridState, cells: Sequence[int]) -> str:
    """The spans that most images miss, with how many miss each; the least sure where all hold."""
    found: Counter[str] = Counter()
    for cell in cells:
        score = _score(state, cell)
        failing = [entry for entry in score.evidence if not entry.holds]
        failing = failing or [entry for entry in [score.weakest] if entry]
        failing.sort(key=lambda entry: entry.pair.answer.start)
        found.update([*dict.fromkeys(entry.pair.answer.text for entry in narrowest(failing))])
    named = [
        f'"{text}" ({count})' if len(cells) > 1 else f'"{text}"'
        for text, count in found.most_common(MOST_NAMED)
    ]
    more = len(found) - len(named)
    return listed([*named, f"{more} more"] if more else named) if named else ""


def _misled(state: GridState, scored: Sequence[int]) -> str:
    """The methods that put a wrong image first where there is a right one, and what it misses."""
    if not state.report or not any(is_right(state, cell) for cell in scored):
        return ""
    said = ""
    for method, ranking in state.report.rankings.items():
        first = ranking.order[0]
        judged = first in scored and ranking.values[first] is not None
        if method != METHOD and judged and not is_right(state, first):
            said += f" {METHODS[method]} would put {image_name(state, first)} first, which misses "
            said += f"{_missing(state, [first])}."
    return said


def _not_judged(state: GridState, scored: int) -> str:
    """The words and the pictures that the verdict says nothing about."""
    known = (_score(state, cell).coverage for cell in range(state.size))
    coverage = next(filter(None, known), None)
    words = [f'"{word.text}"' for word in coverage.uncovered] if coverage else []
    said = f" Not judged: {listed([*dict.fromkeys(words)])}." if words else ""
    unknown = state.size - scored
    return said + (f" {counted(unknown, 'picture')} could not be scored." if unknown else "")


def _chances(state: GridState) -> tuple[float | None, ...]:
    """The calibrated chance of each cell; empty without a calibration."""
    return state.report.relevance.get(METHOD, ()) if state.report else ()


def _score(state: GridState, cell: int) -> ImageScore:
    return state.score(cell, METHOD) or ImageScore(METHOD, None)


def _reason(state: GridState) -> str:
    reasons = (_score(state, cell).reason for cell in range(state.size))
    return next(filter(None, reasons), "no question was asked").rstrip(".")

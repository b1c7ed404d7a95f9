"""HTML of a contrast check: the best image scored against captions that contradict the prompt."""

from __future__ import annotations

from collections.abc import Callable

from alignment.records import ContrastCheck, ScoredCaption
from session.state import GridState
from ui.render.words import (
    counted,
    help_mark,
    image,
    image_name,
    listed,
    method_name,
    number,
    own_in_bold,
    safe,
    table,
)

NOTHING = "No contradiction of this prompt could be written."
UNSCORED = "No method can score both this prompt and a contradiction of it."
CAVEAT = "An image that is wrong itself may fit a changed prompt better, and rightly so."


def contrast(state: GridState) -> str:
    """The best image's scores under the prompt and each contradiction; empty before the check."""
    found = state.contrast_check
    if found is None:
        return ""
    rows = _row(found.prompt, found) + "".join(
        _row(held, found, place) for place, held in enumerate(found.contradictions)
    )
    heads = [f"{safe(method_name(m))}{help_mark(m)}" for m in found.prompt.scores]
    return (
        '<section class="evidence contradicted" aria-label="Contrast check"><header>'
        f"{image(state.file(found.cell))}<div><h2>Contrast check</h2>"
        f'<p class="seed">best image, {safe(image_name(state, found.cell))}, scored under '
        "captions that contradict the prompt</p></div>"
        f'</header><p class="why">{safe(_contrast_verdict(found))}</p>'
        f"{table(['the prompt says', *heads], rows)}<footer>{CAVEAT}</footer></section>"
    )


def _contrast_verdict(found: ContrastCheck) -> str:
    """How many contradictions each method scores lower than the prompt, in words.

    >>> from alignment.records import ImageScore
    >>> said, changed = (
    ...     ScoredCaption(text, {"clip": ImageScore("clip", value)})
    ...     for text, value in (("a red pie", 0.9), ("a blue pie", 0.6))
    ... )
    >>> _contrast_verdict(ContrastCheck(0, said, (changed,), 1))
    'Scored lower than the prompt: CLIP 1 of 1.'
    """
    if not found.total:
        return NOTHING
    if not found.contradictions:
        return f"{counted(found.total, 'contradiction')} will be scored."
    told = {m: [each for each in found.noticed(m) if each is not None] for m in found.prompt.scores}
    said = [
        f"{method_name(m)} {each.count(True)} of {len(each)}" for m, each in told.items() if each
    ]
    return f"Scored lower than the prompt: {listed(said)}." if said else UNSCORED


def _row(held: ScoredCaption, found: ContrastCheck, place: int | None = None) -> str:
    """One text and its scores; a contradiction says of each whether it is lower."""
    cells = "".join(_cell(held, found, method, place) for method in found.prompt.scores)
    return f"<tr><td>{own_in_bold(held.text, found.prompt.text)}</td>{cells}</tr>"


def _cell(held: ScoredCaption, found: ContrastCheck, method: str, place: int | None) -> str:
    value = held.scores[method].value
    shown = number if value is None else written(found, method)
    lower = None if place is None else found.noticed(method)[place]
    if lower is None:
        return f'<td class="probability" title="{exact(value)}">{shown(value)}</td>'
    name, sign = ("holds", "✓") if lower else ("fails", "✗")
    meaning = f"{exact(value)}, {'lower' if lower else 'not lower'} than under the prompt"
    return f'<td class="probability {name}" title="{meaning}">{sign} {shown(value)}</td>'


def written(found: ContrastCheck, method: str) -> Callable[[float | None], str]:
    """How a method's scores are written: with four places where two hide that one differs."""
    said = found.prompt.scores[method].value
    values = [held.scores[method].value for held in found.contradictions]
    hidden = any(value != said and number(value) == number(said) for value in values)
    return exact if hidden else number


def exact(value: float | None) -> str:
    """Four places, where two would hide a difference.

    >>> exact(0.00312)
    '0.0031'
    """
    return "no score" if value is None else f"{value:.4f}"

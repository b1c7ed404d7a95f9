"""HTML of an image that was generated again, beside the one that it took the place of."""

from __future__ import annotations

from session.state import GridState
from ui.render.gallery import description
from ui.render.words import image_name, method_name, number, safe, url


def replaced(state: GridState) -> str:
    """Both images with their scores, and which is higher; nothing where none was made again."""
    if state.replaced is None or not state.report:
        return ""
    before, cell = state.replaced.before, state.replaced.cell
    return (
        '<section class="replaced" aria-label="Before and after">'
        f"{_figure(before, cell, state.ranked_by, 'before')}"
        f"{_figure(state, cell, state.ranked_by, 'now')}"
        f"<p>{safe(sentence(state))}</p></section>"
    )


def sentence(state: GridState) -> str:
    """Which of the two images scores higher, by the method in force.

    E.g. "The new image scores 0.52 more by VQ2."
    """
    if state.replaced is None:
        return ""
    method, cell = state.ranked_by, state.replaced.cell
    now, then = _value(state, cell, method), _value(state.replaced.before, cell, method)
    if now is None or then is None:
        return f"They cannot be compared by {method_name(method)}."
    change = round(now, 2) - round(then, 2)
    if round(change, 2) == 0:
        return f"Both score the same by {method_name(method)}."
    verb = "more" if change > 0 else "less"
    return f"The new image scores {number(abs(change))} {verb} by {method_name(method)}."


def _figure(state: GridState, cell: int, method: str, when: str) -> str:
    address, alt = url(state.file(cell)) or "", safe(description(state, cell))
    said = f"{when}: {image_name(state, cell)}, {method_name(method)} "
    said += number(_value(state, cell, method))
    image = f'<img src="{safe(address)}" alt="{alt}">'
    return f"<figure>{image}<figcaption>{safe(said)}</figcaption></figure>"


def _value(state: GridState, cell: int, method: str) -> float | None:
    """The score of a cell by a method, which need not be the one in force then."""
    ranking = state.report.rankings.get(method) if state.report else None
    return ranking.values[cell] if ranking else None

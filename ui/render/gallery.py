"""HTML of the grid: each cell's image, rank, score and failing pairs."""

from __future__ import annotations

from collections.abc import Sequence

from alignment.judgements import METHOD
from session.state import GridState
from ui.render.outcome import DOUBT, RIGHT, WRONG, ImageVerdict, in_html, in_words, outcome
from ui.render.sentences import bare
from ui.render.verdict import badge
from ui.render.words import (
    counted,
    diff_spans,
    help_mark,
    image,
    image_name,
    listed,
    method_name,
    number,
    safe,
)

DENSE = 5
"""Columns from which captions are shortened."""


def gallery(
    state: GridState,
    arrangement: Sequence[int] | None = None,
    selected: int | None = None,
) -> str:
    """The grid; each cell is a button that carries its cell number, whatever its place.

    Args:
        arrangement: the cell at each place, row by row; reranked when None.
    """
    order = state.arranged("reranked") if arrangement is None else arrangement
    cells = "".join(_cell(state, cell, cell == selected) for cell in order)
    label = safe(f"{counted(state.size, 'image')} of: {state.prompt}")
    columns = state.request.columns
    kind = "gallery dense" if columns >= DENSE else "gallery"
    kind += "" if state.report else " growing"
    grid = safe(" ".join([str(state.request.grid), *state.images.names]))
    return (
        f'<ol class="{kind}" style="--columns: {columns}" data-grid="{grid}" '
        f'aria-label="{label}">{cells}</ol>'
        f"{_legend(state)}"
    )


def description(state: GridState, cell: int) -> str:
    """The alt text of an image.

    E.g. "rank 9 of 9, VQ2 0.41, the backpack is not green".
    """
    if cell in state.images.filtered:
        return f"image {cell + 1}, filtered by the safety checker"
    rank, value = state.rank(cell), state.value(cell)
    parts = [f"rank {rank} of {state.size}" if rank else f"image {cell + 1} of {state.size}"]
    if value is not None:
        parts.append(f"{method_name(state.ranked_by)} {number(value)}")
    elif state.report:
        parts.append("could not be judged")
    if (said := outcome(state, cell)).sign == WRONG:
        parts.append(in_words(said.faults))
    words = completed(state, cell)
    return ", ".join([*parts, f"generated with: {words}"] if words else parts)


def _legend(state: GridState) -> str:
    """What the numbers under the images are."""
    if not any(state.value(cell) is not None for cell in range(state.size)):
        return ""
    method = state.ranked_by
    return f'<p class="legend">ranked by {safe(method_name(method))}{help_mark(method)}</p>'


def _cell(state: GridState, cell: int, selected: bool) -> str:
    preview = cell in state.images.previews
    stage = "preview" if preview else "done" if state.file(cell) else "empty"
    return (
        f'<li class="cell {stage}" data-cell="{cell}">'
        f'<button type="button" aria-pressed="{str(selected).lower()}">'
        f'<span class="image">{_image(state, cell)}</span>'
        '<span class="bar" aria-hidden="true">'
        f'<span style="width: {state.value(cell) or 0.0:.1%}"></span></span>'
        f'<span class="caption">{caption(state, cell)}</span></button></li>'
    )


def _image(state: GridState, cell: int) -> str:
    if cell in state.images.filtered:
        return '<span class="filtered">filtered by the safety checker</span>'
    why = "not in the file that was opened" if state.opened else "not generated yet"
    empty = f'<span class="waiting" role="img" aria-label="{why}"></span>'
    return image(state.file(cell), description(state, cell), draggable="false") or empty


def caption(state: GridState, cell: int) -> str:
    """What stands under an image: rank, score, badge, what fails, and what completed the prompt."""
    rank = state.rank(cell)
    known_as = safe(image_name(state, cell))
    place = f"#{rank}" if rank else known_as
    place += f" {known_as}" if rank and state.images.names else ""
    value = state.value(cell)
    score = f'<span class="score">{number(value)}</span>' if value is not None else ""
    name = badge(state, cell)
    mark = f'<span class="badge {name}">{name}</span>' if name else ""
    words = completed(state, cell)
    more = f'<span class="given">with: {safe(words)}</span>' if words else ""
    return f'<span class="rank">{place}</span>{score}{mark}{_verdict(state, cell)}{more}'


def completed(state: GridState, cell: int) -> str:
    """What the model of an image was given beyond the prompt, or all of it where the prompt does
    not stand in it; empty where that is nothing.
    """
    given = state.images.given.get(cell) or state.request.given(state.seed_of(cell))
    if given == state.prompt or cell in state.images.found:
        return ""
    if diff_spans(state.prompt, given) != [(" ".join(state.prompt.split()), False)]:
        return given
    return ", ".join(words for words, new in diff_spans(given, state.prompt) if new)


def _verdict(state: GridState, cell: int) -> str:
    """What is wrong with the image, in words of the prompt; else that all hold, or neither.

    Nothing where no image could be judged.
    """
    said = outcome(state, cell)
    if not said.words or all(each.value is None for each in state.scores[METHOD]):
        return ""
    return marked(said)


def marked(said: ImageVerdict) -> str:
    """The verdict on an image as its sign and few words, as HTML."""
    if said.sign == RIGHT:
        return f'<span class="verdict holds">{RIGHT}<span> all</span></span>'
    if said.sign == WRONG:
        wrong = f'<span class="verdict fails" title="{safe(in_words(said.faults))}">{WRONG}'
        return f"{wrong}<span> {in_html(said.faults)}</span></span>"
    if said.holds:  # the prompt says which words
        words = f'({RIGHT})<span class="unseen"> judged part</span>'
    else:
        doubted = [
            f"no {bare(each.words.text)}" if each.unwanted else each.words.text
            for each in said.faults
        ] or [said.words.partition(":")[0]]
        words = f"{DOUBT}<span> {safe(listed(doubted))}</span>"
    return f'<span class="verdict" title="{safe(said.words)}">{words}</span>'

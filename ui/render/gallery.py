"""A `Board` comes in; its grid goes out as HTML: picture, rank, score and failing pairs by cell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from session.state import Board
from session.wording import counted
from ui.render.words import help_mark, method_name, number, safe


def gallery(
    board: Board,
    arrangement: Sequence[int] | None = None,
    selected: int | None = None,
    steps: Sequence[int | None] = (),
) -> str:
    """The grid; each cell is a button that carries its cell number, whatever its place.

    Args:
        board: what is known so far.
        arrangement: the cell at each place, row by row; as reranked, or else as generated.
        selected: the cell whose reasons are shown.
        steps: when each place is looked at, from 1; None for one that is passed over.
    """
    order = board.arranged("reranked") if arrangement is None else arrangement
    cells = "".join(
        _cell(board, cell, cell == selected, step)
        for cell, step in zip_longest(order, steps[: len(order)])
    )
    label = safe(f"{counted(board.size, 'picture')} of: {board.prompt}")
    return (
        f'<ol class="gallery" style="--columns: {board.columns}" aria-label="{label}">{cells}</ol>'
        f"{_legend(board)}"
    )


def description(board: Board, cell: int) -> str:
    """What a picture is, for those who do not see it.

    E.g. "rank 9 of 9, VQ2 0.41, fails: what color is the backpack, expected green".
    """
    if cell in board.filtered:
        return f"picture {cell + 1}, filtered by the safety checker"
    rank, value = board.rank(cell), board.value(cell)
    parts = [f"rank {rank} of {board.size}" if rank else f"picture {cell + 1} of {board.size}"]
    if value is not None:
        parts.append(f"{method_name(board.ranked_by)} {number(value)}")
    return ", ".join(parts + [f"fails: {fault}" for fault in _faults(board, cell)[:1]])


def _faults(board: Board, cell: int) -> list[str]:
    """The failing pairs, the worst first."""
    score = board.score(cell, "vq2")
    failing = [entry for entry in score.evidence if not entry.holds] if score else []
    failing.sort(key=lambda entry: entry.probability)
    return [
        f"{entry.pair.question.rstrip('?')}, expected {entry.pair.answer.text}" for entry in failing
    ]


def _legend(board: Board) -> str:
    """What the numbers under the pictures are."""
    if not any(board.value(cell) is not None for cell in range(board.size)):
        return ""
    method = board.ranked_by
    return f'<p class="legend">ranked by {method_name(method)}{help_mark(method)}</p>'


def _cell(board: Board, cell: int, selected: bool, step: int | None) -> str:
    state = "rough" if cell in board.rough else "done" if board.address(cell) else "empty"
    return (
        f'<li class="cell {state}" data-cell="{cell}">'
        f'<button type="button" aria-pressed="{str(selected).lower()}">'
        f'<span class="picture">{_picture(board, cell)}{_honour(board, cell)}'
        f"{_step(step)}</span>"
        f"{_bar(board.value(cell))}"
        f'<span class="caption">{_caption(board, cell)}</span></button></li>'
    )


def _picture(board: Board, cell: int) -> str:
    address = board.address(cell)
    if cell in board.filtered:
        return '<span class="filtered">filtered by the safety checker</span>'
    if not address:
        return '<span class="waiting" aria-label="not painted yet"></span>'
    return f'<img src="{safe(address)}" alt="{safe(description(board, cell))}" draggable="false">'


def _honour(board: Board, cell: int) -> str:
    """Best and worst say so."""
    if len(board.ranked) < 2 or cell not in (board.ranked[0], board.ranked[-1]):
        return ""
    name = "best" if cell == board.ranked[0] else "worst"
    return f'<span class="honour {name}">{name}</span>'


def _step(step: int | None) -> str:
    """When the eye gets here, on its most likely way."""
    if step is None:
        return ""
    return f'<span class="step" style="--step: {step}" aria-hidden="true">{step}</span>'


def _bar(value: float | None) -> str:
    filled = f'<span style="width: {value or 0.0:.1%}"></span>'
    return f'<span class="bar" aria-hidden="true">{filled}</span>'


def _caption(board: Board, cell: int) -> str:
    rank = board.rank(cell)
    place = f"#{rank}" if rank else safe(board.known_as(cell))
    value = board.value(cell)
    score = f'<span class="score">{number(value)}</span>' if value is not None else ""
    return f'<span class="rank">{place}</span>{score}{_verdict(board, cell)}'


def _verdict(board: Board, cell: int) -> str:
    """How many pairs fail, by sign and word."""
    score = board.score(cell, "vq2")
    if score is None or not score.evidence:
        return ""
    failing, asked = len(_faults(board, cell)), counted(len(score.evidence), "answer")
    name, sign = ("fails", f"✗ {failing}") if failing else ("holds", "✓")
    words = "all hold" if not failing else "fails" if failing == 1 else "fail"
    return (
        f'<span class="verdict {name}" title="{failing} of {asked} fail">'
        f"{sign}<span> {words}</span></span>"
    )

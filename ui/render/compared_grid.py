"""HTML of one grid of a comparison: where the methods disagree, and under another prompt."""

from __future__ import annotations

from collections.abc import Sequence

from alignment.records import QuestionAnswer
from session.comparison import LETTERS, ComparisonState, question_changes
from session.comparison_summary import Disagreement, disagreements
from session.state import GridState
from ui.render.compare import small_grid
from ui.render.evidence import expected
from ui.render.gallery import description
from ui.render.outcome import outcome
from ui.render.words import counted, image, image_name, listed, method_name, number, safe


def disagreement(state: ComparisonState, place: tuple[int, int] | None) -> str:
    """The two images of one grid, with the ranks and reasons of each method.

    Empty where there is no such grid; that nothing is disputed, where the ranks agree.
    """
    grid = state.finished.get(place) if place else None
    if not (place and grid and grid.report) or grid.size < 2:
        return ""
    found = disagreements(grid.report)
    prompt, letter = safe(state.prompts[place[0]]), LETTERS[place[1]]
    cards = "".join(_card(grid, each) for each in found)
    said = f"Column {letter}, “{prompt}”: "
    said += "the images whose ranks differ most." if found else "every method ranks them alike."
    return (
        '<section class="disagreement" aria-label="Disagreement">'
        f'<h2>Where the methods disagree</h2><p class="note">{said}</p><div>{cards}</div></section>'
    )


def _card(grid: GridState, found: Disagreement) -> str:
    ranks = [f"{method_name(name)} ranks it {rank:g}" for name, rank in found.ranks.items()]
    rows = "".join(_reason(grid, found.cell, name) for name in found.ranks)
    return (
        f"<article>{image(grid.file(found.cell), description(grid, found.cell))}"
        f"<div><h3>{safe(image_name(grid, found.cell))}</h3><p>{listed(ranks)} of {grid.size}.</p>"
        f"<dl>{rows}</dl></div></article>"
    )


def _reason(grid: GridState, cell: int, method: str) -> str:
    """What a method says of the image: the verdict where it asks questions, or the number alone."""
    score = grid.score(cell, method)
    if score is None:
        return ""
    said = number(score.value)
    if score.weakest:
        said += f"; {outcome(grid, cell)}"
    return f"<dt>{method_name(method)}</dt><dd>{safe(said)}</dd>"


WHOLE = "VNLI and CLIP ask about the whole prompt, and were asked again."


def rewording(before: GridState, after: GridState) -> str:
    """The questions by what became of them, then the grid under both prompts.

    Args:
        before: the finished grid.
        after: the same images under another prompt; its grid is shown once it is scored.
    """
    if after.stage.name == "reading":
        return ""
    found = question_changes(before, after)
    said = f"{counted(len(found.new), 'question')} asked anew, {len(found.kept)} answered already."
    lists = (
        _questions("new", "+", found.new),
        _questions("kept", "=", found.kept),
        _questions("no longer asked", "−", found.gone),
    )
    return (
        '<section class="rewording" aria-label="The other prompt">'
        f'<p role="status">{said} {WHOLE}</p><ul>{"".join(lists)}</ul>{_grids(before, after)}'
        "</section>"
    )


def _questions(what: str, sign: str, pairs: Sequence[QuestionAnswer]) -> str:
    return "".join(
        f'<li><span class="sign">{sign}</span> <span class="what">{what}:</span> '
        f"{safe(pair.question)} {safe(expected(pair))}</li>"
        for pair in pairs
    )


def _grids(before: GridState, after: GridState) -> str:
    if not after.report:
        return ""
    figures = "".join(
        f"<figure><figcaption>{safe(grid.prompt)}</figcaption>{small_grid(grid, judged=True)}"
        "</figure>"
        for grid in (before, after)
    )
    return f"<div>{figures}</div>"

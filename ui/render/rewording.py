"""HTML of images scored against another prompt: which questions are new, and what they change."""

from __future__ import annotations

from collections.abc import Sequence

from alignment.records import QuestionAnswer
from session.rewording import question_changes
from session.state import GridState
from ui.render.compare import small_grid
from ui.render.evidence import expected
from ui.render.words import counted, safe

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

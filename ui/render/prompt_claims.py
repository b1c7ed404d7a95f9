"""HTML of the prompt as a result: its groups of words, each with how many images show it."""

from __future__ import annotations

from collections.abc import Sequence

from alignment.answers import AnswerTable, Segment, answer_table
from alignment.judgements import METHOD
from session.state import GridState
from ui.render.words import counted, safe

LABEL = "The prompt: how many images show each part"


def table_of(state: GridState, cells: Sequence[int] | None = None) -> AnswerTable:
    """The answers to the claims of a grid's prompt, as far as its images have been asked.

    Args:
        state: what is known so far.
        cells: a row each; all of them when None.
    """
    asked = range(state.size) if cells is None else cells
    return answer_table(state.prompt, state.questions, [state.score(c, METHOD) for c in asked])


def prompt_claims(state: GridState) -> str:
    """The prompt as a row of buttons; empty before it is known what is asked of its images.

    A button names the cells that show its words, so that the page can dim the others.
    """
    table = table_of(state)
    if not any(table.rows) and not any(each.reason for each in table.segments):
        return ""
    row = "".join(f"<li>{_group(table, each)}</li>" for each in table.segments)
    return f'<ul class="prompt-claims" aria-label="{LABEL}">{row}</ul>'


def missing(state: GridState, cell: int) -> tuple[str, ...]:
    """The groups of words that the image of a cell fails, in prompt order."""
    table = table_of(state, [cell])
    failing = {*table.failing(0)}
    return tuple(each.text for each in table.segments if failing & {*each.claims})


def _group(table: AnswerTable, group: Segment) -> str:
    words = safe(group.text)
    if not group.claims and not group.reason:
        return f"<span>{words}</span>"
    if not group.claims:
        why = safe(group.reason)
        return f'<span class="unjudged" title="{why}">{words} <small>not judged</small></span>'
    shown, asked = table.holding(group.claims)
    kind = "holds" if shown == asked else "fails" if shown == 0 else "mixed"
    cells = " ".join(str(cell) for cell in table.showing(group.claims))
    told = safe(f"{group.text}: {shown} of {counted(asked, 'image')}")
    return (
        f'<button type="button" class="claim {kind}" data-cells="{cells}" aria-pressed="false" '
        f'aria-label="{told}">{words} <small>{shown}/{asked}</small></button>'
    )

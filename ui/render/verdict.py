"""The prompt as a result, with how many images show each part, and the verdict in one sentence."""

from __future__ import annotations

from alignment.answers import AnswerTable, Count, Segment
from alignment.judgements import METHOD, complete, judgements, satisfied
from alignment.records import ImageScore
from session.state import GridState
from ui.render.words import counted, method_name, number, safe, with_marks

RULES_OUT = frozenset({"no", "without"})
"""The words that rule out what follows them; `alignment.questions.negation` reads no others."""
LABEL = "The prompt: how many images show each part"


def prompt_claims(state: GridState) -> str:
    """The prompt as a row of buttons; empty before it is known what is asked of its images.

    A button names the cells that show its words, or may, so that the page can dim the others.
    """
    table = state.answers()
    if not any(table.rows) and not any(each.reason for each in table.segments):
        return ""
    row = "".join(f"<li>{_group(table, *each)}</li>" for each in groups(table))
    said = f'data-prompt="{safe(state.prompt)}" aria-label="{LABEL}"'
    return f'<ul class="prompt-claims" {said}>{row}</ul>'


def groups(table: AnswerTable) -> list[tuple[Segment, str]]:
    """The groups of a prompt and their words; the sign that rules one out belongs to it."""
    found: list[tuple[Segment, str]] = []
    for each in table.segments:
        text = each.text
        if any(table.claims[claim].negated for claim in each.claims):
            before, said = found[-1] if found else (each, "")
            rest, _, sign = said.rpartition(" ")
            signed = not before.claims and sign.lower() in RULES_OUT
            text = f"{sign if signed else 'without'} {text}"
            found = [*found[:-1], *([(before, rest)] if rest else [])] if signed else found
        found.append((each, text))
    return found


def _group(table: AnswerTable, group: Segment, text: str) -> str:
    words = safe(text)
    if not group.claims and not group.reason:
        return f"<span>{words}</span>"
    if not group.claims:
        why = safe(group.reason)
        return f'<span class="unjudged" title="{why}">{words} <small>not judged</small></span>'
    count = table.counted(group.claims)
    denied = any(table.claims[each].negated for each in group.claims)
    some = count.showing or count.perhaps or denied
    kind = "holds" if count.showing == count.asked else "mixed" if some else "fails"
    if kind == "fails":
        spans = [table.claims[each].span for each in table.shown_by_none(group.claims)]
        words = with_marks(text, group.start, spans, lambda lost: f"<s>{safe(lost)}</s>")
    cells = " ".join(map(str, table.may_show(group.claims)))
    more = f", maybe {count.perhaps}{' more' * bool(count.showing)}" if count.perhaps else ""
    told = safe(f"{text}: {count.showing} of {counted(count.asked, 'image')}{more}")
    return (
        f'<button type="button" class="claim {kind}" data-cells="{cells}" aria-pressed="false" '
        f'aria-label="{told}" title="{told}">{words} <small>{share(count)}</small></button>'
    )


def share(count: Count) -> str:
    """How many of the images show some words: what is sure, and what may be.

    >>> share(Count(4, 0, 9)), share(Count(4, 5, 9))
    ('4/9', '4/9, 5 maybe')
    """
    more = f", {count.perhaps} maybe" if count.perhaps else ""
    return f"{count.showing}/{count.asked}{more}"


OTHERS = "try other words or other evaluators."
"""What to do where no method can judge anything."""
ALL_JUDGED = "all that could be judged"
"""What an image shows that holds, where some words of the prompt could not be judged."""


def verdict(state: GridState) -> str:
    """The prompt with its counts and, once every image has a score, the sentence, as HTML."""
    row = prompt_claims(state)
    said = sentence(state)
    if said and not row:
        words = safe(state.prompt)
        row = f'<p class="grid-prompt" data-prompt="{words}">{words}</p>'
    return row + (f'<p class="grid-verdict" role="status">{safe(said)}</p>' if said else "")


def sentence(state: GridState) -> str:
    """The verdict in words; the row of claims says what is missing.

    E.g. "6 of 9 images show everything." Of calibrated scores it says "probably", as they are
    chances, and how many of these are not clear enough to say either.
    """
    if not state.report:
        return ""
    scored = [cell for cell in range(state.size) if _score(state, cell).value is not None]
    if not scored:
        table = state.answers()
        if not any(table.rows) and any(each.reason for each in table.segments):
            return f"No word could be judged. {_otherwise(state)}"  # the row says why
        return f"These images could not be judged: {_reason(state)}. {_otherwise(state)}"
    found = satisfied(state.report)
    right, wrong = (sum(found[cell] is each for cell in scored) for each in (True, False))
    unclear = len(scored) - right - wrong
    whole = all(complete(_score(state, cell)) for cell in scored)
    if whole or wrong == len(scored):
        said = _opening(right, wrong, len(scored), METHOD in state.report.relevance)
    else:
        said = _partly(right, unclear, len(scored))
    unknown = len({*range(state.size)} - {*state.missing, *scored})
    return said + (f" {counted(unknown, 'image')} could not be scored." if unknown else "")


def _otherwise(state: GridState) -> str:
    """What to do where the method of the ranking can judge nothing.

    E.g. "Rank by CLIP, or try other words or other evaluators."
    """
    others = [method_name(method) for method in _judging(state)]
    return f"Rank by {' or '.join(others)}, or {OTHERS}" if others else OTHERS.capitalize()


def _judging(state: GridState) -> list[str]:
    """The methods that could score some image."""
    scores = state.scores.items()
    return [name for name, some in scores if any(score.value is not None for score in some)]


def ways_on(state: GridState) -> str:
    """Where the method of the ranking can judge nothing, a button for each that can."""
    if not state.report or any(value is not None for value in state.report.ranking.values):
        return ""
    return " ".join(
        f'<button type="button" class="word" data-rank-by="{method}">'
        f"Rank by {safe(method_name(method))}</button>"
        for method in _judging(state)
    )


def badge(state: GridState, cell: int) -> str:
    """Best and worst, where some images are right, some are not, and no other scores the same."""
    found = judgements(state.report) if state.report else ()
    shown = [number(state.value(each)) for each in state.ranked]
    if len({*found}) < 2 or shown.count(number(state.value(cell))) != 1:
        return ""
    if cell == state.ranked[0]:
        return "best" if found[cell] else ""
    return "worst" if cell == state.ranked[-1] and found[cell] is False else ""


def _opening(right: int, wrong: int, scored: int, chances: bool) -> str:
    """How many images are right, and how many more may be.

    >>> print(_opening(2, 2, 4, chances=False))
    2 of 4 images show everything.
    >>> print(_opening(6, 2, 9, chances=True))
    6 of 9 images probably show everything; 1 more may.
    >>> print(_opening(0, 7, 9, chances=True))
    2 of 9 images may show everything.
    >>> print(_opening(0, 0, 9, chances=True))
    All 9 images may show everything.
    """
    unclear, probably = scored - right - wrong, "probably " if chances else ""
    if scored == 1:
        shows = f"{probably}shows" if right else f"{probably}does not show" if wrong else "may show"
        return f"The image {shows} everything."
    if wrong == scored:
        return f"{probably}no image shows everything.".capitalize()
    if right == scored:
        return f"All {scored} images {probably}show everything."
    if not right:
        them = f"All {scored}" if unclear == scored else f"{unclear} of {scored}"
        return f"{them} images may show everything."
    said = f"{right} of {scored} images {probably}show{'s' if right == 1 else ''} everything"
    return f"{said}; {unclear} more may." if unclear else f"{said}."


def _partly(images: int, unclear: int, scored: int) -> str:
    """How many images hold all that could be judged, or may, where some words could not.

    >>> print(_partly(3, 0, 9))
    Only part of the prompt could be judged; 3 of 9 images show that part.
    >>> print(_partly(3, 2, 9))
    Only part of the prompt could be judged; 3 of 9 images show that part, 2 more may.
    >>> print(_partly(0, 2, 9))
    Only part of the prompt could be judged; 2 of 9 images may show that part.
    >>> print(_partly(0, 9, 9))
    Only part of the prompt could be judged; all 9 images may show that part.
    """
    show = "shows" if images == 1 else "show"
    if not images:
        images, unclear, show = unclear, 0, "may show"
    them = f"{images} of {scored} images {show}"
    if images == scored:
        them = f"the image {show}" if scored == 1 else f"all {scored} images {show}"
    more = f", {unclear} more may" if unclear else ""
    return f"Only part of the prompt could be judged; {them} that part{more}."


def _score(state: GridState, cell: int) -> ImageScore:
    return state.score(cell, METHOD) or ImageScore(METHOD, None)


def _reason(state: GridState) -> str:
    reasons = (_score(state, cell).reason for cell in range(state.size))
    return next(filter(None, reasons), "no question was asked").rstrip(".")

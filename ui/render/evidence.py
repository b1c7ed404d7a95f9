"""HTML of an opened image: what is wrong with it, the figures behind that, and what it replaced."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from alignment.answers import AnswerTable
from alignment.judgements import METHOD
from alignment.records import Evidence, ImageScore
from session.state import GridState, Replaced
from ui.render.gallery import completed, description
from ui.render.outcome import DOUBT, RIGHT, WRONG, Fault, ImageVerdict, outcome
from ui.render.outline import outlines, where
from ui.render.sentences import faults, not_judged
from ui.render.verdict import groups
from ui.render.words import (
    asked_for,
    counted,
    help_mark,
    image,
    image_name,
    method_name,
    number,
    percent,
    safe,
    score_name,
    table,
    with_marks,
)

SIGNS = '<span class="unseen">holds</span>'
"""The head of the column of signs, for those who listen."""


def evidence(state: GridState, cell: int) -> str:
    """An image opened: large, with the prompt, its faults in sentences, and figures on demand."""
    score, name = state.score(cell, METHOD), safe(image_name(state, cell))
    told = outcome(state, cell)
    shown = image(state.file(cell), description(state, cell))
    if regions := state.regions.get(state.file(cell) or "", ()):
        shown = f'<figure class="outlined">{shown}{outlines(regions)}</figure>'
    return (
        f'<section class="evidence" data-cell="{cell}" aria-label="Why {name} has its rank">'
        f"{shown}<div>{_heading(state, cell)}"
        f"{_marked(state.prompt, told.faults)}{_reasons(state, cell, score, told)}"
        f"{_figures(state, cell, score, told)}</div></section>"
    )


def questions(state: GridState) -> str:
    """The panel before any image exists: the questions and their expected answers."""
    rows = "".join(
        f'<tr><td class="question">{safe(pair.readable)}</td><td>{safe(asked_for(pair))}</td></tr>'
        for pair in state.questions
    )
    none = "No question could be written from this prompt; VNLI and CLIP still score the images."
    return (
        '<section class="evidence"><h2>Questions for each image</h2>'
        f'<blockquote class="prompt">{safe(state.prompt)}</blockquote>'
        + (table(["question", "expected"], rows) if rows else f"<p>{none}</p>")
        + "</section>"
    )


def _marked(prompt: str, wrong: Sequence[Fault]) -> str:
    """The prompt with the words marked that fail or are in doubt; nothing where none is."""
    spans = [each.words for each in wrong]
    marked = with_marks(prompt, 0, spans, lambda words: f"<mark>{safe(words)}</mark>")
    return f'<blockquote class="prompt">{marked}</blockquote>' if wrong else ""


def _heading(state: GridState, cell: int) -> str:
    rank = state.rank(cell)
    place = "Not ranked" if state.report else "Not ranked yet"
    if rank:
        place = f'#{rank} <span class="of">of {state.size}</span>'
    return f"<h2>{place}</h2>"


def _reasons(state: GridState, cell: int, score: ImageScore | None, told: ImageVerdict) -> str:
    """What is wrong, one line a fault; what is shown; what was not judged, and why."""
    if score is None:
        return _why("", "Not asked yet.")
    table = state.answers([cell])
    if not score.evidence and not_judged(table):  # the figures say why, word by word
        return _why("", "Could not judge.")
    wrong = faults(table, sure=told.sign != DOUBT)
    said = reasons(wrong, told, where(state.regions.get(state.file(cell) or "", ())))
    said += _chance(state, cell) if told.sign == DOUBT else ""
    return said + (_holding(table) if wrong else "")


def _holding(table: AnswerTable) -> str:
    """The words of the prompt that the one image of a table surely shows; nothing without any."""
    asked = [(group, words) for group, words in groups(table) if group.claims]
    shown = [words for group, words in asked if table.counted(group.claims).showing]
    return f'<p class="holding">{RIGHT} {safe("; ".join(shown))}</p>' if shown else ""


def reasons(found: Sequence[str], told: ImageVerdict, there: Sequence[str] = ()) -> str:
    """What is wrong, or perhaps wrong, one line a fault, with where that is; else the verdict."""
    if found:
        lines = zip_longest(found, there, fillvalue="")
        return "".join(
            _why(DOUBT if told.sign == DOUBT else WRONG, said, place) for said, place in lines
        )
    said = f"{told}"
    return _why(told.sign, f"{said[:1].upper()}{said[1:].rstrip('.')}.")


def _why(sign: str, said: str, there: str = "") -> str:
    """A line of what is wrong or right, and where, which is HTML."""
    kind = {RIGHT: "holds", WRONG: "fails"}.get(sign, "waiting")
    mark = f'<span class="sign">{sign}</span> ' if sign else ""
    return f'<p class="why {kind}">{mark}{safe(said)}{there}</p>'


def _figures(state: GridState, cell: int, score: ImageScore | None, told: ImageVerdict) -> str:
    """Seed, scores and every answer with its probability, folded up.

    The chance, too, unless it stands above since the image is in doubt.
    """
    method = state.ranked_by
    value = f"{safe(method_name(method))} {number(state.value(cell))}{help_mark(method)}"
    name, given = safe(image_name(state, cell)), completed(state, cell)
    name += f", generated with: {safe(given)}" if given else ""
    answers = _table(score.evidence) if score else ""
    rest = "".join(f"<li>{safe(each)}</li>" for each in not_judged(state.answers([cell])))
    rest = f'<p>Not judged:</p><ul class="rest">{rest}</ul>' if rest else ""
    chance = "" if told.sign == DOUBT else _chance(state, cell)
    return (
        '<details class="figures"><summary>figures</summary>'
        f'<p class="value">{value}</p>{chance}<p class="seed">{name}</p>'
        f"{answers}{rest}{_footer(state, cell)}</details>"
    )


def _chance(state: GridState, cell: int) -> str:
    """How likely all that could be judged holds, and what the verdict takes for right and wrong."""
    chances = state.report.relevance.get(METHOD) if state.report else None
    least = state.report.thresholds.get(METHOD) if state.report else None
    chance = chances[cell] if chances else None
    if chance is None or least is None:
        return ""
    said = f"Chance that all that could be judged holds: {chance:.1%}"
    known = f"called right at {least:.1%} or more, wrong at {1 - least:.1%} or less"
    return f'<p class="chance">{said}; {known}</p>'.replace("%", " %")


def _table(entries: Sequence[Evidence]) -> str:
    """All pairs, the worst first; nothing without any."""
    rows = "".join(map(_row, sorted(entries, key=lambda entry: entry.probability)))
    asked = f"P(yes){help_mark('P(yes)')}"
    return "" if not rows else table([SIGNS, "question", "expected", asked, "model says"], rows)


def _row(entry: Evidence) -> str:
    name, sign = ("holds", "✓") if entry.holds else ("fails", "✗")
    doubt = "" if entry.answered else "<small>the model did not answer yes or no</small>"
    reply = "P(no) " if entry.pair.negated else ""  # the head of the column says P(yes)
    signature = (
        f"{reply or 'P(yes) '}{entry.probability:.4f}, round trip F1 {entry.pair.round_trip:.2f}, "
        f"p(yes) + p(no) {entry.confidence:.2f}"
    )
    return (
        f'<tr class="{name}"><td class="sign" aria-label="{name}">{sign}</td>'
        f'<td class="question">{safe(entry.pair.readable)}</td>'
        f"<td>{safe(asked_for(entry.pair))}</td>"
        f'<td class="probability" title="{safe(signature)}">'
        f"{reply}{percent(entry.probability)}{doubt}</td><td>{safe(entry.seen)}</td></tr>"
    )


def _footer(state: GridState, cell: int) -> str:
    """The scores by the other methods, and what limits them."""
    known = [score for method in state.scores if (score := state.score(cell, method))]
    said = " · ".join(
        f"{safe(score_name(score))} {number(score.value)}{help_mark(score.method)}"
        for score in known
    )
    notes = "".join(
        f'<p class="note">{safe(score_name(score))}: {safe(score.note)}</p>'
        for score in known
        if score.note
    )
    asked = counted(len(state.questions), "question")
    return f"<footer>{said}{' · ' if said else ''}{asked}{notes}</footer>"


def replaced(state: GridState) -> str:
    """Both images with their scores, and which is higher; nothing where none was made again."""
    if state.replaced is None or not state.report:
        return ""
    before, cell = state.replaced.before, state.replaced.cell
    return (
        '<section class="replaced" aria-label="Before and after">'
        f"{_figure(before, cell, state.ranked_by, 'before')}"
        f"{_figure(state, cell, state.ranked_by, 'now')}"
        f"<p>{safe(change_sentence(state, state.replaced))}</p></section>"
    )


def change_sentence(state: GridState, last: Replaced) -> str:
    """Which of the two images scores higher, by the method in force.

    E.g. "The new image scores 0.52 more by VQ2."
    """
    method, cell = state.ranked_by, last.cell
    now, then = _value(state, cell, method), _value(last.before, cell, method)
    if now is None or then is None:
        return f"They cannot be compared by {method_name(method)}."
    change = round(now, 2) - round(then, 2)
    if round(change, 2) == 0:
        return f"Both score the same by {method_name(method)}."
    verb = "more" if change > 0 else "less"
    return f"The new image scores {number(abs(change))} {verb} by {method_name(method)}."


def _figure(state: GridState, cell: int, method: str, when: str) -> str:
    said = f"{when}: {image_name(state, cell)}, {method_name(method)} "
    said += number(_value(state, cell, method))
    shown = image(state.file(cell), description(state, cell))
    return f"<figure>{shown}<figcaption>{safe(said)}</figcaption></figure>"


def _value(state: GridState, cell: int, method: str) -> float | None:
    """The score of a cell by a method, which need not be the one in force then."""
    ranking = state.report.rankings.get(method) if state.report else None
    return ranking.values[cell] if ranking else None

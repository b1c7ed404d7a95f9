"""HTML of the reasons panel: why an image got its score, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence

from alignment.records import Evidence, ImageScore, QuestionAnswer
from session.state import GridState
from ui.render.gallery import description
from ui.render.words import (
    asked_for,
    counted,
    help_mark,
    image_name,
    method_name,
    number,
    percent,
    safe,
    score_name,
    url,
)

HOLDS = '<span class="unseen">holds</span>'
"""The head of the column of signs, for those who listen."""


def evidence(state: GridState, cell: int) -> str:
    """The reasons panel of one image: prompt with the failing span marked, sentence, table."""
    score = state.score(cell, "vq2")
    weakest, name = score.weakest if score else None, safe(image_name(state, cell))
    return (
        f'<section class="evidence" data-cell="{cell}" aria-label="Why {name} has its rank">'
        f"{_heading(state, cell)}"
        f'<blockquote class="prompt">{marked_prompt(state.prompt, weakest)}</blockquote>'
        f"{_verdict(score)}{_table(score.evidence) if score else ''}"
        f"{_unscored(score) if score else ''}"
        f"{_footer(state, cell)}</section>"
    )


def questions(state: GridState) -> str:
    """The panel before any image exists: the questions and their expected answers."""
    rows = "".join(
        f'<tr><td class="question">{safe(pair.question)}</td><td>{safe(asked_for(pair))}</td></tr>'
        for pair in state.questions
    )
    none = "No question could be written from this prompt; VNLI and CLIP still score the pictures."
    return (
        '<section class="evidence"><h2>Questions for each picture</h2>'
        f'<blockquote class="prompt">{safe(state.prompt)}</blockquote>'
        + (_listing(("question", "expected"), rows) if rows else f"<p>{none}</p>")
        + "</section>"
    )


def marked_prompt(prompt: str, entry: Evidence | None) -> str:
    """The prompt as HTML, with the span of a failing pair marked.

    >>> from alignment.records import AnswerSpan, QuestionAnswer
    >>> pair = QuestionAnswer("what is red?", AnswerSpan("pie", 6, 9), 1.0)
    >>> marked_prompt("a red pie", Evidence(pair, 0.04))
    'a red <mark>pie</mark>'
    """
    if entry is None or entry.holds:
        return safe(prompt)
    start, end = entry.pair.answer.start, entry.pair.answer.end
    before, span, after = prompt[:start], prompt[start:end], prompt[end:]
    return f"{safe(before)}<mark>{safe(span)}</mark>{safe(after)}"


def sentence(entry: Evidence) -> str:
    """One pair in words.

    >>> from alignment.records import AnswerSpan, QuestionAnswer
    >>> pair = QuestionAnswer("what color is the backpack?", AnswerSpan("green", 20, 25), 1.0)
    >>> sentence(Evidence(pair, 0.04, seen="pink"))
    'asked "what color is the backpack?", expected "green", P(yes) 4 %, sees "pink"'
    >>> none = QuestionAnswer("what animal is it?", AnswerSpan("dog", 3, 6), 1.0, negated=True)
    >>> sentence(Evidence(none, 0.04, seen="dog"))
    'asked "what animal is it?", expected not "dog", P(no) 4 %, sees "dog"'
    """
    said = f'asked "{entry.pair.question}", expected {expected(entry.pair)}, '
    said += f"{_reply_of(entry)} {percent(entry.probability)}"
    return said + (f', sees "{entry.seen}"' if entry.seen else "")


def expected(pair: QuestionAnswer) -> str:
    """The answer that the prompt asks for, or the one that it rules out."""
    return f'{"not " if pair.negated else ""}"{pair.answer.text}"'


def _reply_of(entry: Evidence) -> str:
    """The reply whose probability counts."""
    return "P(no)" if entry.pair.negated else "P(yes)"


def _heading(state: GridState, cell: int) -> str:
    rank, method, address = state.rank(cell), state.ranked_by, url(state.file(cell))
    place = "Not ranked" if state.report else "Not ranked yet"
    if rank:
        place = f'#{rank} <span class="of">of {state.size}</span>'
    name = safe(image_name(state, cell))
    value = f"{safe(method_name(method))} {number(state.value(cell))}{help_mark(method)}"
    alt = safe(description(state, cell))
    picture = f'<img src="{safe(address)}" alt="{alt}">' if address else ""
    return (
        f"<header>{picture}<div><h2>{place}</h2>"
        f'<p class="value">{value}</p><p class="seed">{name}{_given(state, cell)}</p>'
        "</div></header>"
    )


def _given(state: GridState, cell: int) -> str:
    """The prompt that the model was given, where the seed completed it."""
    given = state.request.given(state.seed_of(cell))
    if given == state.prompt:
        return ""
    return f' <span class="given">generated from: {safe(given)}</span>'


def _verdict(score: ImageScore | None) -> str:
    """The sentence that says why."""
    if score is None:
        return '<p class="why waiting">Not asked yet.</p>'
    weakest = score.weakest
    if weakest is None or score.value is None:
        return f'<p class="why waiting">Could not judge: {safe(score.reason)}.</p>'
    if weakest.holds:
        said = f"Every answer holds; the least sure: {sentence(weakest)}."
        return f'<p class="why holds"><span class="sign">✓</span> {safe(said)}</p>'
    return f'<p class="why fails"><span class="sign">✗</span> {safe(sentence(weakest))}</p>'


def _unscored(score: ImageScore) -> str:
    """The pairs that could not be judged, the words that nothing asks about, and why."""
    said = [
        f'"{each.pair.question}" {expected(each.pair)}: {each.reason}' for each in score.unscored
    ]
    uncovered = score.coverage.uncovered if score.coverage else ()
    asked = " ".join(each.pair.answer.text for each in score.unscored).split()
    said += [f'"{word.text}": {word.reason}' for word in uncovered if word.text not in asked]
    rows = "".join(f"<li>{safe(each)}</li>" for each in said)
    return f'<div class="unscored"><p>Could not judge:</p><ul>{rows}</ul></div>' if rows else ""


def _table(entries: Sequence[Evidence]) -> str:
    """All pairs, the worst first; nothing without any."""
    rows = "".join(map(_row, sorted(entries, key=lambda entry: entry.probability)))
    asked = f"P(yes){help_mark('P(yes)')}"
    return "" if not rows else _listing((HOLDS, "question", "expected", asked, "sees"), rows)


def _row(entry: Evidence) -> str:
    name, sign = ("holds", "✓") if entry.holds else ("fails", "✗")
    doubt = "" if entry.answered else "<small>the model did not answer yes or no</small>"
    reply = "P(no) " if entry.pair.negated else ""  # the head of the column says P(yes)
    signature = (
        f"{_reply_of(entry)} {entry.probability:.4f}, round trip F1 {entry.pair.round_trip:.2f}, "
    )
    signature += f"p(yes) + p(no) {entry.confidence:.2f}"
    return (
        f'<tr class="{name}"><td class="sign" aria-label="{name}">{sign}</td>'
        f'<td class="question">{safe(entry.pair.question)}</td>'
        f"<td>{safe(asked_for(entry.pair))}</td>"
        f'<td class="probability" title="{safe(signature)}">'
        f"{reply}{percent(entry.probability)}{doubt}</td><td>{safe(entry.seen)}</td></tr>"
    )


def _listing(columns: tuple[str, ...], rows: str) -> str:
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


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

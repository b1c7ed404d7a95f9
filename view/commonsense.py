"""Pair boards come in; their pictures, their matrix and the verdict go out as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from alignment.records import Fit
from view.pair_board import PairBoard
from view.pair_verdict import pieces, reason, tally, verdict
from view.status import about_unknown
from view.words import safe

NAMES = ("first", "second")


def comparison(boards: Sequence[PairBoard]) -> str:
    """One board, or the plain one above the one with enriched prompts."""
    return "".join(map(_section, boards)) + _said_of("pair-gain", gain(boards))


def gain(boards: Sequence[PairBoard]) -> str:
    """What enriching the prompts changed, once both scores are known.

    >>> gain(())
    ''
    """
    scores = [board.score for board in boards]
    if len(scores) < 2 or None in scores:
        return ""
    plain, revised = (score or 0.0 for score in scores)
    if plain == revised:
        return "The enriched prompts change nothing: the score stays the same."
    better = "raise" if revised > plain else "lower"
    return f"The enriched prompts {better} the score from {plain:.2f} to {revised:.2f}."


def _section(board: PairBoard) -> str:
    title = "<h2>With enriched prompts</h2>" if board.revised else ""
    rows = "".join(_pictures(board, prompt) for prompt in (0, 1))
    return (
        f'<section class="prompt-pair">{title}<div class="pair-rows">{rows}</div>'
        f'<div class="pair-said">{_matrix(board)}{_words(board)}</div></section>'
    )


def _pictures(board: PairBoard, prompt: int) -> str:
    """A small grid: one prompt's pictures, each with what it fits."""
    cells = "".join(_picture(board, prompt, k) for k in range(board.generations))
    return (
        f'<figure class="pair-row"><figcaption>{_marked(board, prompt)}</figcaption>'
        f'<ol style="--columns: {board.generations}">{cells}</ol></figure>'
    )


def _marked(board: PairBoard, prompt: int) -> str:
    """The prompt, with the words that the other one does not have in bold."""
    parts = pieces(board.pair.prompts[prompt], board.pair.prompts[1 - prompt])
    return " ".join(f"<b>{safe(words)}</b>" if own else safe(words) for words, own in parts)


def _picture(board: PairBoard, prompt: int, generation: int) -> str:
    address = board.address(prompt, generation)
    row = board.matrix.fits[prompt]
    fit = row[generation] if generation < len(row) else None
    words = _said(board, prompt, fit) if fit else "not judged yet"
    picture = (
        f'<img src="{safe(address)}" alt="{safe(words)}" title="{safe(words)}">'
        if address
        else '<span class="waiting" aria-label="not painted yet"></span>'
    )
    return f'<li><span class="pair-picture">{picture}</span>{_verdict_sign(prompt, fit)}</li>'


def _said(board: PairBoard, prompt: int, fit: Fit) -> str:
    """What one picture fits, with the evaluator's own words."""
    parts = [
        f"{_answer(fits)}: {text} ({reply})"
        for fits, text, reply in zip(fit.fits, board.pair.descriptions, fit.replies, strict=True)
    ]
    return f"{NAMES[prompt]} prompt; {'; '.join(parts)}"


def _answer(fits: bool | None) -> str:
    """What was answered, in words.

    >>> _answer(True), _answer(False), _answer(None)
    ('fits', 'does not fit', 'could not be read')
    """
    return "could not be read" if fits is None else "fits" if fits else "does not fit"


def _verdict_sign(prompt: int, fit: Fit | None) -> str:
    """Whether one picture is as its prompt implies: fits its own description and that alone."""
    if fit is None:
        return '<span class="pair-sign"></span>'
    if None in fit.fits:
        return '<span class="pair-sign">? unread</span>'
    if fit.fits == (True, True):
        return '<span class="pair-sign">fits both</span>'
    right = bool(fit.fits[prompt])
    name, sign = ("holds", "✓ as implied") if right else ("fails", "✗ not so")
    return f'<span class="pair-sign {name}">{sign}</span>'


def _matrix(board: PairBoard) -> str:
    """How many pictures of each prompt fit each description, filled in as they are judged."""
    first, second = map(safe, board.pair.descriptions)
    heads = f'<th scope="col">{first}</th><th scope="col">{second}</th>'
    rows = "".join(_row(board, prompt) for prompt in (0, 1))
    return (
        '<table class="fit-matrix"><caption>pictures that fit</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _row(board: PairBoard, prompt: int) -> str:
    judged = len(board.matrix.fits[prompt])
    cells = "".join(
        _count(count, judged, wanted=description == prompt)
        for description, count in enumerate(board.matrix.counts[prompt])
    )
    return f'<tr><th scope="row">{NAMES[prompt]} prompt</th>{cells}</tr>'


def _count(count: int, judged: int, wanted: bool) -> str:
    """One of the four numbers; wanted on the diagonal, unwanted beside it."""
    if not judged:
        return f'<td class="{"wanted" if wanted else "unwanted"}">–</td>'
    good = count / judged if wanted else 1 - count / judged
    state = "holds" if good == 1 else "fails" if good < 0.5 else "mixed"
    sign = {"holds": "✓ ", "fails": "✗ ", "mixed": ""}[state]
    place = "wanted" if wanted else "unwanted"
    return f'<td class="{place} {state}">{sign}{count} of {judged}</td>'


def _words(board: PairBoard) -> str:
    """The verdict, the score, and the likely reason."""
    lines = {
        "pair-verdict": verdict(board),
        "pair-score": tally(board),
        "pair-reason": reason(board),
        "pair-unknown": about_unknown(board.unknown),
    }
    return "".join(_said_of(name, line) for name, line in lines.items())


def _said_of(name: str, line: str) -> str:
    return f'<p class="{name}">{safe(line)}</p>' if line else ""

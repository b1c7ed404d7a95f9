"""The set metrics of a grid come in; what a viewer gets from it goes out, in words and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alignment.records import SetScore
from view.words import help_mark, number, safe

METRICS = ("ERR", "RBP")

ORDERS: Mapping[str, str] = {
    "positional": "row by row",
    "saliency": "where the eye is drawn",
    "uniform": "in any order",
}
"""How each viewing order is called on the page."""


def summary(
    scores: Sequence[SetScore], order: str, novelty: bool, seen: Mapping[str, float]
) -> str:
    """ERR and RBP as generated and as reranked, and one sentence that says what they mean.

    Args:
        scores: of the report.
        order: the viewing order, "positional", "saliency" or "uniform".
        novelty: whether a picture that resembles an earlier one counts for less.
        seen: arrangement -> how many pictures a viewer is expected to look at.
    """
    if not scores:
        return '<p class="gains">No picture could be judged, so there is nothing to add up.</p>'
    pairs = {name: _before_and_after(scores, name, order, novelty) for name in METRICS}
    numbers = "".join(_change(name, *pair) for name, pair in pairs.items())
    before, after = pairs["ERR"]
    said = sentence(before.value, after.value, order, seen)
    return f'<div class="gains">{numbers}</div><p class="meaning">{safe(said)}</p>'


def sentence(before: float, after: float, order: str, seen: Mapping[str, float]) -> str:
    """What reranking did for a viewer.

    >>> sentence(0.52, 0.78, "positional", {"generated": 2.4, "reranked": 1.3})
    'Reranking helps: a viewer who looks row by row stops after 1.3 pictures on average instead
    of 2.4, and more often content.'
    """
    looks = f"a viewer who looks {ORDERS[order]}"
    stops = f"stops after {seen['reranked']:.1f} pictures on average instead of "
    stops += f"{seen['generated']:.1f}"
    if order == "uniform":
        return "Looked at in any order, only the pictures count, not their places."
    if gain(before, after) == 0:
        return f"Reranking changes nothing here: {looks} gets the same from both arrangements."
    if after > before:
        return f"Reranking helps: {looks} {stops}, and more often content."
    return (
        f"Reranking costs here: {looks} {stops}; the best picture is not where the eye goes first."
    )


def gain(before: float, after: float) -> float:
    """The difference of two numbers as they are shown.

    >>> gain(0.947, 0.994), gain(0.941, 0.944)
    (0.04, 0.0)
    """
    return round(round(after, 2) - round(before, 2), 2)


def _before_and_after(
    scores: Sequence[SetScore], name: str, order: str, novelty: bool
) -> tuple[SetScore, SetScore]:
    label = name + ("+novelty" if novelty else "")
    found = {
        score.arrangement: score
        for score in scores
        if score.metric == label and score.order == order
    }
    return found["generated"], found["reranked"]


def _change(name: str, before: SetScore, after: SetScore) -> str:
    gained = gain(before.value, after.value)
    kind = "same" if gained == 0 else "holds" if gained > 0 else "fails"
    sign = {"same": "=", "holds": "▲ +", "fails": "▼ −"}[kind]
    size = "" if kind == "same" else number(abs(gained))
    return (
        f'<div class="metric"><span class="name">{name}{help_mark(name)}</span>'
        f'<span class="pair">{_figure(before)}<span class="arrow" aria-label="becomes">→</span>'
        f'{_figure(after)}</span><span class="gain {kind}">{sign}{size}</span></div>'
    )


def _figure(score: SetScore) -> str:
    full = f"{score.arrangement}: {score.passport} = {score.value:.6f}; "
    full += f"{score.normalised:.6f} of the best a grid of this size can reach"
    return f'<span class="figure" title="{safe(full)}">{number(score.value)}</span>'

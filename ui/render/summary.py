"""The set metrics of a grid come in; what a viewer gets from it goes out, in words and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alignment.records import SetScore
from ui.render.words import ARRANGEMENTS, help_mark, number, safe

METRICS = ("ERR", "RBP")

PLAINLY: Mapping[str, str] = {
    "ERR": "chance to end content",
    "RBP": "matching pictures seen",
    "diversity": "how unlike the pictures are",
}
"""What each number is, in plain words."""

ORDERS: Mapping[str, str] = {
    "positional": "row by row",
    "saliency": "where the eye is drawn",
    "uniform": "in any order",
}
"""How each viewing order is called on the page."""


def summary(
    scores: Sequence[SetScore], order: str, seen: Mapping[str, float], diversity: float | None
) -> str:
    """One sentence that says what the grid gives; then the numbers of each arrangement.

    Args:
        scores: each metric in `METRICS`, with or without novelty, for "generated", "reranked" and,
            where it was looked for, "best".
        order: the viewing order, "positional", "saliency" or "uniform".
        seen: arrangement -> how many pictures a viewer is expected to look at.
        diversity: of the pictures; None for fewer than two.
    """
    if not scores:
        return '<p class="gains">No picture could be judged, so there is nothing to add up.</p>'
    values = {name: _by_arrangement(scores, name) for name in METRICS}
    err = {name: score.value for name, score in values["ERR"].items()}
    said = sentence(err["generated"], err["reranked"], order, seen)
    if "best" in err:
        said += f" {about_best(err)}"
    heads = "".join(f'<th scope="col">{ARRANGEMENTS[name]}</th>' for name in err)
    rows = "".join(_change(name, found) for name, found in values.items())
    rows += _baseline(diversity, len(err)) if diversity is not None else ""
    return (
        f'<p class="meaning">{safe(said)}</p><table class="gains">'
        f"<thead><tr><td></td>{heads}<td></td></tr></thead><tbody>{rows}</tbody></table>"
    )


def sentence(before: float, after: float, order: str, seen: Mapping[str, float]) -> str:
    """What reranking did for a viewer.

    >>> sentence(0.52, 0.78, "positional", {"generated": 2.4, "reranked": 1.3})
    'Reranking helps: a viewer who looks row by row stops after 1.3 pictures on average instead
    of 2.4, and more often content.'
    """
    looks = f"a viewer who looks {ORDERS[order]}"
    if order == "uniform":
        return "Looked at in any order, only the pictures count, not their places."
    if gain(before, after) == 0:
        return f"Reranking changes nothing here: {looks} is as often content with either."
    now, then = f"{seen['reranked']:.1f}", f"{seen['generated']:.1f}"
    ends = f"stops after {now} pictures on average instead of {then}, and" if now != then else "is"
    if after > before:
        return f"Reranking helps: {looks} {ends} more often content."
    return (
        f"Reranking costs here: {looks} {ends} less often content; "
        "the best picture is not where the eye goes first."
    )


def about_best(err: Mapping[str, float]) -> str:
    """What the best layout adds.

    >>> about_best({"generated": 0.52, "reranked": 0.78, "best": 0.81})
    'The best layout earns 0.81, +0.03 over reranking.'
    """
    gained = gain(err["reranked"], err["best"])
    if gained <= 0:
        return "The best layout that was found earns no more than reranking."
    return f"The best layout earns {number(err['best'])}, +{number(gained)} over reranking."


def compatible(mean: float, standard_error: float, samples: int) -> str:
    """Compatibility mode: one number as the code released with the metrics counts, labelled so."""
    said = (
        f"RBP {mean:.4f}, standard error {standard_error:.4f} over {samples:,} orders: gamma 0.8 "
        "is the chance to stop there, and noise on the saliency itself makes the orders nearly "
        "uniform. Only for comparison with numbers that were published so."
    )
    title = "Compatibility mode: as the released code counts"
    return f'<details class="compatible"><summary>{title}</summary><p>{said}</p></details>'


def gain(before: float, after: float) -> float:
    """The difference of two numbers as they are shown.

    >>> gain(0.947, 0.994), gain(0.941, 0.944)
    (0.04, 0.0)
    """
    return round(round(after, 2) - round(before, 2), 2)


def _by_arrangement(scores: Sequence[SetScore], name: str) -> dict[str, SetScore]:
    """The scores of one metric, with or without novelty, in the order of the arrangements."""
    found = {score.arrangement: score for score in scores if score.metric.partition("+")[0] == name}
    return {arrangement: found[arrangement] for arrangement in ARRANGEMENTS if arrangement in found}


def _change(name: str, scores: Mapping[str, SetScore]) -> str:
    """From as generated to what is last, and what is gained on the way."""
    figures = list(scores.values())
    gained = gain(figures[0].value, figures[-1].value)
    kind = "same" if gained == 0 else "holds" if gained > 0 else "fails"
    sign = {"same": "=", "holds": "▲ +", "fails": "▼ −"}[kind]
    size = "" if kind == "same" else number(abs(gained))
    return (
        f'<tr class="metric">{_head(name, name)}{"".join(map(_figure, figures))}'
        f'<td class="gain {kind}">{sign}{size}</td></tr>'
    )


def _baseline(diversity: float, arrangements: int) -> str:
    """What depends on no layout: one number for all of them."""
    full = f"Diversity|1 - similarity, mean of all pairs = {diversity:.6f}"
    figure = f'<span class="figure" title="{full}">{number(diversity)}</span>'
    return (
        f'<tr class="baseline">{_head("Diversity", "diversity")}'
        f'<td colspan="{arrangements}">{figure} in any layout</td><td></td></tr>'
    )


def _head(name: str, key: str) -> str:
    """A number's name, what it is in plain words, and its help."""
    return f'<th scope="row">{PLAINLY[key]} <small>{name}{help_mark(key)}</small></th>'


def _figure(score: SetScore) -> str:
    full = f"{ARRANGEMENTS[score.arrangement]}: {score.signature} = {score.value:.6f}; "
    full += f"{score.normalised:.6f} of the best a grid of this size can reach"
    return f'<td><span class="figure" title="{safe(full)}">{number(score.value)}</span></td>'

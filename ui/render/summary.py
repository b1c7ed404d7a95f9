"""HTML of the set metrics: what reranking changes for a viewer, what each image contributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from alignment.judgements import in_part, judgements
from alignment.ranking import parts_of
from alignment.records import Arrangement, GridReport, SetScore
from alignment.set_metrics.viewing_orders import Order
from session.state import GridState
from session.viewer_utility import (
    ViewerUtility,
    ViewingSettings,
    novelty_is_judged,
    reranking,
)
from ui.render.words import (
    ARRANGEMENTS,
    help_mark,
    image_name,
    method_name,
    number,
    percent,
    safe,
    table,
)

METRICS = ("ERR", "RBP")

NAMES: Mapping[str, str] = {
    "ERR": "expected reciprocal rank: how likely a viewer is to meet an image that satisfies",
    "RBP": "rank-biased precision: how many satisfying images a viewer sees",
    "diversity": "how unlike the images are",
}
"""The full name of each number, and what it says in plain words."""

WITH_NOVELTY: Mapping[str, str] = {
    "ERR": "expected reciprocal rank, with novelty: the same with repeats discounted; no "
    "probability",
    "RBP": "rank-biased precision, with novelty: satisfying images seen, repeats discounted",
}
"""The same where an image that resembles an earlier one counts for less."""

ORDERS: Mapping[str, str] = {
    "saliency": "by visual saliency",
    "positional": "row by row",
    "uniform": "in random order",
}
"""The name of each viewing order on the page."""

FORMULAS = (
    "Relevance r is the calibrated chance that an image shows what its prompt asks for (of "
    "targets, the similarity to the nearest one); p is persistence.",
    "RBP = Σ pⁱ rᵢ over the places i = 0, 1, … in viewing order; there is no factor (1 − p), so "
    "that RBP counts images.",
    "ERR = Σ pⁱ rᵢ qᵢ, where qᵢ is the product of 1 − r over the places before i: the viewer stops "
    "at the first image that satisfies. Its discount is geometric, pⁱ, and not 1/i as for search "
    "results.",
    "With novelty, the first r of each term is multiplied by 1 − the largest similarity to an "
    "image seen before.",
)


NOT_JUDGED = (
    "Could not judge novelty: how alike these images are was not stored with them. Turn "
    "novelty off to see the set metrics, or score the images again."
)

LEFT_OUT = " Words that could not be judged are left out of these figures."


Values = Mapping[str, float]
"""Arrangement -> a metric."""
Otherwise = tuple[str, tuple[Values, Values]]
"""Another viewing order than the one that is shown, and ERR and RBP under it."""


def summary(report: GridReport, view: ViewingSettings, found: ViewerUtility) -> str:
    """One sentence that says what reranking changes; then the numbers of each arrangement."""
    if reason := why_unmeasured(report, view):
        kind = "metrics" if reason == NOT_JUDGED else "metrics nothing"
        return f'<p class="{kind}">{safe(reason)}</p>'
    if not found.scores:
        return '<p class="metrics nothing">No image has a score, so there are no set metrics.</p>'
    values = (_by_arrangement(found.scores, metric) for metric in METRICS)
    err, rbp = ({name: score.value for name, score in each.items()} for each in values)
    order: Order = "positional" if view.order == "saliency" else "saliency"
    others = order, reranking(report, replace(view, order=order), found.arrangements)
    right = True in judgements(report)
    said = sentence(err, rbp, view.order, found.expected_views, right, others)
    said += f" {about_best(err)}" if "best" in err else ""
    scores = (score for part in parts_of(report.ranked_by) for score in report.scores.get(part, ()))
    said += LEFT_OUT if in_part(scores) else ""
    numbers = figures(found.scores, found.diversity)
    lines = "".join(f"<p>{line}</p>" for line in FORMULAS)
    formulas = f'<details class="formulas"><summary>Formulas</summary>{lines}</details>'
    return f'<p class="meaning">{safe(said)}</p>{numbers}{formulas}'


def figures(scores: Sequence[SetScore], diversity: float | None) -> str:
    """Each metric, with or without novelty, from as generated to the last arrangement."""
    values = {name: _by_arrangement(scores, name) for name in METRICS}
    shown = [*values["ERR"]]
    rows = "".join(_change(name, each) for name, each in values.items())
    rows += _baseline(diversity, len(shown)) if diversity is not None else ""
    return table(["", *(ARRANGEMENTS[name] for name in shown), ""], rows, "metrics")


def why_unmeasured(report: GridReport, view: ViewingSettings) -> str:
    """Why a grid with scores has no set metrics for a viewer; nothing where it can have them."""
    if report.ranked_by not in report.relevance:
        return without_calibration(method_name(report.ranked_by))
    return "" if novelty_is_judged(report, view) else NOT_JUDGED


def without_calibration(method: str) -> str:
    """Why a method has no set metrics.

    >>> without_calibration("CLIP").partition(":")[0]
    'CLIP has no calibration with these models and settings, so neither ERR nor RBP is given'
    """
    return (
        f"{method} has no calibration with these models and settings, so neither ERR nor RBP "
        "is given: both need the chance that an image satisfies, and a score alone is not one. "
        "`python app.py calibrate` fits one from labelled pairs."
    )


def sentence(
    err: Mapping[str, float],
    rbp: Mapping[str, float],
    order: str,
    expected_views: Mapping[str, float],
    some_right: bool = True,
    otherwise: Otherwise | None = None,
) -> str:
    """What reranking changes for a viewer, who is not helped where no image is judged right.

    Where another viewing order tells another story, so is that.

    >>> err, rbp = {"generated": 0.52, "reranked": 0.78}, {"generated": 2.1, "reranked": 2.9}
    >>> sentence(err, rbp, "positional", {"generated": 2.4, "reranked": 1.3})
    'Reranking helps a viewer who goes row by row: ERR rises by 0.26, RBP rises by 0.80. The viewer
    stops after 1.3 images on average instead of 2.4.'
    """
    if order == "uniform":
        return "In random order only the images count, not their places."
    viewer = f"a viewer who goes {ORDERS[order]}"
    verb, moved = _effect(err, rbp)
    other, theirs = _effect(*otherwise[1]) if otherwise and some_right else (verb, "")
    contrary = ""
    if otherwise and other != verb:
        one = f"one who goes {ORDERS[otherwise[0]]}"
        contrary = f" It {other} {one}{f': {theirs}' if theirs else ''}."
    if not moved:
        return f"Reranking {verb} {viewer}.{contrary}"
    opening = f"Reranking {verb}"
    if not some_right:
        opening = "No image is judged right. What reranking changes for"
    said = f"{opening} {viewer}: {moved}."
    now, then = f"{expected_views['reranked']:.1f}", f"{expected_views['generated']:.1f}"
    stops = f" The viewer stops after {now} images on average instead of {then}."
    return said + (stops if now != then else "") + contrary


def _effect(err: Mapping[str, float], rbp: Mapping[str, float]) -> tuple[str, str]:
    """What reranking does for a viewer, and by how much the metrics move.

    >>> _effect({"generated": 0.52, "reranked": 0.78}, {"generated": 2.1, "reranked": 2.0})
    ('has mixed effects for', 'ERR rises by 0.26, RBP falls by 0.10')
    """
    changes = [
        (name, gain(found["generated"], found["reranked"]))
        for name, found in (("ERR", err), ("RBP", rbp))
    ]
    moved = ", ".join(
        f"{name} {'rises' if change > 0 else 'falls'} by {number(abs(change))}"
        for name, change in changes
        if change
    )
    rises = [change > 0 for _, change in changes if change]
    if not rises:
        return "changes neither ERR nor RBP for", ""
    return "helps" if all(rises) else "has mixed effects for" if any(rises) else "hurts", moved


def about_best(err: Mapping[str, float]) -> str:
    """What the best layout adds to ERR.

    >>> about_best({"generated": 0.52, "reranked": 0.78, "best": 0.81})
    'The best layout found reaches ERR 0.81, 0.03 over reranking.'
    >>> about_best({"generated": 0.52, "reranked": 0.781, "best": 0.782})
    'The best layout found gains less than 0.01 ERR over reranking.'
    """
    if err["best"] <= err["reranked"]:
        return "No layout was found with a higher ERR than reranking."
    gained = gain(err["reranked"], err["best"])
    if not gained:
        return "The best layout found gains less than 0.01 ERR over reranking."
    return (
        f"The best layout found reaches ERR {number(err['best'])}, {number(gained)} over reranking."
    )


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
    """From as generated to the last arrangement, and the difference."""
    figures = list(scores.values())
    gained = gain(figures[0].value, figures[-1].value)
    kind = "same" if gained == 0 else "holds" if gained > 0 else "fails"
    sign = {"same": "=", "holds": "▲ +", "fails": "▼ −"}[kind]
    size = "" if kind == "same" else number(abs(gained))
    meaning = (WITH_NOVELTY if "novelty" in figures[0].metric else NAMES)[name]
    return (
        f'<tr class="metric">{_head(name, meaning, name)}{"".join(map(_figure, figures))}'
        f'<td class="change {kind}">{sign}{size}</td></tr>'
    )


def _baseline(diversity: float, arrangements: int) -> str:
    """Diversity depends on no layout: one number for all of them."""
    full = f"Diversity|1 - similarity, mean of all pairs = {diversity:.6f}"
    figure = f'<span class="figure" title="{full}">{number(diversity)}</span>'
    return (
        f'<tr class="baseline">{_head("Diversity", NAMES["diversity"], "diversity")}'
        f'<td colspan="{arrangements}">{figure} in any layout</td><td></td></tr>'
    )


def _head(name: str, meaning: str, key: str) -> str:
    """A number's name, its help mark and what it says."""
    return f'<th scope="row">{name}{help_mark(key)} <small>{meaning}</small></th>'


def _figure(score: SetScore) -> str:
    full = f"{ARRANGEMENTS[score.arrangement]}: {score.signature} = {score.value:.6f}; "
    full += f"{score.normalised:.6f} of the best a grid of this size can reach"
    return f'<td><span class="figure" title="{safe(full)}">{number(score.value)}</span></td>'


VISIBLE = 0.005
"""The smallest difference that shows in two places."""


def attention_map(
    state: GridState, shown: Arrangement, contributions: Sequence[float | None], overlay: str
) -> str:
    """The grid, lit where it is salient, with a sentence on what its images contribute.

    Args:
        contributions: what each place with an image adds to ERR; None where it has no score.
        overlay: the address of the image that `session.attention.saliency_overlay` made.
    """
    said = largest_contribution(state, shown, contributions)
    caption = f"<figcaption>visual saliency{help_mark('saliency')}</figcaption>"
    lit = saliency(state, shown, contributions, overlay)
    figure = f'<figure class="map">{lit}{caption}</figure>'
    return f'{figure}<p class="contributed">{safe(said)}{help_mark("contribution")}</p>'


def saliency(
    state: GridState, shown: Arrangement, contributions: Sequence[float | None], overlay: str
) -> str:
    """The grid, lit where it is salient, and the attention of each place in per cent."""
    columns, rows = state.request.columns, state.request.rows
    attention = "".join(
        f'<b title="{safe(image_name(state, cell))} draws {drawn:.6f} and contributes '
        f'{part or 0.0:.6f}">{drawn:.0%}</b>'
        for cell, drawn, part in zip(shown.cells, shown.attention, contributions, strict=False)
    )
    return (
        f'<div class="saliency" style="--columns: {columns}; --rows: {rows}">'
        f'<img src="{safe(overlay)}" alt="the grid, lit where it is salient">'
        f'<span class="attention">{attention}</span></div>'
    )


def largest_contribution(
    state: GridState, shown: Arrangement, contributions: Sequence[float | None]
) -> str:
    """Which image contributes most, and how many it takes for nine tenths.

    E.g. "#1 (seed 12) contributes 93 % of ERR."
    """
    total = sum(each or 0.0 for each in contributions)
    if total < VISIBLE:
        return "No image contributes to ERR here."
    shares = ((each or 0.0) / total for each in contributions)
    parts = sorted(((share, place) for place, share in enumerate(shares)), reverse=True)
    most, place = parts[0]
    needed = 1 + sum(earlier < 0.9 for earlier in accumulate(part for part, _ in parts))
    rank, name = state.rank(shown.cells[place]), image_name(state, shown.cells[place])
    name = f"#{rank} ({name})" if rank else name
    together = "" if needed == 1 else f" {needed} images together contribute nine tenths of it."
    return f"{name} contributes {percent(most)} of ERR.{together}"

"""HTML of a search: a strip of attempts, and each of them opened beside the image it came from."""

from __future__ import annotations

from collections.abc import Sequence

from search.records import Outcome
from session.search_state import SearchState, Tried
from session.state import GridState
from ui.render.evidence import reasons
from ui.render.gallery import marked
from ui.render.outcome import DOUBT, ImageVerdict, in_words, outcome_of
from ui.render.sentences import faults
from ui.render.verdict import ALL_JUDGED
from ui.render.words import counted, image, listed, percent, safe, url

HARDLY = 3
"""Attempts more in which the same words fail before more of them are said to be of little use."""
STEPS = {
    "resample": "new seed",
    "prune": "new seed",
    "neighbours": "near {parent}",
    "restate": "restated",
    "repair": "repair",
}
"""What an attempt tries, in words; `{parent}` is the attempt that it came from."""


def attempts(state: GridState, running: bool = False) -> str:
    """The attempts of the last search from a grid; empty without one.

    They are folded where the newest image of the grid is one of them.
    """
    found = state.search
    if found is None or not (found.tried or running):
        return ""
    opened = found.tried[-1].best if found.tried else 0
    cards = "".join(_card(found, number) for number in range(len(found.tried)))
    cards += '<li class="attempt to-come" aria-hidden="true"></li>' if running else ""
    articles = "".join(
        _opened(found, number, joined=tried.file in state.images.files)
        for number, tried in enumerate(found.tried)
    )
    last = state.replaced
    joined = last and last.before.search == found and state.file(last.cell)
    unfolded = "" if joined and any(each.file == joined for each in found.tried) else " open"
    return (
        f'<section class="search" data-opened="{opened}" data-said="{safe(news(found, running))}" '
        f'aria-label="Search"><details{unfolded}>'
        f"<summary><h2>{safe(heading(found, running))}</h2></summary>"
        f'<p class="spent">{safe(spent(found))}</p>'
        f'<ol class="attempts" aria-label="Attempts">{cards}</ol>{articles}</details></section>'
    )


def heading(found: SearchState, running: bool) -> str:
    """How the search stands, in one sentence, and what could not be judged."""
    tried = found.tried
    groups = tried[-1].table.segments if tried else ()
    unjudged = [f'"{each.text}"' for each in groups if each.reason]
    whole = ALL_JUDGED if unjudged else "everything"
    but = f" Not judged: {listed(unjudged)}." if unjudged else ""
    if found.found is not None:
        return f"Attempt {found.found + 1} shows {whole}.{but}"
    if running:
        return f"Looking for an image that shows {whole}"
    best = tried[-1].best if tried else 0
    may = bool(tried) and tried[best].holds is None
    if len(tried) == 1:
        return f"One attempt, and it {'may' if may else 'does not'} show {whole}.{but}"
    if may:
        return f"None of {len(tried)} attempts clearly shows {whole}; attempt {best + 1} may.{but}"
    said = f"None of {len(tried)} attempts shows {whole}; attempt {best + 1} scores highest."
    return f"{said}{_never(tried)}{but}"


def _never(tried: Sequence[Tried]) -> str:
    """Which words fail in every attempt, and that more of them would hardly help; or nothing."""
    fails = (words(each, each.table.failing(0)) for each in tried if not each.given_up)
    first, *others = [*fails] or [()]
    always = [f'"{each}"' for each in first if all(each in other for other in others)]
    if not always or len(others) < HARDLY:
        return ""
    verb = "fails" if len(always) == 1 else "fail"
    it = "it" if len(always) == 1 else "them"
    return (
        f" {listed(always)} {verb} in each. If you see {it}, the evaluator is mistaken; otherwise "
        "other words or another model may help more."
    )


def spent(found: SearchState) -> str:
    """What the search has cost, and what it may.

    E.g. "3 attempts, 19 % of the budget, 8 s; a link keeps an attempt once it is in the grid".
    """
    most = found.budget
    if not found.tried:
        return f"at most {most.evaluations} evaluations of the model, or {most.seconds:.0f} s"
    cost = found.tried[-1].spent
    said = f"{counted(len(found.tried), 'attempt')}, "
    said += f"{percent(min(1.0, most.share(cost)))} of the budget, {cost.seconds:.0f} s"
    return f"{said}; a link keeps an attempt once it is in the grid"


def news(found: SearchState, running: bool) -> str:
    """What a screen reader says of the newest attempt, and of the end."""
    if not found.tried:
        return "The search begins."
    last = len(found.tried) - 1
    said = f"Attempt {last + 1}, {_step(found, last)}: {result(found.tried[last])}."
    return said if running else f"{said} {heading(found, running)}"


def words(tried: Outcome, claims: tuple[int, ...]) -> tuple[str, ...]:
    """The groups of words of the prompt that claims belong to, each once."""
    groups = (each.text for each in tried.table.segments if {*each.claims} & {*claims})
    return tuple(groups)


def changed(tried: Outcome) -> tuple[list[str], list[str]]:
    """The groups of words that an attempt mended, and that it broke.

    One of which it mended a claim and broke another is neither; none is mended that is in doubt.
    """
    mended, broken = words(tried, tried.mended), words(tried, tried.broken)
    doubted = () if tried.holds else words(tried, tuple(tried.table.suspects(0)))
    return (
        [each for each in mended if each not in (*broken, *doubted)],
        [each for each in broken if each not in mended],
    )


def _step(found: SearchState, number: int) -> str:
    return "as generated" if number == 0 and found.cell is not None else step(found.tried[number])


def step(tried: Outcome) -> str:
    """What an attempt tries, e.g. "repair: a pink umbrella"."""
    plan = tried.plan
    said = STEPS[plan.step].format(parent=(plan.parent or 0) + 1)
    aims = words(tried, (plan.claim,)) if plan.claim is not None else ()
    return f"{said}: {listed(aims)}" if aims else said


def result(tried: Outcome) -> str:
    """What came of an attempt, in words, e.g. "not four apples; mended purple"."""
    (mended, broken), told = changed(tried), _told(tried)
    words = told.words if told.sign == DOUBT else in_words(told.faults) or told.words
    said = ["given up half-way" if tried.given_up else words]
    said += [f"mended {listed(mended)}"] if mended else []
    said += [f"broke {listed(broken)}"] if broken else []
    return "; ".join(said)


def _told(tried: Outcome) -> ImageVerdict:
    return outcome_of(tried.table, tried.score, tried.holds)


def _card(found: SearchState, number: int) -> str:
    tried = found.tried[number]
    kind = "right" if tried.holds else "best" if number == found.tried[-1].best else "other"
    told = safe(f"Attempt {number + 1}, {_step(found, number)}: {result(tried)}")
    return (
        f'<li class="attempt {kind}"><button type="button" data-attempt="{number}" '
        f'aria-expanded="false" aria-label="{told}">'
        f"{image(tried.file, draggable='false')}"
        f'<span class="step-tried">{number + 1} · {safe(_step(found, number))}</span>'
        f"{_verdict(tried)}{_changes(tried)}</button></li>"
    )


def _verdict(tried: Tried) -> str:
    if tried.given_up:
        return '<span class="verdict">given up half-way</span>'
    return marked(_told(tried))


def _changes(tried: Tried) -> str:
    """What it mended and broke, against the attempt that it came from."""
    mended, broken = changed(tried)
    said = f'<span class="holds">+ {safe(listed(mended))}</span>' if mended else ""
    return said + (f'<span class="fails">− {safe(listed(broken))}</span>' if broken else "")


def _opened(found: SearchState, number: int, joined: bool) -> str:
    """An attempt opened: before and after, what is wrong, and how to go on with it."""
    tried = found.tried[number]
    told = _told(tried)
    why = reasons(faults(tried.table, sure=told.sign != DOUBT), told)
    address = safe(url(tried.file))
    join = (
        f'<button type="button" class="share join" data-attempt="{number}">'
        "Put it in the grid</button>"
        if tried.usable and not joined and not (number == 0 and found.cell is not None)
        else ""
    )
    return (
        f'<article class="opened" data-attempt="{number}" hidden>{_images(found, number)}'
        f"<div><h3>Attempt {number + 1}: {safe(_step(found, number))}</h3>{why}"
        f'<p class="go-on">{join}<a class="share" href="{address}" '
        f'download="attempt-{number + 1}.png">Save image</a></p></div></article>'
    )


def _images(found: SearchState, number: int) -> str:
    """The image; over it, as far as a slider says, the one that it was made from."""
    tried = found.tried[number]
    after = image(tried.file, result(tried))
    if tried.plan.parent is None:
        return f'<figure class="compared">{after}</figure>'
    parent = found.tried[tried.plan.parent]
    before = image(parent.file, **{"class": "before"})
    told = f"before (attempt {tried.plan.parent + 1}) and after"
    return (
        f'<figure class="compared" style="--cut: 50%"><span>{after}{before}{_box(tried)}</span>'
        f'<input type="range" min="0" max="100" value="50" aria-label="{told}">'
        f"<figcaption><span>before</span><span>after</span></figcaption></figure>"
    )


def _box(tried: Tried) -> str:
    """The outline of what was denoised again."""
    if tried.box is None:
        return ""
    left, top, width, height = (f"{share:.1%}" for share in tried.box)
    style = f"left: {left}; top: {top}; width: {width}; height: {height}"
    return f'<i class="box" style="{style}"></i>'

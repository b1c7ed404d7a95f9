"""HTML of a comparison: a table of small grids, the figures of each system, and differences."""

from __future__ import annotations

from collections.abc import Sequence

from alignment.judgements import METHOD, complete, satisfied
from alignment.records import GridReport
from alignment.statistics.intervals import FEW
from session.comparison import LETTERS, ComparisonState
from session.comparison_summary import (
    KINDS,
    PairedDifference,
    SystemSummary,
    means,
    paired_difference,
    partly_judged,
    shared_prompts,
    summarise_system,
)
from session.state import GridState
from session.systems.system import System
from ui.render.gallery import description
from ui.render.status import activity as grid_activity
from ui.render.words import (
    counted,
    help_mark,
    image,
    listed,
    method_name,
    number,
    percent,
    row,
    safe,
    table,
)

SIGNS = {
    True: '<span class="holds">✓<span class="unseen"> right</span></span>',
    False: '<span class="fails">✗<span class="unseen"> wrong</span></span>',
    None: '<span>?<span class="unseen"> cannot be told</span></span>',
}
"""How a judgement is shown."""
IN_PART = '<span>(✓)<span class="unseen"> right in the part that could be judged</span></span>'
"""The same of an image that shows all that could be judged, but not all words could."""
PARTLY = "Only part of {} could be judged; there an image counts as right when it shows that part."
NOT_CALIBRATED = (
    "The scores of {} are not calibrated: there an image counts as right when every answer "
    "about it holds, and ERR and RBP are not given."
)
CALIBRATED = (
    "An image counts as right when its calibrated chance of being right is at least one half; "
    "where that is not clear enough for the calibration's promise, it cannot be told."
)

SHARES = ("first_right", "share_right")
"""Figures that are shown in percent."""


def comparison(state: ComparisonState) -> str:
    """The table, what differs, and failures by kind; empty before the first grid is finished."""
    if not state.finished:
        return ""
    found = [summarise_system(state, system) for system in range(len(state.systems))]
    return (
        f'<section class="comparison">{_differences(state)}'
        '<div class="sideways" tabindex="0" role="region" aria-label="Grids and figures">'
        f'<table style="--systems: {len(state.systems)}">{_head(state.systems)}'
        f"<tbody>{_rows(state)}</tbody>"
        f"<tfoot>{_figures(state, found)}</tfoot></table></div>{_notes(found)}"
        f"{_failures(state.systems, found)}</section>"
    )


def activity(state: ComparisonState) -> tuple[str, int, int]:
    """What the job is doing, in words; how many grids are finished, and of how many."""
    done, total = len(state.finished), len(state.places)
    if not state.grids:
        return "loading", done, total
    prompt, system = [*state.grids][-1]
    grid = state.grids[prompt, system]
    where = f"prompt {prompt + 1} of {len(state.prompts)}, column {LETTERS[system]}"
    return f"{where}: {grid_activity(grid)}", done, total


def difference_sentence(found: PairedDifference, first: str, second: str) -> str:
    """Which of two is right more often, how surely, and over how many prompts.

    >>> difference_sentence(PairedDifference(0.12, 0.03, 0.21, 40, 9), "A", "B")
    'B is right more often than A: +12 points, 95 % interval 3 to 21, 40 prompts.'
    >>> difference_sentence(PairedDifference(0.004, 0.001, 0.009, 100, 10), "A", "B")
    'B is right more often than A: under 1 point, 95 % interval 0 to 1, 100 prompts.'
    """
    prompts = counted(found.n, "prompt")
    if not found.differing:
        each = f"each of {prompts}" if found.n > 1 else "the one prompt where both can be judged"
        return f"{first} and {second} are right equally often on {each}.{_few(found)}"
    if found.low <= 0 <= found.high and found.n < FEW:
        few = f"{prompts} {'is' if found.n == 1 else 'are'} too few to tell"
        return f"{few} which of {first} and {second} is right more often."
    points, low, high = (round(100 * each) for each in (found.value, found.low, found.high))
    most = f"{points:+d} points" if points else "under 1 point"
    over = f"{most}, 95 % interval {low} to {high}, {prompts}.".replace("-", "−")
    said = f"{second} is right {'more' if found.value > 0 else 'less'} often than {first}: {over}"
    if found.low <= 0 <= found.high:
        said = f"It cannot be told which of {first} and {second} is right more often: {over}"
    return said + _few(found)


def _few(found: PairedDifference) -> str:
    if found.n >= FEW:
        return ""
    return f" With fewer than {FEW} prompts, do not rely on it."


def _differences(state: ComparisonState) -> str:
    found = [
        (LETTERS[system], paired_difference(state, 0, system))
        for system in range(1, len(state.systems))
    ]
    rows = "".join(
        f"<li>{safe(difference_sentence(difference, LETTERS[0], letter))}</li>"
        for letter, difference in found
        if difference
    )
    partly = partly_judged(state)
    rows += f"<li>{PARTLY.format(counted(partly, 'prompt'))}</li>" if partly else ""
    return f'<ul class="differences">{rows}</ul>' if rows else ""


def _head(systems: Sequence[System]) -> str:
    cells = "".join(
        f'<th scope="col"><b>{letter}</b> {_settings(system, systems[0])}</th>'
        for letter, system in zip(LETTERS, systems, strict=False)
    )
    return f"<thead><tr><td></td>{cells}</tr></thead>"


def _settings(system: System, first: System) -> str:
    """The settings of the first system; of the others what differs from them."""
    if system is first:
        return f"<small>{safe(system.name)}</small>"
    return f"<small>{safe(system.said(system.differing(first)))}</small>"


def _rows(state: ComparisonState) -> str:
    return "".join(
        row(safe(prompt), _grids(state, number))
        for number, prompt in enumerate(state.prompts)
        if any((number, system) in state.grids for system in range(len(state.systems)))
    )


def _grids(state: ComparisonState, prompt: int) -> list[str]:
    grids = (state.finished.get((prompt, system)) for system in range(len(state.systems)))
    waiting = '<span class="unjudged">not finished</span>'
    return [
        small_grid(grid, f"{prompt},{system}") if grid else waiting
        for system, grid in enumerate(grids)
    ]


def small_grid(grid: GridState, place: str = "") -> str:
    """The reranked images of a finished grid.

    Args:
        place: what each image is known by to whoever opens it; without one, none can be opened,
            and nothing is said of it.
    """
    signs = _signs(grid.report) if grid.report else ()
    images = "".join(
        f"<li>{_image(grid, cell, rank, signs[cell], place)}</li>"
        for rank, cell in enumerate(grid.arranged("reranked"), 1)
    )
    return f'<ol class="small-grid" style="--columns: {grid.request.columns}">{images}</ol>'


def _signs(report: GridReport) -> list[str]:
    """How each image is judged, by cell."""
    told = zip(report.scores.get(METHOD, ()), satisfied(report), strict=True)
    return [IN_PART if shows and not complete(score) else SIGNS[shows] for score, shows in told]


def _image(grid: GridState, cell: int, rank: int, sign: str, place: str) -> str:
    alt = description(grid, cell) if place else f"image {rank}"
    shown = image(grid.file(cell), alt) or '<span class="unjudged">filtered</span>'
    if not place:
        return shown
    shown += f'<span class="judged">{sign} {number(grid.value(cell))}</span>'
    return f'<button type="button" data-image="{place},{cell}">{shown}</button>'


def _figures(state: ComparisonState, found: Sequence[SystemSummary]) -> str:
    first = f"first image, {method_name(state.rank_by)}{help_mark(state.rank_by)}"
    unjudged = [f"{s.unjudged} <small>of {counted(s.images, 'image')}</small>" for s in found]
    seconds = ["–" if each.seconds is None else f"{each.seconds:.1f}" for each in found]
    rows = (
        _means(state, first, "top_score"),
        _means(state, "first image right", "first_right"),
        _means(state, "images right, of those judged", "share_right"),
        row("cannot be told", unjudged),
        _means(state, f"ERR{help_mark('ERR')}", "ERR"),
        _means(state, f"RBP{help_mark('RBP')}", "RBP"),
        row("seconds per grid, median", seconds),
    )
    return "".join(rows)


def _means(state: ComparisonState, name: str, figure: str) -> str:
    """The mean of a figure in every column, and in its head over which prompts."""
    prompts, finished = shared_prompts(state, figure), {prompt for prompt, _ in state.finished}
    over = f"{len(prompts)} of " if 0 < len(prompts) < len(finished) else ""
    head = f"{name}<small>, mean of {over}{counted(len(finished), 'prompt')}</small>"
    shown = percent if figure in SHARES else number
    cells = [
        shown(mean) + _from_first(state, system, figure)
        for system, mean in enumerate(means(state, figure))
    ]
    return row(head if prompts else name, cells)


def _from_first(state: ComparisonState, system: int, figure: str) -> str:
    """By how much a figure differs from that of the first column; empty below two prompts.

    A few prompts tell nothing of others, so that their difference has no interval.
    """
    found = paired_difference(state, 0, system, figure) if system else None
    if not found or found.n < 2:
        return ""
    if not found.differing:
        return f'<small class="from-first">the same on each of {found.n} prompts</small>'
    mean, low, high = (
        (f"{100 * each:.0f}" if figure in SHARES else f"{each:.2f}").replace("-", "−")
        for each in (found.value, found.low, found.high)
    )
    sign = "" if found.value < 0 else "+"
    unit = " points" if figure in SHARES else ""
    interval = f", 95 %: {low} to {high}" if found.n >= FEW else ""
    return f'<small class="from-first">{sign}{mean}{unit}{interval}</small>'


def _notes(found: Sequence[SystemSummary]) -> str:
    finished = [
        (letter, each) for letter, each in zip(LETTERS, found, strict=False) if each.prompts
    ]
    without = [letter for letter, each in finished if not each.calibrated]
    notes = [CALIBRATED] if len(without) < len(finished) else []
    which = f"column{'s' if len(without) > 1 else ''} {listed(without)}" if without else ""
    notes += [NOT_CALIBRATED.format(which)] if which else []
    notes.append(
        "Figures are means over the prompts on which every column has them; ERR and RBP of the "
        "reranked grid, looked at row by row. "
        "Below each figure is its difference from that of column A, with a "
        f"95 % interval where there are at least {FEW} prompts."
    )
    return f'<p class="note">{safe(" ".join(notes))}</p>'


def _failures(systems: Sequence[System], found: Sequence[SystemSummary]) -> str:
    """Failing answers of each kind of question; empty where nothing was asked."""
    asked = [kind for kind in KINDS if any(kind in each.failures for each in found)]
    if not asked:
        return ""
    rows = "".join(row(kind, [_failing(each, kind) for each in found]) for kind in asked)
    caption = "Failing answers, by what the question asks about"
    return table(["", *LETTERS[: len(systems)]], rows, "failures", caption)


def _failing(found: SystemSummary, kind: str) -> str:
    failing, asked = found.failures.get(kind, (0, 0))
    if not asked:
        return "–"
    return f"{percent(failing / asked)} <small>{failing} of {asked}</small>"

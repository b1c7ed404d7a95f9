"""A grid, where the eye goes and what each picture earns come in; two small maps go out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from session.state import GridState
from ui.render.words import help_mark, number, percent, safe

MASS, SHARE = "mass", "share"
"""What parts of the attention and of ERR are called where they are explained."""
NOTICED = 0.005
"""The smallest difference that shows in two places."""


@dataclass(frozen=True)
class Place:
    """One place of a grid as it is shown."""

    cell: int
    """The cell that is there."""
    mass: float
    """Its part of the attention."""
    share: float | None
    """What it adds to ERR; None when it could not be judged."""
    loss: float
    """What the grid would lose without it; below 0 when it only takes time."""


def maps(state: GridState, places: Sequence[Place], spotlit: str) -> str:
    """The two maps side by side with their captions, and in words who earns it.

    Args:
        board: the grid.
        places: of the grid as shown, row by row.
        spotlit: the address of the picture that `spotlight` made.
    """
    drawn = _captioned(attraction(state, places, spotlit), "where the eye is drawn", MASS)
    earned = _captioned(earnings(state, places), "who earns it", SHARE)
    said = f"{best_earner(state, places)} {idlers(state, places)}".strip()
    return f'<div class="maps">{drawn}{earned}</div><p class="earner">{safe(said)}</p>'


def attraction(state: GridState, places: Sequence[Place], spotlit: str) -> str:
    """The grid, lit where the eye is drawn, and the mass of each place in per cent."""
    attention = "".join(
        f'<b title="{safe(f"{state.known_as(each.cell)} draws {each.mass:.6f}")}">'
        f"{each.mass:.0%}</b>"
        for each in places
    )
    return (
        f'<div class="attraction" style="--columns: {state.columns}; --rows: {state.rows}">'
        f'<img src="{safe(spotlit)}" alt="the grid, lit where the eye is drawn">'
        f'<span class="masses">{attention}</span></div>'
    )


def earnings(state: GridState, places: Sequence[Place]) -> str:
    """Each picture's part of the whole, as a filled thumbnail with its per cent."""
    cells = "".join(
        _earning(state.address(each.cell), part, _exactly(state, each))
        for each, part in zip(places, _parts(places), strict=True)
    )
    return f'<div class="earnings" style="--columns: {state.columns}">{cells}</div>'


def best_earner(state: GridState, places: Sequence[Place]) -> str:
    """Which picture earns most, how many it takes for nine tenths, and what it is worth.

    E.g. "#1 (seed 12) earns 93 % of ERR; it alone is over nine tenths of it. Without it the grid
    would give 0.38 less."
    """
    parts = sorted(zip(_parts(places), range(len(places)), strict=True), reverse=True)
    if not sum(part for part, _ in parts):
        return "No picture earns anything here."
    most, place = parts[0]
    needed = 1 + sum(earlier < 0.9 for earlier in accumulate(part for part, _ in parts))
    together = (
        "it alone is over nine tenths of it."
        if needed == 1
        else f"{needed} pictures together earn nine tenths of it."
    )
    best = places[place]
    return (
        f"{_name(state, best.cell)} earns {percent(most)} of ERR; {together} "
        f"Without it the grid would give {_missed(best.loss)}{_instead(best)}."
    )


def idlers(state: GridState, places: Sequence[Place]) -> str:
    """The picture that costs a viewer most, where the grid would give more without it.

    E.g. "Without #9 (seed 7) it would give 0.02 more: that one only takes the viewer's time."
    """
    worst = min(places, key=lambda each: each.loss)
    if worst.loss > -NOTICED:
        return ""
    return (
        f"Without {_name(state, worst.cell)} it would give {_missed(worst.loss)}: "
        "that one only takes the viewer's time."
    )


def _missed(loss: float) -> str:
    """What a grid gives without a picture.

    >>> _missed(0.381), _missed(-0.02), _missed(-0.001)
    ('0.38 less', '0.02 more', 'as much')
    """
    if abs(loss) < NOTICED:
        return "as much"
    return f"{number(abs(loss))} {'less' if loss > 0 else 'more'}"


def _instead(best: Place) -> str:
    """Why a picture that earns something is not missed."""
    earns, missed = (best.share or 0.0) >= NOTICED, abs(best.loss) >= NOTICED
    return ": the others would earn it instead" if earns and not missed else ""


def _name(state: GridState, cell: int) -> str:
    return f"#{state.rank(cell)} ({state.known_as(cell)})"


def _exactly(state: GridState, place: Place) -> str:
    """What a picture earns, and what the grid is worth with it and without."""
    change = "more" if place.loss < 0 else "less"
    return (
        f"{state.known_as(place.cell)} earns {place.share or 0.0:.6f} here; without it the grid "
        f"would give {abs(place.loss):.6f} {change}"
    )


def _parts(places: Sequence[Place]) -> list[float]:
    """Each share of their sum; noughts when there is nothing to share."""
    total = sum(each.share or 0.0 for each in places) or 1.0
    return [(each.share or 0.0) / total for each in places]


def _captioned(figure: str, caption: str, meaning: str) -> str:
    said = f"<figcaption>{caption}{help_mark(meaning)}</figcaption>"
    return f'<figure class="map">{figure}{said}</figure>'


def _earning(address: str | None, part: float, signature: str) -> str:
    picture = f'<img src="{safe(address)}" alt="">' if address else ""
    return (
        f'<span class="earning" style="--part: {part:.4f}" title="{safe(signature)}">'
        f"{picture}<b>{part:.0%}</b></span>"
    )

"""HTML of the map of visual saliency, and what the images contribute to ERR, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from session.state import GridState
from ui.render.words import help_mark, image_name, percent, safe

VISIBLE = 0.005
"""The smallest difference that shows in two places."""


@dataclass(frozen=True)
class Place:
    """One place of a grid as it is shown."""

    cell: int
    """The cell that is there."""
    attention: float
    """Its part of the attention, in [0, 1]."""
    contribution: float | None
    """What its image adds to ERR; None when it has no score."""


def attention_map(state: GridState, places: Sequence[Place], overlay: str) -> str:
    """The grid, lit where it is salient, with a sentence on what its images contribute.

    Args:
        overlay: the address of the image that `session.attention.saliency_overlay` made.
    """
    said = largest_contribution(state, places)
    caption = f"<figcaption>visual saliency{help_mark('saliency')}</figcaption>"
    figure = f'<figure class="map">{saliency(state, places, overlay)}{caption}</figure>'
    return f'{figure}<p class="contributed">{safe(said)}{help_mark("contribution")}</p>'


def saliency(state: GridState, places: Sequence[Place], overlay: str) -> str:
    """The grid, lit where it is salient, and the attention of each place in per cent."""
    columns, rows = state.request.columns, state.request.rows
    attention = "".join(
        f'<b title="{safe(_exactly(state, each))}">{each.attention:.0%}</b>' for each in places
    )
    return (
        f'<div class="saliency" style="--columns: {columns}; --rows: {rows}">'
        f'<img src="{safe(overlay)}" alt="the grid, lit where it is salient">'
        f'<span class="attention">{attention}</span></div>'
    )


def largest_contribution(state: GridState, places: Sequence[Place]) -> str:
    """Which image contributes most, and how many it takes for nine tenths.

    E.g. "#1 (seed 12) contributes 93 % of ERR."
    """
    if sum(each.contribution or 0.0 for each in places) < VISIBLE:
        return "No image contributes to ERR here."
    parts = sorted(zip(_parts(places), range(len(places)), strict=True), reverse=True)
    most, place = parts[0]
    needed = 1 + sum(earlier < 0.9 for earlier in accumulate(part for part, _ in parts))
    rank, name = state.rank(places[place].cell), image_name(state, places[place].cell)
    name = f"#{rank} ({name})" if rank else name
    together = "" if needed == 1 else f" {needed} images together contribute nine tenths of it."
    return f"{name} contributes {percent(most)} of ERR.{together}"


def _exactly(state: GridState, place: Place) -> str:
    """What an image draws and contributes, in full."""
    return (
        f"{image_name(state, place.cell)} draws {place.attention:.6f} and contributes "
        f"{place.contribution or 0.0:.6f}"
    )


def _parts(places: Sequence[Place]) -> list[float]:
    """Each contribution as a part of their sum; zeros when the sum is zero."""
    total = sum(each.contribution or 0.0 for each in places) or 1.0
    return [(each.contribution or 0.0) / total for each in places]

"""HTML of the map of visual saliency, and what the images contribute to ERR, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from alignment.records import Arrangement
from session.state import GridState
from ui.render.words import help_mark, image_name, percent, safe

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

"""Curves over one scale come in; a chart of them goes out, as SVG that stands alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape as safe

WIDTH, HEIGHT, MARGIN, NAMES = 420, 260, 48, 130
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's, told apart by everybody; each curve is named at its end as well."""
APART = 13
"""Pixels between the names of two curves."""


def curves(
    series: Mapping[str, Sequence[float]], places: Sequence[float], title: str, across: str
) -> str:
    """One line for each name; where lines cross, the order changes.

    Args:
        series: name -> one value for each place.
        places: along the scale, rising.
        title: over the chart.
        across: what the scale is.
    """
    values = [value for each in series.values() for value in each]
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    across_all = (places[-1] - places[0]) or 1.0

    def put(place: float, value: float) -> tuple[float, float]:
        x = MARGIN + (place - places[0]) / across_all * (WIDTH - MARGIN)
        return x, HEIGHT - (value - low) / span * (HEIGHT - MARGIN)

    ends = _spread({name: put(places[-1], each[-1])[1] for name, each in series.items()})
    drawn = "".join(
        _line([put(*point) for point in zip(places, each, strict=True)], colour)
        + _name(name, ends[name], colour)
        for (name, each), colour in zip(series.items(), _colours(len(series)), strict=True)
    )
    middle = (MARGIN + WIDTH) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" '
        f'viewBox="0 0 {WIDTH + NAMES} {HEIGHT + MARGIN}" '
        f'font-family="system-ui, sans-serif" font-size="11" fill="#444">'
        f'<title>{safe(title)}</title><rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="{middle:g}" y="18" text-anchor="middle" font-weight="600">{safe(title)}</text>'
        f"{''.join(_tick_up(value, put(places[0], value)[1]) for value in (low, high))}"
        f"{''.join(_tick_across(place, put(place, low)[0]) for place in places)}{drawn}"
        f'<text x="{middle:g}" y="{HEIGHT + 38}" text-anchor="middle">{safe(across)}</text></svg>\n'
    )


def _colours(count: int) -> list[str]:
    return [COLOURS[index % len(COLOURS)] for index in range(count)]


def _line(points: Sequence[tuple[float, float]], colour: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _name(name: str, height: float, colour: str) -> str:
    return f'<text x="{WIDTH + 8}" y="{height + 4:.1f}" fill="{colour}">{safe(name)}</text>'


def _spread(heights: Mapping[str, float]) -> dict[str, float]:
    """The same heights, moved up where two names would lie on one another.

    >>> _spread({"a": 100.0, "b": 98.0, "c": 20.0})
    {'a': 100.0, 'b': 87.0, 'c': 20.0}
    """
    spread: dict[str, float] = {}
    lowest = float("inf")
    for name in sorted(heights, key=lambda name: -heights[name]):
        lowest = min(heights[name], lowest - APART)
        spread[name] = lowest
    return spread


def _tick_up(value: float, height: float) -> str:
    line = f'<line x1="{MARGIN}" x2="{WIDTH}" y1="{height:.1f}" y2="{height:.1f}" stroke="#ddd"/>'
    return f'{line}<text x="{MARGIN - 6}" y="{height + 4:.1f}" text-anchor="end">{value:.2g}</text>'


def _tick_across(place: float, x: float) -> str:
    return f'<text x="{x:.1f}" y="{HEIGHT + 18}" text-anchor="middle">{place:g}</text>'

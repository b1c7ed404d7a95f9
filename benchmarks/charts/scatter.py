"""Points come in; a small chart of them goes out, as SVG that stands alone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape as safe

WIDTH, HEIGHT, MARGIN = 360, 260, 44
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
ACCENT = "#0072B2"


def scatter(points: Sequence[tuple[float, float]], title: str, across: str, up: str) -> str:
    """Points of the unit square as translucent dots, so that many in one place look darker.

    Args:
        points: x and y, each in [0, 1].
        title: over the chart.
        across: what x is.
        up: what y is.
    """
    dots = "".join(_dot(*point) for point in points)
    axes = "".join(_tick(value) for value in TICKS)
    middle = (MARGIN + WIDTH) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + 16} {HEIGHT + MARGIN}" '
        f'font-family="system-ui, sans-serif" font-size="11" fill="#444" role="img">'
        f"<title>{safe(title)}</title>"
        f'<text x="{middle:g}" y="16" text-anchor="middle" font-weight="600">{safe(title)}</text>'
        f"{axes}{dots}"
        f'<text x="{middle:g}" y="{HEIGHT + 34}" text-anchor="middle">{safe(across)}</text>'
        f'<text transform="translate(12 {HEIGHT / 2:g}) rotate(-90)" text-anchor="middle">'
        f"{safe(up)}</text></svg>\n"
    )


def _place(x: float, y: float) -> tuple[float, float]:
    """Where a point of the unit square lies on the paper."""
    return MARGIN + x * (WIDTH - MARGIN), HEIGHT - y * (HEIGHT - MARGIN)


def _dot(x: float, y: float) -> str:
    left, top = _place(x, y)
    return f'<circle cx="{left:.1f}" cy="{top:.1f}" r="4.5" fill="{ACCENT}" fill-opacity=".35"/>'


def _tick(value: float) -> str:
    """One step of both axes: a line across, and its number beside and below."""
    (left, top), (right, _), (under, bottom) = (
        _place(0, value),
        _place(1, value),
        _place(value, 0),
    )
    return (
        f'<line x1="{left:g}" y1="{top:g}" x2="{right:g}" y2="{top:g}" stroke="#ddd"/>'
        f'<text x="{left - 6:g}" y="{top + 4:g}" text-anchor="end">{value:g}</text>'
        f'<text x="{under:g}" y="{bottom + 16:g}" text-anchor="middle">{value:g}</text>'
    )

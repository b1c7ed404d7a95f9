"""Charts of the benchmarks, drawn by matplotlib into SVG files, and contact sheets of images."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from PIL.Image import Image

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's, which people who confuse colours tell apart too."""
STYLE: Any = {"svg.fonttype": "none", "svg.hashsalt": "charts", "font.size": 9}
"""Text stays text, and the same chart is the same file."""


def line_chart(
    series: Mapping[str, Sequence[float]],
    places: Sequence[float],
    title: str,
    across: str,
    file: Path,
) -> None:
    """One line for each name; where lines cross, the order changes.

    Args:
        series: name -> one value for each place.
        places: along the horizontal axis, rising.
        title: over the chart.
        across: what the horizontal axis is.
        file: an .svg file; folders are made.
    """
    figure, axes = _blank(title, across, "")
    for index, (name, values) in enumerate(series.items()):
        axes.plot(places, values, color=COLOURS[index % len(COLOURS)], label=name)
    axes.legend(frameon=False)
    _save(figure, file)


def scatter_chart(
    points: Sequence[tuple[float, float]], title: str, across: str, up: str, file: Path
) -> None:
    """Points of the unit square as translucent dots, so that many in one place look darker.

    Args:
        points: x and y, each in [0, 1].
        title: over the chart.
        across: what x is.
        up: what y is.
        file: an .svg file; folders are made.
    """
    figure, axes = _blank(title, across, up)
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.03, 1.03)
    axes.scatter([x for x, _ in points], [y for _, y in points], alpha=0.35, color=COLOURS[0])
    _save(figure, file)


@dataclass(frozen=True)
class Panel:
    """One of several charts of the unit square in a figure."""

    title: str
    across: str
    up: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    """Name -> its points, from left to right."""
    diagonal: bool = False
    """Whether the line is drawn where both axes are equal."""
    highest: float = 1.0
    """Of the vertical axis."""


def panel_chart(panels: Sequence[Panel], columns: int, file: Path) -> None:
    """Charts side by side, row by row; series differ by colour, mark and dashes.

    Args:
        panels: as many as fill whole rows.
        columns: in a row.
        file: an .svg file; folders are made.
    """
    from matplotlib.figure import Figure

    rows = len(panels) // columns
    figure = Figure(figsize=(3.1 * columns, 2.9 * rows), layout="constrained")
    for axes, panel in zip(figure.subplots(rows, columns).flat, panels, strict=True):
        axes.set(title=panel.title, xlabel=panel.across, ylabel=panel.up)
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02 * panel.highest, 1.02 * panel.highest))
        axes.grid(visible=True, alpha=0.3)
        if panel.diagonal:
            axes.plot([0, 1], [0, 1], color="#999999", linewidth=1)
        for index, (name, points) in enumerate(panel.series.items()):
            mark = {"marker": "os^v"[index], "linestyle": ("--", "-", ":", "-.")[index]}
            x, y = zip(*points, strict=True)
            axes.plot(x, y, markersize=4, color=COLOURS[index], label=name, **mark)
        axes.legend(frameon=False, fontsize=8)
    _save(figure, file)


def _blank(title: str, across: str, up: str) -> tuple[Any, Any]:
    """A figure that no window shows, and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(visible=True, alpha=0.3)
    return figure, axes


def _save(figure: Any, file: Path) -> None:
    import matplotlib as mpl

    file.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(STYLE):
        figure.savefig(file, format="svg", metadata={"Date": None})


LINES = 3
"""Lines of text under a picture."""
LINE = 12
"""Pixels of a line."""
WIDTH = 6
"""Pixels of a letter, about."""


def contact_sheet(pictures: Sequence[tuple[Image, str]], across: int) -> Image:
    """All pictures row by row, `across` in each, their texts below them; the rest is cut off."""
    side = pictures[0][0].width
    height = side + LINES * LINE + 4
    rows = -(-len(pictures) // across)
    sheet = PillowImage.new("RGB", (across * side, rows * height), "white")
    write, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=10)
    for index, (image, text) in enumerate(pictures):
        left, top = index % across * side, index // across * height
        sheet.paste(image, (left, top))
        write.text((left + 3, top + side + 2), _wrapped(text, side), "black", font, spacing=2)
    return sheet


def _wrapped(text: str, side: int) -> str:
    """A text of one line is broken to fit; the lines of a longer one are cut to their width."""
    lines, width = text.splitlines(), side // WIDTH
    if len(lines) > 1:
        return "\n".join(textwrap.shorten(line, width, placeholder=" …") for line in lines)
    return "\n".join(textwrap.wrap(text, width, max_lines=LINES, placeholder=" …"))

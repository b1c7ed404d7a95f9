"""Charts side by side, drawn by matplotlib into an SVG file, and contact sheets of images."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from PIL.Image import Image

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
"""Okabe and Ito's, which people who confuse colours tell apart too."""
STYLE: Any = {"svg.fonttype": "none", "svg.hashsalt": "charts", "font.size": 9}
"""Text stays text, and the same chart is the same file."""


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
    ticks: tuple[tuple[float, str], ...] = ()
    """Places across and what is written there; without any, numbers from 0 to 1."""


def panel_chart(panels: Sequence[Panel], columns: int, file: Path) -> None:
    """Charts side by side, row by row; series differ by colour, mark and dashes.

    Args:
        panels: as many as fill whole rows.
        columns: in a row.
        file: an .svg file; folders are made.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    rows = len(panels) // columns
    figure = Figure(figsize=(3.1 * columns, 2.9 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, panel in zip(grid.flat, panels, strict=True):
        axes.set(title=panel.title, xlabel=panel.across, ylabel=panel.up)
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02 * panel.highest, 1.02 * panel.highest))
        axes.grid(visible=True, alpha=0.3)
        if panel.ticks:
            axes.set_xticks(*zip(*panel.ticks, strict=True))
        if panel.diagonal:
            axes.plot([0, 1], [0, 1], color="#999999", linewidth=1)
        for index, (name, points) in enumerate(panel.series.items()):
            mark = {"marker": "os^v"[index], "linestyle": ("--", "-", ":", "-.")[index]}
            x, y = zip(*points, strict=True)
            axes.plot(x, y, markersize=4, color=COLOURS[index], label=name, **mark)
        axes.legend(frameon=False, fontsize=8)
    file.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(STYLE):
        figure.savefig(file, format="svg", metadata={"Date": None})


LINES = 3
"""Lines of text under an image."""
LINE = 12
"""Pixels of a line."""
WIDTH = 6
"""Pixels of a letter, about."""


def contact_sheet(images: Sequence[tuple[Image, str]], across: int) -> Image:
    """All images row by row, `across` in each, their texts below them; the rest is cut off."""
    side = images[0][0].width
    height = side + LINES * LINE + 4
    rows = -(-len(images) // across)
    sheet = PillowImage.new("RGB", (across * side, rows * height), "white")
    write, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=10)
    for index, (image, text) in enumerate(images):
        left, top = index % across * side, index // across * height
        sheet.paste(image, (left, top))
        lines = textwrap.wrap(text, side // WIDTH, max_lines=LINES, placeholder=" …")
        write.text((left + 3, top + side + 2), "\n".join(lines), "black", font, spacing=2)
    return sheet

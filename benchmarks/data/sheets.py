"""Contact sheets: many images with a text below each, to look at together."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from PIL.Image import Image

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

"""The contact sheet: the ranked images with rank, score and what fails, as one image."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from textwrap import wrap

from PIL import Image, ImageDraw, ImageFont, ImageOps

from session.state import GridState
from session.storage import load_image
from ui.render.outcome import RIGHT, WRONG, outcome
from ui.render.verdict import sentence
from ui.render.words import image_name, method_name, number

SIDE = 256
"""Of an image, in pixels."""
GAP = 24
CAPTION = 92
"""Height of what stands under an image."""
INK, SOFT, GROUND = "#1d1d1b", "#64635f", "#ffffff"
COLOURS = {RIGHT: "#00795a", WRONG: "#b34d00"}


def contact_sheet(state: GridState) -> Image.Image:
    """The images of a finished grid, best first, with captions, under prompt and verdict."""
    columns, order = state.request.columns, state.arranged("reranked")[: state.size]
    rows = -(-len(order) // columns)
    width = max(columns * (SIDE + GAP) + GAP, 3 * SIDE)
    heading = _heading(state, width - 2 * GAP)
    top = heading.height + 2 * GAP
    sheet = Image.new("RGB", (width, top + rows * (SIDE + CAPTION)), GROUND)
    sheet.paste(heading, (GAP, GAP))
    for place, cell in enumerate(order):
        row, column = divmod(place, columns)
        left, upper = GAP + column * (SIDE + GAP), top + row * (SIDE + CAPTION)
        sheet.paste(_picture(state, cell), (left, upper))
        sheet.paste(_caption(state, cell), (left, upper + SIDE + 6))
    return sheet


def wrapped(text: str, size: int, width: int, most: int) -> list[str]:
    """A text in at most so many lines that fit; one that is cut ends with an ellipsis.

    Args:
        text: of any characters; white space separates words, and long words are broken.
        size: of the letters, in pixels.
        width: of a line, in pixels.
        most: how many lines.
    """
    letters = int(width / _font(size).getlength("x"))
    return wrap(text, letters, max_lines=most, placeholder="…")


@lru_cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """DejaVu Sans Mono, which comes with matplotlib: each letter and sign has the same width."""
    import matplotlib

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return ImageFont.truetype(fonts / "DejaVuSansMono.ttf", size)


def _heading(state: GridState, width: int) -> Image.Image:
    """Prompt, verdict, and where the images come from."""
    origin = f"{state.model}, " if state.model else ""
    said = f"{origin}ranked by {method_name(state.ranked_by)}, evaluators: {state.evaluators}"
    parts = (
        (state.prompt, 26, INK, 3),
        (sentence(state), 18, INK, 4),
        (said, 14, SOFT, 2),
    )
    lines = [
        (line, size, colour)
        for text, size, colour, most in parts
        for line in wrapped(text, size, width, most)
    ]
    return _written(lines, width, sum(size + 10 for _, size, _ in lines))


def _caption(state: GridState, cell: int) -> Image.Image:
    name = image_name(state, cell)
    rank = state.rank(cell)
    first = f"#{rank}  {method_name(state.ranked_by)} {number(state.value(cell))}" if rank else "?"
    said = outcome(state, cell)
    lines = [(first, 16, INK), *((line, 12, SOFT) for line in wrapped(name, 12, SIDE, 1))]
    colour = COLOURS.get(said.sign, SOFT)
    lines += [(line, 12, colour) for line in wrapped(f"{said.sign} {said.words}", 12, SIDE, 2)]
    return _written(lines, SIDE, CAPTION - 12)


def _written(lines: list[tuple[str, int, str]], width: int, height: int) -> Image.Image:
    """Lines below one another: text, size and colour."""
    image = Image.new("RGB", (width, height), GROUND)
    draw, upper = ImageDraw.Draw(image), 0
    for text, size, colour in lines:
        draw.text((0, upper), text, fill=colour, font=_font(size))
        upper += size + (10 if size > 12 else 5)
    return image


def _picture(state: GridState, cell: int) -> Image.Image:
    """The image on its square; an empty square for one that is filtered or not there."""
    square = Image.new("RGB", (SIDE, SIDE), "#dddcd8")
    file = state.file(cell)
    if file and cell not in state.images.filtered:
        image = ImageOps.contain(load_image(file).convert("RGB"), (SIDE, SIDE))
        square.paste(image, ((SIDE - image.width) // 2, (SIDE - image.height) // 2))
    return square

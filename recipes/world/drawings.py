"""Drawings of things: icons of Iconify packages, cut, tinted and rendered as RGBA.

`npm install` in recipes/ puts the packages where `PACKAGES` expects them.
"""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter, ImageOps

from recipes.world.palette import TARGETS, oklab, recolour, rgb_of, srgb

PACKAGES = Path(__file__).parents[1] / "node_modules" / "@iconify-json"
DETAIL = 192
"""Pixels along a side at which a drawing is rendered and recoloured, before it is reduced."""
SIDES = (64, 48, 32)
"""Pixels along the side of a sticker's box."""
MARGIN = 3
"""Pixels kept free around a sticker inside its box."""

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_NOT_DRAWN = {"defs", "mask", "clipPath", "linearGradient", "radialGradient", "filter"}

OWN: Mapping[str, str] = {
    "parking-meter": (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        '<path d="M14.5 17h3v12h-3z" fill="#6d7580"/><path d="M11 28h10v2.5H11z" fill="#4c535c"/>'
        '<path d="M9 9a7 7 0 0 1 14 0v8a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 9 17z" '
        'fill="#4f7fd0"/><path d="M11.500 9a4.500 4.500 0 0 1 9 0v1.500h-9z" fill="#f2f4f7"/>'
        '<path d="M15.600 10.200 18.300 6" stroke="#e0262b" stroke-width="1.100"/>'
        '<path d="M13 13.500h6v1.600h-6z" fill="#26262a"/></svg>'
    ),
}
"""Drawings of our own, name -> SVG."""


@dataclass(frozen=True)
class Drawing:
    """One way to draw a class of thing."""

    icon: str
    """"package:name", or "own:name" for one of `OWN`."""
    keep: tuple[int, ...] = ()
    """Drawn elements that stay; all for none."""
    drop: tuple[int, ...] = ()
    """Drawn elements that are left out."""
    view: str = ""
    """An SVG viewBox in place of the icon's own."""
    tints: tuple[str, str] = ("", "")
    """Of a one-colour glyph: the colour of its lines, and of the areas they enclose ("": none)."""
    largest: bool = False
    """Whether only the largest connected part of a glyph stays."""
    hues: tuple[float | str, ...] = ()
    """What recolouring changes, see `palette.recolour`."""


@cache
def render(drawing: Drawing, colour: str) -> Mapping[int, Image.Image]:
    """A drawing as RGBA for every side of a box, with its margin.

    Args:
        colour: a name in `palette.TARGETS`; "" for the drawing's own colours.
    """
    detailed = _outlined(_detailed(drawing, colour), colour)
    return {side: framed(detailed, side) for side in SIDES}


def framed(image: Image.Image, side: int) -> Image.Image:
    """A sticker that fills a box but for its margin."""
    inner = side - 2 * MARGIN
    image = image.resize((inner, inner), Image.Resampling.LANCZOS)
    return ImageOps.expand(image, MARGIN, (0, 0, 0, 0))


def _detailed(drawing: Drawing, colour: str) -> Image.Image:
    if drawing.tints[0]:
        return _tinted(drawing, colour)
    image = _own_colours(drawing)
    return recolour(image, colour, drawing.hues) if colour else image


@cache
def _own_colours(drawing: Drawing) -> Image.Image:
    return rasterise(svg(drawing), DETAIL)


def rasterise(source: str, pixels: int) -> Image.Image:
    """An SVG document as RGBA."""
    import resvg_py

    png = resvg_py.svg_to_bytes(svg_string=source, width=pixels, height=pixels)
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


def _outlined(image: Image.Image, colour: str) -> Image.Image:
    """White drawings get a thin grey outline, so that they show on white."""
    if colour != "white":
        return image
    edge = image.getchannel("A").filter(ImageFilter.MaxFilter(7))
    under = Image.new("RGBA", image.size, (128, 130, 140, 0))
    under.putalpha(edge)
    under.alpha_composite(image)
    return under


@cache
def _package(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((PACKAGES / name / "icons.json").read_text())
    return loaded


def svg(drawing: Drawing) -> str:
    """The SVG document of a drawing, with the elements that stay."""
    package, _, name = drawing.icon.partition(":")
    if package == "own":
        return OWN[name]
    stored = _package(package)
    icon = stored["icons"][stored.get("aliases", {}).get(name, {"parent": name})["parent"]]
    width = icon.get("width", stored.get("width", 16))
    height = icon.get("height", stored.get("height", 16))
    view = drawing.view or f"{icon.get('left', 0)} {icon.get('top', 0)} {width} {height}"
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{view}">{icon["body"]}</svg>'
    )
    return _cut(text, drawing) if drawing.keep or drawing.drop else text


def _cut(text: str, drawing: Drawing) -> str:
    root = ET.fromstring(text)  # noqa: S314 - an icon of a package that npm has verified
    for index, (parent, element) in enumerate(list(_elements(root))):
        kept = index in drawing.keep if drawing.keep else index not in drawing.drop
        if not kept:
            parent.remove(element)
    return ET.tostring(root, encoding="unicode")


def _elements(root: ET.Element) -> Iterator[tuple[ET.Element, ET.Element]]:
    """Every element that draws, with its parent, in the order of the document."""
    for element in list(root):
        kind = element.tag.replace(_NAMESPACE, "")
        if kind == "g":
            yield from _elements(element)
        elif kind not in _NOT_DRAWN:
            yield root, element


def _tints(drawing: Drawing, colour: str, solid: bool) -> tuple[str, str]:
    """The colours of a glyph's lines and areas when it is drawn in a colour.

    Args:
        solid: whether the lines cover more than the areas that they enclose.
    """
    if not colour:
        return drawing.tints
    wanted = TARGETS[colour]
    if not drawing.tints[1]:
        return wanted, ""
    if solid:
        return wanted, {"black": "#80828a", "white": "#b9bcc4"}.get(colour, "#f2efe8")
    line = {"black": "#0c0c0e", "white": "#9da0a8"}.get(colour, _darker(wanted))
    return line, {"black": "#3a3a40"}.get(colour, wanted)


def _darker(code: str) -> str:
    lab = oklab(rgb_of(code))
    lab[0] *= 0.62
    return "#" + "".join(f"{round(float(value) * 255):02x}" for value in srgb(lab))


def _tinted(drawing: Drawing, colour: str) -> Image.Image:
    """A one-colour glyph with tinted lines and areas, lighter towards the top left."""
    from scipy import ndimage

    source = svg(drawing).replace("currentColor", "#000000")
    alpha = np.asarray(rasterise(source, DETAIL))[..., 3] / 255
    alpha = _largest(alpha) if drawing.largest else alpha
    inside = ndimage.binary_fill_holes(alpha > 0.25)
    line, fill = _tints(drawing, colour, solid=2 * alpha.sum() > inside.sum())
    light = _light(alpha)[..., None]
    colours = np.clip(rgb_of(line) * light, 0, 1)
    if fill:
        area = np.clip(rgb_of(fill) * light, 0, 1)
        colours = area + alpha[..., None] * (colours - area)
        alpha = np.maximum(alpha, inside)
    stacked = np.concatenate([colours, alpha[..., None]], -1)
    return Image.fromarray((stacked * 255).round().astype(np.uint8), "RGBA")


def _largest(alpha: NDArray[Any]) -> NDArray[Any]:
    from scipy import ndimage

    parts, count = ndimage.label(alpha > 0.15, structure=np.ones((3, 3)))
    areas = ndimage.sum_labels(np.ones_like(alpha), parts, range(1, count + 1))
    kept = ndimage.binary_dilation(parts == 1 + int(np.argmax(areas)), iterations=2)
    largest: NDArray[Any] = np.where(kept, alpha, 0)
    return largest


def _light(alpha: NDArray[Any]) -> NDArray[Any]:
    rows, columns = np.nonzero(alpha > 0.1)
    down = (np.arange(len(alpha)) - rows.min()) / max(1, np.ptp(rows))
    right = (np.arange(len(alpha)) - columns.min()) / max(1, np.ptp(columns))
    light: NDArray[Any] = 1.18 - 0.36 * np.clip(0.65 * down[:, None] + 0.35 * right[None], 0, 1)
    return light

"""Images of scenes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recipes.world.drawings import MARGIN, framed, rasterise, render, svg
from recipes.world.scenes import SIZE, Group, Scene
from recipes.world.worlds import HUES, ICON_WORLD, RECOLOURED

VIEW = "0 0 32 32"
"""What of an icon is seen in the sticker world: the elephant is one row higher."""
HORIZON = 64
PATCH = 16
"""Pixels along the side of a patch."""

CONTACT = 4
"""Pixels that two things overlap where one is on the other."""

Stamp: TypeAlias = Callable[[Group, int], Image.Image]
"""A group and the side of its box -> one sticker of it, RGBA."""

_LOOKS: dict[str, tuple[float, float, float, float]] = {
    "red": (0, 1.0, 1.0, 0.0),
    "orange": (26, 1.05, 1.0, 0.06),
    "yellow": (51, 1.0, 1.0, 0.18),
    "green": (125, 0.9, 0.75, 0.0),
    "blue": (214, 1.0, 0.95, 0.0),
    "purple": (272, 0.85, 0.85, 0.0),
    "pink": (325, 0.55, 1.0, 0.15),
    "black": (240, 0.12, 0.26, 0.0),
    "brown": (24, 0.75, 0.55, 0.0),
    "teal": (178, 0.9, 0.7, 0.0),
    "gray": (220, 0.1, 0.62, 0.0),
}
"""Colour -> hue in degrees, factor of saturation, factor and lift of value."""


def recolour(sticker: Image.Image, base_hue: float, colour: str) -> Image.Image:
    """Give the parts of a sticker that carry its base hue another colour.

    Args:
        sticker: RGBA.
        base_hue: degrees; what lies within 60 degrees of it and is not grey changes.
    """
    hue, saturation, value, lift = _LOOKS[colour]
    pixels = np.asarray(sticker).astype(np.float32)
    hsv = np.asarray(sticker.convert("RGB").convert("HSV")).astype(np.float32)
    distance = np.abs((hsv[..., 0] * 360 / 255 - base_hue + 180) % 360 - 180)
    near = np.clip((62 - distance) / 12, 0, 1) * np.clip((hsv[..., 1] / 255 - 0.12) / 0.1, 0, 1)
    vivid = (near > 0.5) & (pixels[..., 3] > 128)
    saturation *= 205 / float(np.median(hsv[..., 1][vivid]))
    value = (value + lift) * 235 / float(np.percentile(hsv[..., 2][vivid], 85))
    recoloured = np.stack(
        [
            np.full_like(hsv[..., 0], hue * 255 / 360),
            np.clip(hsv[..., 1] * saturation, 0, 255),
            np.clip(hsv[..., 2] * value, 0, 255),
        ],
        axis=-1,
    )
    image = Image.fromarray(recoloured.astype(np.uint8), "HSV").convert("RGB")
    mixed = pixels.copy()
    mixed[..., :3] += near[..., None] * (np.asarray(image) - pixels[..., :3])
    return Image.fromarray(mixed.round().astype(np.uint8), "RGBA")


@lru_cache(maxsize=8192)
def sticker(group: Group, size: int) -> Image.Image:
    """One thing of the sticker world as RGBA, `size` pixels square."""
    drawing = ICON_WORLD.thing(group.name).drawings[group.state][0]
    image = rasterise(svg(replace(drawing, view=VIEW)), size - 2 * MARGIN)
    hue = {**HUES, **RECOLOURED}.get(group.name)
    if group.colour and hue is not None:
        image = recolour(image, hue, group.colour)
    return framed(image, size)


def icon(group: Group, size: int) -> Image.Image:
    """One thing of the icon world as RGBA, of its natural colour where it has none.

    All colours of a drawing have one outline.
    """
    thing = ICON_WORLD.thing(group.name)
    colour = group.colour or thing.natural
    return render(thing.drawings[group.state][group.drawing], colour)[size]


def _gradient(top: tuple[int, int, int], bottom: tuple[int, int, int], height: int) -> NDArray[Any]:
    steps = np.linspace(0, 1, height)[:, None, None]
    row = (1 - steps) * np.array(top) + steps * np.array(bottom)
    return np.broadcast_to(row, (height, SIZE, 3))


@lru_cache(maxsize=16)
def backdrop(name: str) -> Image.Image:
    """A background without anything in front of it."""
    sky, ground = {
        "plain": (((240, 240, 243), (240, 240, 243)), ((240, 240, 243), (240, 240, 243))),
        "grass": (((135, 190, 240), (170, 214, 248)), ((124, 186, 84), (104, 168, 66))),
        "beach": (((108, 196, 232), (140, 212, 238)), ((238, 214, 156), (222, 194, 128))),
        "night": (((34, 32, 92), (50, 48, 120)), ((50, 48, 120), (70, 66, 146))),
        "snow": (((176, 196, 222), (204, 218, 236)), ((250, 252, 255), (232, 240, 250))),
        "sunset": (((250, 150, 96), (252, 200, 130)), ((128, 84, 120), (96, 62, 104))),
        "room": (((232, 214, 190), (240, 226, 206)), ((176, 128, 88), (160, 114, 76))),
        "street": (((196, 204, 214), (214, 220, 228)), ((112, 114, 120), (92, 94, 100))),
        "water": (((140, 206, 240), (172, 222, 246)), ((46, 124, 186), (32, 98, 160))),
    }[name]
    halves = [_gradient(*sky, HORIZON), _gradient(*ground, SIZE - HORIZON)]
    return Image.fromarray(np.concatenate(halves).round().astype(np.uint8))


def draw(scene: Scene, stamp: Stamp = sticker) -> Image.Image:
    """The image of a scene, RGB, 128 x 128."""
    image = backdrop(scene.background).copy()
    for index in scene.layers:
        for box in scene.boxes[index]:
            drawn = stamp(plain(scene.groups[index]), box.size)
            image.paste(drawn, (box.x, box.y), drawn)
    return image


def touch(stamp: Stamp, upper: Group, side: int, lower: Group, base: int) -> int:
    """How many pixels two boxes above one another overlap for what is in them to touch.

    What is lower is touched where it is half as wide as at its widest: not at the steam of a cup,
    nor at the tip of a mountain.

    Args:
        side: of the upper box.
        base: of the lower one.
    """
    feet = int(np.nonzero(_widths(stamp, upper, side))[0].max())
    widths = _widths(stamp, lower, base)
    rim = int(np.nonzero(widths >= widths.max() / 2)[0].min())
    return side - 1 - feet + rim + CONTACT


def _widths(stamp: Stamp, group: Group, side: int) -> NDArray[Any]:
    """How many pixels each row of a sticker covers."""
    widths: NDArray[Any] = (np.asarray(stamp(plain(group), side))[..., 3] > 128).sum(1)
    return widths


def plain(group: Group) -> Group:
    """The group without what does not change how one of it is drawn."""
    return Group(group.name, group.colour, group.state, drawing=group.drawing)


@lru_cache(maxsize=8192)
def opacity(stamp: Stamp, group: Group, size: int) -> NDArray[Any]:
    """How much of each patch one thing of a group covers: shape (size / PATCH,) * 2."""
    alpha, n = np.asarray(stamp(group, size))[..., 3] / 255, size // PATCH
    shares: NDArray[Any] = alpha.reshape(n, PATCH, n, PATCH).mean(axis=(1, 3))
    return shares

"""Eleven colours, and the recolouring of a drawing in OKLab.

A drawing is recoloured by giving the pixels of its dominant hue (or of named hues) the chroma of
the target colour, while differences of lightness within the drawing are kept.

Source of OKLab: Björn Ottosson, "A perceptual color space for image processing" (2020).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

Array = NDArray[Any]

TARGETS: Mapping[str, str] = {
    "red": "#e0262b",
    "orange": "#f58a1f",
    "yellow": "#f7d02c",
    "green": "#35a84a",
    "blue": "#2f6fe0",
    "purple": "#8a3fc4",
    "pink": "#f78fc0",
    "brown": "#7d4a26",
    "black": "#26262a",
    "white": "#f4f4f2",
    "gray": "#8c9094",
}
"""Colour name -> sRGB of its middle tone."""

NEUTRAL_CHROMA = 0.055
HUE_REACH = 80
"""Degrees around the dominant hue that are recoloured with it."""
SEED_REACH = 42
"""Degrees around a hue that a drawing names."""

_TO_CONE = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def oklab(rgb: Array) -> Array:
    """OKLab of sRGB values in [0, 1], over the last axis."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    lab: Array = np.cbrt(linear @ _TO_CONE.T) @ _TO_LAB.T
    return lab


def srgb(lab: Array) -> Array:
    """The inverse of `oklab`, clipped to [0, 1]."""
    linear = ((lab @ np.linalg.inv(_TO_LAB).T) ** 3) @ np.linalg.inv(_TO_CONE).T
    linear = np.clip(linear, 0, None)
    curved = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    clipped: Array = np.clip(curved, 0, 1)
    return clipped


def rgb_of(code: str) -> Array:
    """SRGB in [0, 1] of "#rrggbb"."""
    return np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def target(colour: str) -> Array:
    """A colour's middle tone in OKLab."""
    return oklab(rgb_of(TARGETS[colour]))


def recolour(drawing: Image.Image, colour: str, hues: Sequence[float | str] = ()) -> Image.Image:
    """Give a drawing another colour.

    Args:
        drawing: RGBA.
        colour: a name in `TARGETS`.
        hues: OKLab hues in degrees to change, "neutral" for light greys, "dark" for dark ones;
            empty for the dominant hue and its neighbours.
    """
    pixels = np.asarray(drawing).astype(float) / 255
    lab = oklab(pixels[..., :3])
    mask = recolourable(lab, pixels[..., 3], hues)
    changed = srgb(_toned(lab, mask * pixels[..., 3], colour))
    share = _soften(mask)[..., None]
    pixels[..., :3] += share * (changed - pixels[..., :3])
    return Image.fromarray((pixels * 255).round().astype(np.uint8), "RGBA")


def recolourable(lab: Array, alpha: Array, hues: Sequence[float | str] = ()) -> Array:
    """Where a drawing changes: 1 or 0 for each pixel.

    Args:
        lab: (height, width, 3).
        alpha: (height, width) in [0, 1].
    """
    light, chroma, hue = lab[..., 0], np.hypot(lab[..., 1], lab[..., 2]), _hue(lab)
    lilac = (chroma < 0.105) & (hue > 265) & (hue < 335) & (light > 0.5)
    neutral = (chroma < NEUTRAL_CHROMA) | lilac
    pale = neutral & (light > 0.45)
    if hues:
        chosen = ("neutral" in hues) & pale | ("dark" in hues) & neutral & (light <= 0.45)
        for seed in hues:
            if not isinstance(seed, str):
                chosen = chosen | ((_turn(hue, seed) < SEED_REACH) & (chroma > 0.06))
    else:
        chosen = _dominant(light, hue, neutral, pale, alpha)
    return (chosen & (alpha > 0.05)).astype(float)


def _dominant(light: Array, hue: Array, neutral: Array, pale: Array, alpha: Array) -> Array:
    glass = ~neutral & (hue > 205) & (hue < 255) & (light > 0.72)
    vivid = ~neutral & (alpha > 0.05)
    weights = alpha * vivid * np.where(glass, 0.5, 1.0)
    bins = np.bincount((hue[vivid] // 6).astype(int), weights[vivid], minlength=60)[:60]
    near = np.sum([np.roll(bins, shift) for shift in range(-7, 8)], axis=0)
    peak = int(np.argmax(near)) * 6 + 3
    if bins.sum() == 0 or (alpha * pale).sum() > 1.25 * near.max():
        return pale
    chosen: Array = vivid & (_turn(hue, peak) <= HUE_REACH)
    return chosen if glass[chosen].mean() > 0.5 else chosen & ~glass


def _hue(lab: Array) -> Array:
    degrees: Array = np.degrees(np.arctan2(lab[..., 2], lab[..., 1])) % 360
    return degrees


def _turn(hue: Array, other: float) -> Array:
    """The angle between hues, 0 to 180 degrees."""
    turned: Array = np.abs((hue - other + 180) % 360 - 180)
    return turned


def _toned(lab: Array, weights: Array, colour: str) -> Array:
    wanted, total = target(colour), weights.sum() + 1e-9
    shade = lab[..., 0] - (lab[..., 0] * weights).sum() / total
    chroma = np.hypot(lab[..., 1], lab[..., 2])
    mean = (chroma * weights).sum() / total
    vivid = np.clip(chroma / max(mean, 0.03), 0.6, 1.25) if mean > 0.05 else np.ones_like(chroma)
    light = {
        "white": np.clip(0.955 + 0.45 * np.clip(shade, -0.5, 0.1), 0, 1),
        "black": np.clip(0.26 + 0.6 * shade, 0.12, 0.55),
    }.get(colour, np.clip(wanted[0] + 0.8 * shade, 0.1, 0.99))
    return np.stack([light, wanted[1] * vivid, wanted[2] * vivid], -1)


def _soften(mask: Array) -> Array:
    """A mask with edges blurred by one pixel."""
    image = Image.fromarray((mask * 255).astype(np.uint8))
    return np.asarray(image.filter(ImageFilter.GaussianBlur(1))) / 255

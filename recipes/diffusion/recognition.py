"""What of a generated picture is there beyond doubt: what looks as the world draws it.

The detector says what is where; a thing counts as shown when the picture there looks like its
drawing, and as a smear when it does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image
from torch import Tensor

from benchmarks.stickers.detector import DetectedScene, Sticker
from recipes.world.art import backdrop
from recipes.world.captions import Description
from recipes.world.domains import Domain
from recipes.world.scenes import Box, Group, Scene
from recipes.world.things import SIZES

Bounds = tuple[float, float]
"""How much like its drawing a thing that is shown looks at least, and a smear at most."""
SHIFTS = (-2, 0, 2)


def likeness(picture: NDArray[Any], seen: Sticker, background: str, domain: Domain) -> float:
    """How much a place of a picture looks like a sticker: the correlation of their edges.

    Args:
        picture: (128, 128, 3), in [0, 255].
        seen: in any of the ways that it is drawn.
        background: of the picture.
        domain: of the sticker.
    """
    ways = range(len(domain.world.thing(seen.name).drawings[seen.state]))
    groups = (Group(seen.name, seen.colour, seen.state, drawing=way) for way in ways)
    return max(_alike(picture, seen, background, domain.stamp(g, seen.size)) for g in groups)


def _alike(picture: NDArray[Any], seen: Sticker, background: str, drawn: Image) -> float:
    stamp = np.asarray(drawn, np.float32)
    opacity, back = stamp[..., 3:] / 255, np.asarray(backdrop(background), np.float32)
    padded = np.pad(picture - back, ((2, 2), (2, 2), (0, 0)), mode="edge")
    found = []
    for down in SHIFTS:
        for right in SHIFTS:
            top, left = seen.y + 2 + down, seen.x + 2 + right
            there = padded[top : top + seen.size, left : left + seen.size]
            under = back[seen.y : seen.y + seen.size, seen.x : seen.x + seen.size]
            found.append(_correlation(_edges(opacity * (stamp[..., :3] - under)), _edges(there)))
    return max(found)


def _edges(difference: NDArray[Any]) -> NDArray[Any]:
    """Steps right and down of the halved picture."""
    side = len(difference) // 2
    half = difference.reshape(side, 2, side, 2, 3).mean((1, 3))
    return np.concatenate([np.diff(half, axis=0).ravel(), np.diff(half, axis=1).ravel()])


def _correlation(one: NDArray[Any], other: NDArray[Any]) -> float:
    return float(one @ other / np.sqrt((one @ one) * (other @ other) + 1e-6))


def drawn_there(scene: Scene) -> DetectedScene:
    """What a detector that makes no mistake sees in the drawing of a scene."""
    pairs = zip(scene.groups, scene.boxes, strict=True)
    stickers = (
        Sticker(group.name, group.colour, group.state, box.size, box.x, box.y)
        for group, boxes in pairs
        for box in boxes
    )
    return DetectedScene(tuple(stickers), scene.background)


def recognise(
    picture: Tensor, seen: DetectedScene, asked: Description, domain: Domain, bounds: Bounds
) -> Scene | None:
    """What of a picture is there beyond doubt; None where something is doubtful."""
    clear, smeared = bounds
    pixels = (picture.permute(1, 2, 0).numpy() + 1) * 127.5
    shown = []
    for found in seen.stickers:
        if max(found.x, found.y) + found.size > len(pixels):
            return None
        looks = {found, *_as_asked(found, asked, domain)}
        alike = {look: likeness(pixels, look, seen.background, domain) for look in looks}
        best = max(alike, key=lambda look: (alike[look], look.colour))
        if smeared < alike[best] < clear:
            return None
        shown += [best] if alike[best] >= clear else []
    scene = assemble(shown, seen.background)
    names = [group.name for group in scene.groups]
    return scene if len(shown) <= domain.world.most and len(names) == len({*names}) else None


def _as_asked(found: Sticker, asked: Description, domain: Domain) -> Iterator[Sticker]:
    """The same sticker with the looks of each thing that was asked for."""
    for group in asked.groups:
        thing = domain.world.thing(group.name)
        colour = (group.colour or found.colour) if thing.recolourable else ""
        for state in [group.state] if group.state else thing.drawings:
            yield replace(found, name=group.name, colour=colour, state=state)


def assemble(stickers: list[Sticker], background: str) -> Scene:
    """Stickers as a scene, those of the same looks in one group."""
    said = {pixels: name for name, pixels in SIZES.items()} if len(stickers) <= 2 else {}
    looks = [(s.name, s.colour, s.state, said.get(s.size, "")) for s in stickers]
    kinds = list(dict.fromkeys(looks))
    groups = [Group(*kind[:3], looks.count(kind), kind[3]) for kind in kinds]
    boxes = [
        tuple(
            Box(s.x, s.y, s.size) for s, look in zip(stickers, looks, strict=True) if look == kind
        )
        for kind in kinds
    ]
    return Scene(tuple(groups), tuple(boxes), background)

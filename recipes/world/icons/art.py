"""Pictures of the icon world: every drawing rendered once in every colour, then pasted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from recipes.world.art import MARGIN, backdrop
from recipes.world.icons.classes import CLASSES
from recipes.world.icons.drawings import PACKAGES, Drawing, render
from recipes.world.icons.palette import TARGETS
from recipes.world.scenes import SIZE, Box, Group, Scene

CACHE = PACKAGES.parent / ".stickers"
"""Where rendered stickers are kept, rendered in two minutes; deleting it is safe."""
RENDERING = 1
"""To be raised when drawings are rendered or recoloured otherwise than before."""
SIZES = (64, 48, 32)
"""Pixels along the side of a sticker's box."""
COVERED = 1 / 6
"""Share of a patch that must be opaque for a sticker to cover it."""

Look = tuple[str, str, int, str]
"""Class, state, drawing, colour."""


@cache
def looks() -> dict[Look, int]:
    """Every look that the world has, and its row in the rendered stickers."""
    return {look: row for row, (look, _) in enumerate(_drawn())}


def _drawn() -> Iterator[tuple[Look, Drawing]]:
    for thing in CLASSES:
        colours = tuple(TARGETS) if thing.natural else ("", *TARGETS)
        for state, several in thing.drawings.items():
            for index, drawing in enumerate(several):
                yield from (((thing.name, state, index, c), drawing) for c in colours)


@cache
def _stickers(size: int) -> NDArray[np.uint8]:
    """All stickers of a size: (looks, size, size, 4), rendered on first use."""
    described = repr((RENDERING, list(_drawn()), sorted(TARGETS.items())))
    key = hashlib.sha256(described.encode()).hexdigest()[:12]
    stored = CACHE / f"{key}-{size}.npy"
    if not stored.exists():
        _render_all(key)
    loaded: NDArray[np.uint8] = np.load(stored, mmap_mode="r")
    return loaded


def _render_all(key: str) -> None:
    CACHE.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        sheet = np.zeros((len(looks()), size, size, 4), np.uint8)
        for row, ((*_, colour), drawing) in enumerate(_drawn()):
            image = render(drawing, colour, size - 2 * MARGIN)
            sheet[row, MARGIN : size - MARGIN, MARGIN : size - MARGIN] = np.asarray(image)
        partial = CACHE / f"{key}-{size}.new.npy"
        np.save(partial, sheet)
        partial.replace(CACHE / f"{key}-{size}.npy")


@lru_cache(maxsize=8192)
def sticker(group: Group, size: int) -> Image.Image:
    """One sticker of a group as RGBA, `size` pixels square."""
    return Image.fromarray(np.array(_stickers(size)[_row(group)]), "RGBA")


def _row(group: Group) -> int:
    return looks()[group.name, group.state, group.drawing, group.colour]


def _draw_icons(scene: Scene) -> Image.Image:
    """The picture of a scene, RGB, 128 x 128."""
    picture = backdrop(scene.background).copy()
    for group, boxes in zip(scene.groups, scene.boxes, strict=True):
        for box in boxes:
            stamp = sticker(_plain(group), box.size)
            picture.paste(stamp, (box.x, box.y), stamp)
    return picture


def _plain(group: Group) -> Group:
    """The group without what does not change how one of it is drawn."""
    return Group(group.name, group.colour, group.state, drawing=group.drawing)


def photograph_icons(scenes: Sequence[Scene]) -> Tensor:
    """Pictures of scenes, shape (n, 3, 128, 128), in [-1, 1], channels last in memory."""
    stack = np.stack([np.asarray(_draw_icons(scene)) for scene in scenes])
    return torch.from_numpy(stack).permute(0, 3, 1, 2).float() / 127.5 - 1


def icon_patch_map(scene: Scene, patch: int = 16) -> NDArray[Any]:
    """Which group covers each patch, -1 where only background is seen: (SIZE / patch,) * 2."""
    covered = np.full((SIZE // patch, SIZE // patch), -1)
    for index, (group, boxes) in enumerate(zip(scene.groups, scene.boxes, strict=True)):
        for box in boxes:
            _cover(covered, index, group, box, patch)
    return covered


def _cover(covered: NDArray[Any], index: int, group: Group, box: Box, patch: int) -> None:
    share = _opacity(_plain(group), box.size, patch)
    row, column, n = box.y // patch, box.x // patch, box.size // patch
    view = covered[row : row + n, column : column + n]
    view[share > COVERED] = index


@lru_cache(maxsize=8192)
def _opacity(group: Group, size: int, patch: int) -> NDArray[Any]:
    alpha = np.asarray(sticker(group, size))[..., 3] / 255
    n = size // patch
    opacity: NDArray[Any] = alpha.reshape(n, patch, n, patch).mean(axis=(1, 3))
    return opacity

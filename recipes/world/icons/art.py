"""Pictures of the icon world: every drawing rendered once in every colour, then pasted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recipes.world.art import MARGIN
from recipes.world.icons.classes import CLASSES, class_named
from recipes.world.icons.drawings import PACKAGES, Drawing, render
from recipes.world.icons.palette import TARGETS
from recipes.world.scenes import Group

CACHE = PACKAGES.parent / ".stickers"
"""Where rendered stickers are kept, rendered in two minutes; deleting it is safe."""
RENDERING = 1
"""To be raised when drawings are rendered or recoloured otherwise than before."""
SIZES = (64, 48, 32)
"""Pixels along the side of a sticker's box."""

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
        unfinished = CACHE / f"{key}-{size}.new.npy"
        np.save(unfinished, sheet)
        unfinished.replace(CACHE / f"{key}-{size}.npy")


@lru_cache(maxsize=8192)
def sticker(group: Group, size: int) -> Image.Image:
    """One sticker of a group as RGBA, `size` pixels square."""
    return Image.fromarray(np.array(_stickers(size)[_row(group)]), "RGBA")


def _row(group: Group) -> int:
    """Of its natural colour where it has none: all colours of a drawing have one outline."""
    colour = group.colour or class_named(group.name).natural
    return looks()[group.name, group.state, group.drawing, colour]

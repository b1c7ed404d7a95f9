"""The images of a unit: a folder with one PNG a cell, whose hashes the record of the unit has.

images/ID/cell-00.png      an image; a filtered cell has none
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

from pydantic import BaseModel

from session.storage import cell_name


class StoredPicture(BaseModel, frozen=True):
    """What is known of the image of one cell."""

    cell: int
    sha256: str | None = None
    """Of its file, in hexadecimal; None for a filtered cell."""
    filtered: bool = False
    """Whether a safety checker withheld the image."""


Pictures = tuple[StoredPicture, ...]


def pictures_of(folder: Path, unit: str) -> Path:
    """Where the images of a unit are."""
    return folder / "images" / unit


def stored_pictures(home: Path, size: int, filtered: Collection[int] = ()) -> Pictures:
    """The images of a unit, as they are in its folder.

    Args:
        home: the folder.
        size: how many cells there are.
        filtered: cells without an image.
    """
    return tuple(
        StoredPicture(cell=cell, filtered=True)
        if cell in filtered
        else StoredPicture(cell=cell, sha256=_digest(home / cell_name(cell)))
        for cell in range(size)
    )


def intact(home: Path, pictures: Pictures) -> bool:
    """Whether every image is in its folder and has the hash it was stored with."""
    try:
        return all(
            each.filtered or _digest(home / cell_name(each.cell)) == each.sha256
            for each in pictures
        )
    except OSError:
        return False


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()

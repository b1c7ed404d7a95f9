"""The images of a unit on disk: a folder with one PNG a cell and a list of their hashes.

images/ID/cell-00.png      an image; a filtered cell has none
images/ID/pictures.json    for each cell the SHA-256 of its file, or that it was filtered
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

from PIL import Image as PillowImage
from PIL.Image import Image
from pydantic import BaseModel, TypeAdapter, ValidationError

from generation import GridCell
from session.storage import cell_name, encoded, synced

LIST = "pictures.json"


class StoredPicture(BaseModel, frozen=True):
    """What is known of the image of one cell."""

    cell: int
    sha256: str | None = None
    """Of its file, in hexadecimal; None for a filtered cell."""
    filtered: bool = False
    """Whether a safety checker withheld the image."""


Pictures = tuple[StoredPicture, ...]

_pictures = TypeAdapter(Pictures)


def pictures_of(folder: Path, unit: str) -> Path:
    """Where the images of a unit are."""
    return folder / "images" / unit


def save_pictures(cells: Sequence[GridCell], draft: Path, home: Path) -> None:
    """Write the images of a unit, but for filtered ones, and move them to their place whole.

    Args:
        cells: all of them, in order.
        draft: a folder of this process alone; what an earlier one left in it is dropped.
        home: where they go.

    Raises:
        OSError: they cannot be written; nothing is left behind.
    """
    shutil.rmtree(draft, ignore_errors=True)
    try:
        draft.mkdir(parents=True)
        stored = tuple(_save(cell, draft) for cell in cells)
        (draft / LIST).write_bytes(_pictures.dump_json(stored))
        publish_folder(draft, home)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _save(cell: GridCell, folder: Path) -> StoredPicture:
    if cell.filtered:
        return StoredPicture(cell=cell.cell, filtered=True)
    content = encoded(cell.image, cell.settings)
    (folder / cell_name(cell.cell)).write_bytes(content)
    return StoredPicture(cell=cell.cell, sha256=hashlib.sha256(content).hexdigest())


def drop_drafts(folder: Path, shard: str) -> None:
    """Delete what killed processes of a shard left unfinished; its lock says that none lives."""
    for draft in (folder / "images").glob(f"*.{shard}*.draft"):
        shutil.rmtree(draft, ignore_errors=True)


def stored_pictures(home: Path) -> Pictures | None:
    """What the folder of a unit says of its images; None when it says nothing."""
    try:
        return _pictures.validate_json((home / LIST).read_bytes())
    except (OSError, ValidationError):
        return None


def intact(home: Path, pictures: Pictures) -> bool:
    """Whether every image is in its folder and has the hash it was stored with."""
    return all(_is_as_stored(home, each) for each in pictures)


def _is_as_stored(home: Path, picture: StoredPicture) -> bool:
    if picture.filtered:
        return True
    try:
        content = (home / cell_name(picture.cell)).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(content).hexdigest() == picture.sha256


def load_picture(home: Path, picture: StoredPicture) -> Image | None:
    """The image of a cell; None where it was filtered."""
    if picture.filtered:
        return None
    with PillowImage.open(home / cell_name(picture.cell)) as image:
        return image.convert("RGB")


def publish_folder(draft: Path, home: Path) -> None:
    """Move a finished folder to its place; where one is there already, that one stays.

    Raises:
        OSError: its files could not be written.
    """
    for file in draft.iterdir():
        synced(file)
    synced(draft)
    try:
        draft.rename(home)
    except OSError:
        if not home.is_dir():
            raise
    synced(home.parent)

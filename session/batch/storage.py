"""Files and folders that are on disk, whole, before they appear under their name."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def synced(path: Path) -> None:
    """Wait until a file, or the list of names of a folder, is on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_file(path: Path, content: bytes) -> None:
    """Give a file new content at once: whoever reads it finds the old or the new, never a part.

    Raises:
        OSError: it could not be written; the old content stays.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        synced(draft)
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    synced(path.parent)


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

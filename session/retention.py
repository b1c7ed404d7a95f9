"""The files that a server keeps for its visitors, and how long.

    PARENT/server-XXXX/lock                     held while the server lives
    PARENT/server-XXXX/images/HASH.png          a finished image, kept until it is swept
    PARENT/server-XXXX/images/OWNER-HASH.png    a preview, gone when its run ends
    PARENT/server-XXXX/HASH/NAME                what visitors upload and download

Whoever starts a server removes the folders of servers that are gone, however they ended.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EPERM
from pathlib import Path

PREFIX = "server-"
LOCK = "lock"


@dataclass(frozen=True)
class Retention:
    """How long files are kept that no run owns."""

    seconds: float = 24 * 3600.0
    """Since they were last written or shown anew."""
    size: int = 2_000_000_000
    """Bytes of all of them; beyond it the oldest go first."""


@contextmanager
def server_folder(parent: Path) -> Iterator[Path]:
    """A folder of this server alone, gone when it ends; those of dead servers go at once.

    Raises:
        OSError: it cannot be made; or `parent` is a folder of another user where everybody can make
            one, such as below /tmp, so that whoever made it could exchange what is in it.
    """
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _require_own(parent)
    _remove_dead(parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    with (folder / LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _require_own(folder: Path) -> None:
    """Refuse a folder in a place that all users share unless it is this user's own."""
    shared = folder.parent.stat().st_mode & stat.S_IWOTH
    if shared and folder.lstat().st_uid != os.getuid():
        raise PermissionError(EPERM, "it belongs to another user", str(folder))


def _remove_dead(parent: Path) -> None:
    """Remove the folders of servers that hold no lock any more."""
    for lock in parent.glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError), lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)


def sweep(
    folder: Path,
    retention: Retention,
    kept: Collection[str] = (),
    clock: Callable[[], float] = time.time,
) -> None:
    """Delete files that are too old, then the oldest while all of them are too large.

    Args:
        kept: names of folders in it that are left alone.
    """
    files = sorted(_files(folder, kept), key=lambda each: each[0])
    size = sum(bytes_ for _, bytes_, _ in files)
    for written, bytes_, file in files:
        if clock() - written > retention.seconds or size > retention.size:
            file.unlink(missing_ok=True)
            size -= bytes_
    for parent, _, _ in os.walk(folder, topdown=False):
        if parent != str(folder):
            with suppress(OSError):  # it is not empty
                Path(parent).rmdir()


def _files(folder: Path, kept: Collection[str]) -> Iterator[tuple[float, int, Path]]:
    """When each file was written, its bytes and its path."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if each not in kept]
        for name in {*names} - {LOCK}:
            file = Path(parent, name)
            with suppress(FileNotFoundError):
                found = file.stat()
                yield found.st_mtime, found.st_size, file

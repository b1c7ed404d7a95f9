"""The ledger of a batch run: an append-only file of records, one JSON object a line.

Each process appends to a ledger of its own and holds its lock. A line counts once it has its end. A
write is complete or rolled back; what a kill leaves of a line is cut off by the next process that
takes the ledger; a line that is no record is set aside, and its unit is done again.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import BaseModel, ValidationError

from session.storage import cell_name, replace_file, synced


class BatchError(Exception):
    """Anything that stops a batch run; what was recorded stays."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn whatever the system says against writing `path` into a `BatchError` that names it."""
    try:
        yield
    except OSError as error:
        raise BatchError(
            f"cannot write {path}: {error.strerror}; what was recorded stays, so make room there "
            "and run the same command again, or choose another folder with --out"
        ) from error


Record = Mapping[str, Any]
"""A plain JSON object with an "id", and with "pictures" where it is about images on disk."""

RESULTS = "results.jsonl"
SET_ASIDE = "%s: line %s is no record; it is moved to %s, and its unit is done again"


class StoredImage(BaseModel):
    """What a record says of the image of one cell."""

    cell: int
    sha256: str | None = None
    """Of its file, in hexadecimal; None for a filtered cell."""
    filtered: bool = False
    """Whether a safety checker withheld the image."""


class Head(BaseModel):
    """What is looked at of every record: whose it is, and which images it is about."""

    id: str
    pictures: tuple[StoredImage, ...] = ()

    def is_intact(self, folder: Path) -> bool:
        """Whether every image is in its folder and has the hash it was recorded with."""
        home = images_of(folder, self.id)
        try:
            return all(
                each.filtered or _digest(home / cell_name(each.cell)) == each.sha256
                for each in self.pictures
            )
        except OSError:
            return False


def images_of(folder: Path, unit: str) -> Path:
    """Where the images of a unit are."""
    return folder / "images" / unit


def stored_images(home: Path, size: int, filtered: Collection[int] = ()) -> list[dict[str, Any]]:
    """The images of a unit as its record has them, from the files in its folder."""
    images = (
        StoredImage(cell=cell, filtered=True)
        if cell in filtered
        else StoredImage(cell=cell, sha256=_digest(home / cell_name(cell)))
        for cell in range(size)
    )
    return [each.model_dump() for each in images]


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@contextmanager
def open_ledger(folder: Path, name: str) -> Iterator[Callable[[Record], None]]:
    """What appends a record to `records-{name}.jsonl`; on disk when it returns.

    Raises:
        BatchError: another process is writing there, or the folder or the file cannot be written.
    """
    path = folder / f"records-{name}.jsonl"
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with lock(path), _open_to_append(path) as file:

        def write(record: Record) -> None:
            with writing(path):
                append(file.fileno(), _line(record))

        yield write


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Keep all other processes from writing a ledger until this one is done or dies."""
    holder = path.with_name(f".{path.stem}.lock")
    with writing(holder):
        file = holder.open("wb")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BatchError(
                f"another process is writing {path}; wait for it, "
                "or give each process a --shard of its own"
            ) from None
        yield


def _open_to_append(path: Path) -> BinaryIO:
    """The ledger without bad lines, there after a power cut too."""
    with writing(path):
        _set_bad_lines_aside(path)
        file = path.open("ab", buffering=0)
        synced(path.parent)
    return file


def append(file: int, line: bytes) -> None:
    """Write all of a line and sync it, or leave the file as it was.

    Raises:
        OSError: not all of it could be written; the file has its old length again.
    """
    end = os.fstat(file).st_size
    try:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fsync(file)
    except BaseException:
        os.ftruncate(file, end)
        raise


def _set_bad_lines_aside(path: Path) -> None:
    """Move what is no record from a ledger to a file beside it; drop a line that has no end."""
    if not path.exists():
        return
    whole = path.read_bytes()
    lines = [line for line in whole.splitlines(keepends=True) if line.endswith(b"\n")]
    bad = {number: line for number, line in enumerate(lines, 1) if not head(line)}
    if bad:
        aside = path.with_suffix(".bad")
        with aside.open("ab") as file:
            file.writelines(bad.values())
        named = ", ".join(map(str, bad))
        logging.warning(SET_ASIDE, path, named, aside.name)
    good = b"".join(line for number, line in enumerate(lines, 1) if number not in bad)
    if good != whole:
        replace_file(path, good)


def head(line: bytes) -> Head | None:
    """What a line says every record says; None when it is no record."""
    try:
        return Head.model_validate_json(line)
    except ValidationError:
        return None


def recorded(folder: Path) -> dict[str, bytes]:
    """The last record of each id, as its line, of all ledgers of a folder.

    Lines without an end and lines that are no records are passed over.
    """
    return {known.id: line for known, line in _records(folder)}


def confirmed(folder: Path, ids: Collection[str]) -> dict[str, bytes]:
    """The same for these ids, of records whose images are still what they say."""
    return {
        known.id: line
        for known, line in _records(folder)
        if known.id in ids and known.is_intact(folder)
    }


def _records(folder: Path) -> Iterator[tuple[Head, bytes]]:
    for path in sorted(folder.glob("records-*.jsonl")):
        for line in path.read_bytes().splitlines(keepends=True):
            if line.endswith(b"\n") and (known := head(line)):
                yield known, line


def finalise(folder: Path, called: Mapping[str, str]) -> bool:
    """Write `results.jsonl`, one line for each id in this order, once all of them are recorded.

    Whichever process finishes last does it; should two do so, they write the same.

    Args:
        called: id -> what its system is called; empty for one without a name.

    Returns:
        True when all are recorded, and their images are what the records say.

    Raises:
        BatchError: it cannot be written.
    """
    lines = confirmed(folder, called)
    if len(lines) < len(called):
        return False
    with writing(folder / RESULTS):
        named = (_named(lines[each], name) for each, name in called.items())
        replace_file(folder / RESULTS, b"".join(named))
    return True


def _named(line: bytes, system: str) -> bytes:
    """The line of a record with the name of its system: work done keeps when names change."""
    return _line({**json.loads(line), "system": system}) if system else line


def _line(record: Record) -> bytes:
    return json.dumps(record, ensure_ascii=False, allow_nan=False).encode() + b"\n"

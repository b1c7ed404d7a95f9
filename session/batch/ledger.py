"""Records come in one by one and are safe on disk at once; after a kill all of them come out again.

Each worker appends to a file of its own, a record a line. A line counts once it has its end: what a
kill tore off is cut away by the worker that goes on, and passed over by all others.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

Record = Mapping[str, Any]
"""A plain JSON object with an "id"."""

RESULTS = "results.jsonl"


class SharedLedgerError(Exception):
    """Two workers want to write the same file of records."""


@contextmanager
def pen(folder: Path, name: str) -> Iterator[Callable[[Record], None]]:
    """What appends a record to `records-{name}.jsonl`; on disk when it returns.

    Raises:
        SharedLedgerError: another process is writing there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"records-{name}.jsonl").open("a+b", buffering=0) as file:
        own(file)
        truncate_partial_line(file)

        def write(record: Record) -> None:
            file.write(json.dumps(record, ensure_ascii=False, allow_nan=False).encode() + b"\n")
            os.fsync(file.fileno())

        yield write


def own(file: BinaryIO) -> None:
    """Keep all other processes from writing the file until this one closes it or dies."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SharedLedgerError(
            f"another process is writing {file.name}; wait for it, "
            "or give each process a --shard of its own"
        ) from None


def truncate_partial_line(file: BinaryIO) -> None:
    """Cut off a last line that has no end."""
    file.seek(0)
    file.truncate(sum(len(line) for line in file if line.endswith(b"\n")))


def recorded(folder: Path) -> dict[str, bytes]:
    """Every finished record of every worker by id, as its line."""
    return {
        json.loads(line)["id"]: line
        for path in sorted(folder.glob("records-*.jsonl"))
        for line in path.read_bytes().splitlines(keepends=True)
        if line.endswith(b"\n")
    }


def settle(folder: Path, ids: Sequence[str]) -> bool:
    """Write `results.jsonl`, one line for each id in this order, once all of them are recorded.

    Whichever worker finishes last does it; should two do so, they write the same.

    Returns:
        True when all are recorded.
    """
    lines = recorded(folder)
    if not all(each in lines for each in ids):
        return False
    draft = folder / f"{RESULTS}.{os.getpid()}"
    draft.write_bytes(b"".join(lines[each] for each in ids))
    draft.replace(folder / RESULTS)
    return True

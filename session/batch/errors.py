"""Why a batch run cannot go on; each message says what came and what to do.

BatchError
├── SharedLedgerError    another process writes the same ledger
├── MissingRayError      the work is to be spread by Ray, which is not installed
└── UnwritableError      a file cannot be written: read-only, full, or not a folder
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class BatchError(Exception):
    """Anything that stops a batch run; what was recorded stays."""


class SharedLedgerError(BatchError):
    """Two processes want to write the same ledger."""


class MissingRayError(BatchError):
    """Workers on a Ray cluster were asked for, and Ray is not installed."""


class UnwritableError(BatchError):
    """A file cannot be written; the message names it and what the system said."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn whatever the system says against writing `path` into an `UnwritableError`."""
    try:
        yield
    except OSError as error:
        raise UnwritableError(
            f"cannot write {path}: {error.strerror}; what was recorded stays, so make room there "
            "and run the same command again, or choose another folder with --out"
        ) from error

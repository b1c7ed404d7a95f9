"""What must hold before a command starts, and sentences for what keeps one from starting."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NO_MEMORY = (
    "failed to map segment",
    "cannot allocate memory",
    "can't allocate memory",
    "can't start new thread",
    "not enough memory",
)
"""How libraries say that there is no memory, or no room to map them."""


class StartError(Exception):
    """A command cannot start; the message says why and what to do."""


def require_readable_paths() -> None:
    """Say where Python cannot spell the path of the project or of the current folder.

    Raises:
        StartError: a letter of them is outside the encoding of file names.
    """
    paths = f"{ROOT}\n{os.getcwd()}"  # noqa: PTH109
    try:
        paths.encode()
    except UnicodeEncodeError as error:
        raise StartError(
            "the path of this program or of the current folder has letters that this locale's "
            f"encoding of file names, {sys.getfilesystemencoding()}, does not have; start with "
            "PYTHONUTF8=1, or in a UTF-8 locale"
        ) from error


def memory_is_short(error: BaseException) -> bool:
    """Whether an error means that the memory, or the address space, is too small.

    >>> memory_is_short(ImportError("libtorch_cpu.so: failed to map segment from shared object"))
    True
    """
    said = str(error).lower()
    return isinstance(error, MemoryError) or any(each in said for each in NO_MEMORY)


def explained(error: BaseException) -> str:
    """A sentence for an error that means too little memory."""
    said = f" ({error})" if str(error) else ""
    return (
        f"there is too little memory for this command{said}; it needs about 2 GB, so raise "
        "or remove the limit (ulimit -v), or close other programs"
    )

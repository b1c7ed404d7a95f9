"""The files that a request may name: those that this server issued, and no others.

A visitor's upload, a file to download and an image each lie in a folder of their own within
Gradio's folder of uploads, named by what they hold; nothing else of the machine is theirs to name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gradio.utils import get_upload_folder


def is_issued(path: str) -> bool:
    """Whether a path names a regular file that this server issued, and by no detour."""
    folder = Path(get_upload_folder()).resolve()
    try:
        found = Path(path).resolve(strict=True)
        return found.is_relative_to(folder) and found.parent != folder and found.is_file()
    except (OSError, ValueError):  # there is none, or no path can be so
        return False


def named_files(sent: Any) -> Iterator[str]:
    """Every file that a part of a request names, however deep: whatever has a `path` is one."""
    waiting = [sent]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            if "path" in part:
                yield str(part["path"])
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)

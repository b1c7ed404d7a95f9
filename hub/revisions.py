"""Revisions: which version of a model's files is on this machine."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

UNKNOWN = "unknown"
"""The revision of a model whose files are not on this machine."""


def revision(source: str | Path) -> str:
    """Eight characters that change when the files of a model change.

    Args:
        source: a folder, known by a hash of its files; or a hub id, known by the commit that is
            stored here.
    """
    if isinstance(source, str):
        return _of_hub(source)
    return _of_folder(source) if source.is_dir() else UNKNOWN


@lru_cache
def _of_folder(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        if file.name != "card.json":
            digest.update(str(file.relative_to(folder)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:8]


def _of_hub(name: str) -> str:
    from huggingface_hub import constants

    folder = Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
    commit = folder / "refs" / "main"
    return commit.read_text(encoding="utf-8").strip()[:8] if commit.is_file() else UNKNOWN

"""Revisions: which version of a model's files a score was computed with."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from alignment.models.spec import ScoringModel

UNKNOWN = "unknown"
"""The revision of a model whose files are not on this machine."""


def revision(spec: ScoringModel) -> str:
    """Eight characters that change when the files of a model change.

    A folder is known by a hash of its files, a hub model by the commit that is stored here, and a
    package by its version.
    """
    if isinstance(spec.source, Path):
        return _of_folder(spec.source) if spec.source.is_dir() else UNKNOWN
    return _of_hub(spec.source) if "/" in spec.source else _of_package(spec.source)


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


def _of_package(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return UNKNOWN

"""Checkpoints as they shipped before: what readers wrote about images holds for their weights."""

from __future__ import annotations

import io
import subprocess
import tarfile
from dataclasses import replace
from pathlib import Path

from benchmarks.stickers.generated import LoadedGenerator
from generation import find_model, load_pipeline
from recipes.cards import CHECKPOINTS

READ_AT = "fe22261d"
"""The commit whose `icons` readers mostly saw: others make other images from the same seeds."""


def shipped_at(commit: str, checkpoint: str, target: Path = Path("runs/shipped")) -> Path:
    """A checkpoint as it was at a commit, taken from this clone's history once.

    Raises:
        RuntimeError: the history is not there, as in a shallow clone.
    """
    folder = target / commit / checkpoint
    if folder.is_dir():
        return folder
    inside = CHECKPOINTS / checkpoint
    found = subprocess.run(  # noqa: S603
        ("git", "archive", f"{commit}:{inside}"),  # noqa: S607
        capture_output=True,
        check=False,
    )
    if found.returncode:
        raise RuntimeError(
            f"{inside} of commit {commit} is not in this clone: {found.stderr.decode().strip()}. "
            "Take the whole history, with `git fetch --unshallow`."
        )
    partial = folder.with_name(f"{checkpoint}.partial")
    with tarfile.open(fileobj=io.BytesIO(found.stdout)) as archive:
        archive.extractall(partial, filter="data")
    return partial.rename(folder)


def icons_at(commit: str = READ_AT) -> LoadedGenerator:
    """The text-to-image model `icons` as it shipped at a commit."""
    spec = replace(find_model("icons"), source=shipped_at(commit, "icon-diffusion"))
    return LoadedGenerator(load_pipeline(spec), spec)

"""Target images: what the prompts of a batch should have looked like."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL.Image import Image

from session.errors import DataError
from session.tables import FIRST_ROW, rows
from session.uploads import read_upload


@dataclass(frozen=True)
class TargetImage:
    """An image file, and what was in it when the batch was planned."""

    file: Path
    sha256: str

    def load(self) -> Image:
        """The image.

        Raises:
            UnusableFileError: the file is no image, or no longer there.
        """
        return read_upload(self.file, side=None)


def read_targets(source: Path, prompts: Sequence[str]) -> Mapping[str, tuple[TargetImage, ...]]:
    """Prompt -> its target images, one or more.

    Args:
        source: a folder with one image for each prompt, by name in the order of the prompts; or a
            CSV file of prompt and image, a path from where the file is.
        prompts: each needs a target.

    Raises:
        DataError: there is no such file, a row of it is too short, or a prompt has no target.
        UnusableFileError: a target is no image.
    """
    pairs = _of_folder(source, prompts) if source.is_dir() else _of_table(source)
    files: dict[str, list[Path]] = {prompt: [] for prompt in prompts}
    for prompt, file in pairs:
        files.get(prompt, []).append(file)
    missing = [prompt for prompt in files if not files[prompt]]
    if missing:
        raise DataError(
            f"{source.name}: no target for {missing[0]!r} ({len(missing)} prompts have none)"
        )
    return {prompt: tuple(map(_target, each)) for prompt, each in files.items()}


def _of_folder(folder: Path, prompts: Sequence[str]) -> list[tuple[str, Path]]:
    files = sorted(each for each in folder.iterdir() if not each.name.startswith("."))
    if len(files) != len(prompts):
        raise DataError(
            f"{folder} has {len(files)} files for {len(prompts)} prompts; give one image for each, "
            "by name in the order of the prompts, or a CSV file of prompt and image"
        )
    return [*zip(prompts, files, strict=True)]


def _of_table(table: Path) -> list[tuple[str, Path]]:
    found = rows(table, "prompt", "image")
    for number, row in enumerate(found, start=FIRST_ROW):
        if not row["image"].strip():
            raise DataError(f"{table.name}, row {number} has no image; give the path of a file")
    return [(row["prompt"].strip(), table.parent / row["image"]) for row in found]


def _target(file: Path) -> TargetImage:
    read_upload(file, side=None)
    return TargetImage(file.resolve(), hashlib.sha256(file.read_bytes()).hexdigest())

"""The worked example of the tab for a visitor's own images: four drawings of the benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from filecmp import cmp
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

from gradio.utils import get_upload_folder

from ui.components import ASSETS, EXAMPLES

PROMPT = "two blue apples"
FILES = tuple(
    ASSETS / "benchmarks" / "stickers" / name
    for name in ("084.png", "139.png", "175.png", "291.png")
)
"""One of them is right."""


def uploaded() -> list[str]:
    """The drawings as if a visitor had uploaded them; others may read them at the same time."""
    folder = Path(get_upload_folder()) / EXAMPLES / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent) as own:
        return [str(Path(copy(file, own)).replace(folder / file.name)) for file in FILES]


def is_example(files: Sequence[str] | None) -> bool:
    """Whether these files are the drawings, and no others."""
    same = len(files or ()) == len(FILES)
    return same and all(
        Path(file).name == own.name and cmp(file, own, shallow=False)
        for file, own in zip(files or (), FILES, strict=True)
    )

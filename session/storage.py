"""Pictures go to files that the page may fetch, and come back; so do boards worked out before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from PIL import Image

import alignment
from alignment import StoredReport
from alignment.records import GridReport
from alignment.report import report_json
from generation import GridCell
from session.state import GridState

SaveImage = Callable[[GridCell], str]
"""Stores a picture and returns its file."""


def memoised_save(keep: SaveImage) -> SaveImage:
    """The same, but a picture that is shown again and again is stored once."""
    last: dict[int, tuple[Image.Image, str]] = {}

    def keep_once(cell: GridCell) -> str:
        if cell.cell not in last or last[cell.cell][0] is not cell.image:
            last[cell.cell] = cell.image, keep(cell)
        return last[cell.cell][1]

    return keep_once


def store(image: Image.Image, kind: str = "png") -> str:
    """Put a picture where the page may fetch it; the file is named by what is in it.

    Args:
        image: the picture.
        kind: of file; "jpeg" is many times quicker than "png" and not exact.
    """
    from gradio.processing_utils import save_pil_to_cache
    from gradio.utils import get_upload_folder

    return str(save_pil_to_cache(image, get_upload_folder(), format=kind))


def pictures(state: GridState) -> list[Image.Image | None]:
    """The finished pictures by cell; None for one that is missing or filtered."""
    return [
        picture(file) if file and cell not in state.filtered else None
        for cell, file in enumerate(state.pictures)
    ]


def picture(file: str) -> Image.Image:
    """What a file shows; the file is closed again."""
    with Image.open(file) as image:
        return image.copy()


def stored(state: GridState, report: GridReport, names: tuple[str | None, ...]) -> StoredReport:
    """The report of a finished board, with all it takes to make it again.

    Args:
        board: finished.
        report: its own, or one measured for another viewer.
        names: of each cell's picture, in the report's folder; None without a picture.
    """
    seed, versions = None if state.names else state.seed, alignment.library_versions()
    return StoredReport(report, state.model, seed, names, versions, state.regenerated)


def export(state: GridState, report: GridReport) -> str:
    """The report of what is shown, as a file to download."""
    from gradio.processing_utils import save_bytes_to_cache
    from gradio.utils import get_upload_folder

    files = [
        None if cell in state.filtered else state.file_name(cell) for cell in range(state.size)
    ]
    text = json.dumps(
        report_json(stored(state, report, tuple(files))), indent=1, ensure_ascii=False
    )
    return str(save_bytes_to_cache(text.encode(), "report.json", get_upload_folder()))


def load_example(report: Path) -> GridState:
    """A board that was worked out before, from its report."""
    found = alignment.load_report(report)
    files = tuple(file and str(report.parent / file) for file in found.images)
    return GridState.finished(found.report, found.model, found.seed or 0, files, found.regenerated)

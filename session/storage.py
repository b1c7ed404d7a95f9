"""Image files and reports on disk: named by content for the page, by cell for a report folder."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from PIL import Image

import alignment
from alignment import StoredReport
from alignment.ranking import rankings
from alignment.records import GridReport
from alignment.report import report_text as as_json
from generation import GridCell, ImageSettings
from generation.records import SamplingProgress
from request import plain
from session.png_text import given_in, png_text, settings_text
from session.state import GridImages, GridState

IMAGE = re.compile(r"(?:[0-9a-f]{8}-)?[0-9a-f]{32}\.(?:png|jpeg)")
"""The name of an image or a preview in a `ContentStore`."""


class CellStore(Protocol):
    """Where a job puts the images of its grid."""

    def save(self, cell: GridCell) -> str:
        """Store the image of a cell and return its file; empty where a filtered one is left out."""

    def preview(self, cell: GridCell) -> str:
        """Store what is shown until the image is there; it may go when the job ends."""


class ContentStore:
    """A folder of files named by their content: an image that is shown twice is stored once.

    The previews of a job belong to its store alone, and `drop_previews` deletes them.

    >>> from tempfile import mkdtemp
    >>> store = ContentStore(Path(mkdtemp()))
    >>> store.image(Image.new("RGB", (2, 2))) == store.image(Image.new("RGB", (2, 2)))
    True
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.owner = uuid4().hex[:8]
        self._last: dict[int, tuple[Image.Image, str]] = {}

    def save(self, cell: GridCell) -> str:
        """Store a cell's image; an unchanged image is not looked at again."""
        return self._once(cell, "", cell.settings)

    def preview(self, cell: GridCell) -> str:
        """Store a cell's preview, to be dropped."""
        return self._once(cell, f"{self.owner}-")

    def drop_previews(self) -> None:
        for file in self.folder.glob(f"{self.owner}-*"):
            file.unlink(missing_ok=True)

    def image(
        self,
        image: Image.Image,
        kind: str = "png",
        prefix: str = "",
        settings: ImageSettings | None = None,
    ) -> str:
        """Store an image.

        Args:
            kind: "png", or "jpeg", which is written much faster but is lossy.
            settings: written into a PNG; an image with other settings is another file.
        """
        written = settings_text(settings) if settings else ""
        content = f"{image.mode} {image.size} {kind} {written}".encode() + image.tobytes()
        path = self.folder / f"{prefix}{_digest(content)}.{kind}"
        if not _touched(path):
            replace_file(path, encoded(image, settings, kind), durable=False)
        return str(path)

    def content(self, content: bytes, name: str) -> str:
        """Store a file under its own name, in a folder named by its content."""
        path = self.folder / _digest(content) / name
        if not _touched(path):
            replace_file(path, content, durable=False)
        return str(path)

    def find(self, name: str) -> Path | None:
        """The image file of a name; None where there is none."""
        file = self.folder / name
        return file if IMAGE.fullmatch(name) and file.is_file() else None

    def _once(self, cell: GridCell, prefix: str, settings: ImageSettings | None = None) -> str:
        image, file = self._last.get(cell.cell, (None, ""))
        if image is not cell.image:
            file = self.image(cell.image, prefix=prefix, settings=settings)
            self._last[cell.cell] = cell.image, file
        return file


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


def _touched(path: Path) -> bool:
    """Whether a file is there; it counts as new from now on."""
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    return True


FAST = 1
"""Compression of a PNG: a quarter of the time that the usual level takes, a fifth more bytes."""


def encoded(image: Image.Image, settings: ImageSettings | None = None, kind: str = "png") -> bytes:
    """An image as a file has it, with its settings where it is a PNG."""
    written = BytesIO()  # Pillow does not notice when a disk takes a part of a write
    image.save(written, kind, pnginfo=settings and png_text(settings), compress_level=FAST)
    return written.getvalue()


def replace_file(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Give a file its content at once: whoever reads it finds the old or the new, never a part.

    Args:
        durable: whether it is there after a power cut, too.

    Raises:
        OSError: it could not be written; the old content stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{uuid4().hex}.part")
    try:
        part.write_bytes(content)
        if durable:
            synced(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    if durable:
        synced(path.parent)


def synced(path: Path) -> None:
    """Wait until a file, or the list of names of a folder, is on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class ReportFolder:
    """The folder of one report, its images named by cell."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._last: dict[int, Image.Image] = {}

    def save(self, cell: GridCell) -> str:
        """Write a cell's image, once; nothing of one that was filtered."""
        if cell.filtered:
            return ""
        file = self.folder / cell_name(cell.cell)
        if self._last.get(cell.cell) is not cell.image:
            replace_file(file, encoded(cell.image, cell.settings), durable=False)
            self._last[cell.cell] = cell.image
        return str(file)

    def preview(self, cell: GridCell) -> str:
        """Nobody looks at it."""
        return ""


def save_sample(step: SamplingProgress, store: CellStore) -> Mapping[int, str]:
    """Store every finished image and preview of a denoising step: cell -> file."""
    previews = {cell.cell: store.preview(cell) for cell in step.previews}
    return {**{cell.cell: store.save(cell) for cell in step.cells}, **previews}


def load_images(state: GridState) -> list[Image.Image | None]:
    """The finished images by cell; None for one that is missing or filtered."""
    return [
        load_image(file) if file and cell not in state.images.filtered else None
        for cell, file in enumerate(state.images.files)
    ]


def load_image(file: str) -> Image.Image:
    """The image in a file; the file is closed again."""
    with Image.open(file) as image:
        return image.copy()


OWN = "prompt rows columns seed model bundle rank_by vq2".split()
"""The fields of a request that a report holds as its own."""


def stored(state: GridState, report: GridReport) -> StoredReport:
    """A report with everything needed to generate its images again."""
    return StoredReport(
        report,
        state.model,
        seed=None if state.images.names else state.request.seed,
        images=tuple(
            None if cell in state.images.filtered else cell_name(cell) for cell in range(state.size)
        ),
        versions=alignment.library_versions(),
        regenerated=state.images.regenerated,
        found={cell: str(how) for cell, how in state.images.found.items()},
        names=state.images.names,
        asked={name: value for name, value in plain(state.request).items() if name not in OWN}
        | ({"search": state.search.plain} if state.search and state.search.tried else {}),
    )


def alone(state: GridState, report: GridReport, cell: int) -> tuple[GridState, GridReport]:
    """A grid of one of its images, and what was found about that image by itself."""
    images, request = state.images, replace(state.request, rows=1, columns=1)
    scores = {method: (each[cell],) for method, each in report.scores.items()}
    one = replace(
        report,
        rows=1,
        columns=1,
        scores=scores,
        rankings=rankings(scores),
        relevance={method: (each[cell],) for method, each in report.relevance.items()},
        saliency={},
        set_scores=(),
        similarity=None,
        timings={},
    )
    found = {0: images.found[cell]} if cell in images.found else {}
    mine = GridImages((state.file(cell),), names=images.names[cell : cell + 1], found=found)
    request = replace(request, seed=state.seed_of(cell))
    return GridState(request, mine, made_by=state.made_by), one


def cell_name(cell: int) -> str:
    """The file of a cell's image, wherever images are named by cell."""
    return f"cell-{cell:02}.png"


def report_text(state: GridState, report: GridReport) -> str:
    """A report of a grid as the JSON of its file."""
    return as_json(stored(state, report))


def load_example(report: Path) -> GridState:
    """The state of a worked example, from its `report.json` with the images beside it."""
    found = alignment.load_report(report)
    files = tuple(file and str(report.parent / file) for file in found.images)
    state = GridState.from_report(found, files)
    return replace(state, images=replace(state.images, given=given_in(files)))

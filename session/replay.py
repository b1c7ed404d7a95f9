"""What somebody saved, opened again without a model: a PNG with its settings, a report, a ZIP.

Files come from anywhere: what is read is bounded, checked, and stored under names of our own.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from PIL.Image import Image

import generation
from alignment import METHODS, StoredReport
from alignment.errors import UnreadableReportError
from alignment.report import stored_report
from alignment.scorers import SCORERS
from alignment.set_metrics.saliency import SPECTRAL_RESIDUAL
from generation import InvalidRequestError
from generation.records import ImageSettings
from request import Request
from session.errors import UnusableFileError
from session.png_text import REPORT as REPORT_TEXT
from session.png_text import given_in, read_settings, read_text
from session.run import RunEnded
from session.state import GridImages, GridState
from session.storage import ContentStore, cell_name
from session.uploads import read_each

PNG, ZIP = b"\x89PNG", b"PK\x03\x04"
"""How the files begin."""
ZIP_END, ZIP64_END = b"PK\x05\x06", b"PK\x06\x07"
"""How the records at the end of a ZIP begin."""
LONGEST_END = 22 + 65_535
"""Bytes of the last record of a ZIP, with its comment."""
REPORT = "report.json"
"""The report in a ZIP."""
LARGEST_REPORT = 5_000_000
"""Bytes; the report on 6 x 6 images and twenty questions has a tenth."""
LARGEST_DIRECTORY = 64_000
"""Bytes of the list of files in a ZIP; that of a ZIP saved here, with 6 x 6 images, has 3000."""
LARGEST_IMAGE = 20_000_000
LONGEST_SIDE = max(spec.size for spec in generation.MODELS.values())
"""Pixels; no model of the page generates larger images."""
KNOWN_METHODS = {*METHODS, *SCORERS, "targets"}
"""Methods that a report may speak of."""
WANTED = (
    "choose a PNG that was generated here, a report.json, or a ZIP that was saved here; other "
    'images are scored on the tab "Your images"'
)


@dataclass(frozen=True)
class Opened:
    """What a saved file says."""

    request: Request
    """What generated the image or the grid; its model is empty for uploaded images."""
    state: GridState
    """The stored result; a single image without a report is a grid of one that nothing was asked
    about yet."""


def open_saved(file: Path, store: ContentStore) -> Opened:
    """Read a saved file, by its content and not by its name.

    Raises:
        UnusableFileError: it is none of them, too large or broken.
        UnreadableReportError: the report in it cannot be read, and why not.
        InvalidRequestError: its prompt, grid or seed is none.
        RunEnded: the run that reads it may not go on.
    """
    with file.open("rb") as content:
        start = content.read(4)
    try:
        if start == PNG:
            return _of_image(file, store)
        return _of_archive(file, store) if start == ZIP else _of_report(file)
    except (UnusableFileError, UnreadableReportError, InvalidRequestError, RunEnded):
        raise
    except Exception as error:  # decoders raise whatever a broken file makes them raise
        raise UnusableFileError(f'"{file.name}" cannot be read; {WANTED}') from error


def _of_image(file: Path, store: ContentStore) -> Opened:
    settings = read_settings(file)
    if report := read_text(file, REPORT_TEXT):
        return _opened(_stored(report.encode()), {0: _kept(file, store, settings)})
    if settings is None:
        raise UnusableFileError(f'"{file.name}" does not say how it was made; {WANTED}')
    kept = _kept(file, store, settings)
    request = _checked(cast(Request, settings.request))
    alone = replace(request, rows=1, columns=1, seed=settings.seed)
    images = GridImages((kept,), given={0: settings.given})
    return Opened(request, GridState(alone, images, opened=True))


def _kept(file: Path, store: ContentStore, settings: ImageSettings | None) -> str:
    (image,) = read_each([str(file)], side=LONGEST_SIDE)
    return store.image(_usable(image), settings=settings)


def _of_report(file: Path) -> Opened:
    if file.stat().st_size > LARGEST_REPORT:
        raise UnusableFileError(f'"{file.name}" is too large for a report; {WANTED}')
    return _opened(_stored(file.read_bytes()), {})


def _of_archive(file: Path, store: ContentStore) -> Opened:
    _check_directory(file)
    with zipfile.ZipFile(file) as zipped, TemporaryDirectory() as folder:
        content = _member(zipped, REPORT, LARGEST_REPORT)
        if content is None:
            raise UnusableFileError(f'"{file.name}" has no {REPORT} in it; {WANTED}')
        stored = _stored(content)
        return _opened(stored, _images(zipped, stored, Path(folder), store))


def _check_directory(file: Path) -> None:
    """Refuse a ZIP with more files than one saved here, before its list of files is read.

    The list is as long as the last record of the ZIP says; every text that may be that record is
    looked at.
    """
    with file.open("rb") as content:
        content.seek(-min(LONGEST_END, file.stat().st_size), os.SEEK_END)
        end = content.read()
    ends = [match.end() for match in re.finditer(re.escape(ZIP_END), end)]
    sizes = [int.from_bytes(end[place + 8 : place + 12], "little") for place in ends]
    if ZIP64_END in end or max(sizes, default=0) > LARGEST_DIRECTORY:
        raise UnusableFileError(f'"{file.name}" has more files in it than a ZIP of ours; {WANTED}')


def _member(zipped: zipfile.ZipFile, name: str, most: int) -> bytes | None:
    """The content of a file in a ZIP; None where there is none of that name."""
    if name not in zipped.namelist():
        return None
    info = zipped.getinfo(name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnusableFileError(f"{name} in the ZIP is compressed in an unusual way; {WANTED}")
    with zipped.open(info) as member:
        content = member.read(most + 1)  # a ZIP may lie about sizes
    if len(content) > most:
        raise UnusableFileError(f"{name} in the ZIP has over {most // 1_000_000} MB; {WANTED}")
    return content


def _images(
    zipped: zipfile.ZipFile, stored: StoredReport, folder: Path, store: ContentStore
) -> dict[int, str]:
    """Cell -> where its image was stored; each is decoded as every upload is."""
    files: dict[int, Path] = {}
    for cell in (cell for cell, image in enumerate(stored.images) if image is not None):
        content = _member(zipped, cell_name(cell), LARGEST_IMAGE)
        if content is not None:
            files[cell] = folder / cell_name(cell)
            files[cell].write_bytes(content)
    read = read_each([str(file) for file in files.values()], side=LONGEST_SIDE)
    return {
        cell: store.image(_usable(image), settings=_settings(file))
        for (cell, file), image in zip(files.items(), read, strict=True)
    }


def _usable(image: Image | UnusableFileError) -> Image:
    if isinstance(image, UnusableFileError):
        raise image
    return image


def _settings(file: Path) -> ImageSettings | None:
    with file.open("rb") as content:
        return read_settings(file) if content.read(4) == PNG else None


def _stored(content: bytes) -> StoredReport:
    """The report in a text of JSON, of a grid that can be shown here."""
    plain: Any = json.loads(content)
    stored = stored_report(plain)
    report = stored.report
    unknown = {report.ranked_by, *report.scores, *report.relevance} - KNOWN_METHODS
    if unknown:
        raise UnusableFileError(f"a report by a method that is not known here; {WANTED}")
    _checked(Request(report.prompt, report.rows, report.columns, stored.seed or 0))
    return stored


def _opened(stored: StoredReport, files: Mapping[int, str]) -> Opened:
    shown = tuple(map(files.get, range(len(stored.images))))
    state = GridState.from_report(stored, shown)
    state = replace(state, images=replace(state.images, given=given_in(shown)))
    report = state.report
    if report and (not files or report.saliency_model != SPECTRAL_RESIDUAL):
        # Without images, or by another model of attention, it is not computed where people look.
        known = report.similarity if files else None
        report = replace(report, saliency={}, similarity=known, set_scores=())
        state = state.with_report(replace(report, saliency_model=SPECTRAL_RESIDUAL))
    return Opened(state.request, replace(state, opened=True))


def _checked(request: Request) -> Request:
    """A request that can be made, whether or not there is its model here."""
    generation.validate_grid(request)
    return request

"""The files of a finished grid: documents beside the images, and all of them as one ZIP."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from alignment.records import GridReport
from session.attention import attention
from session.png_text import with_report
from session.state import GridState
from session.storage import alone, cell_name, report_text
from session.viewer_utility import ViewingSettings, reported, viewer_utility
from ui.render.export.page import report_page
from ui.render.export.scores import scores_csv

REPORT = "report.json"
USUAL = ViewingSettings()
"""The viewer that is assumed where nobody says which."""
MADE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a ZIP, so that the same grid gives the same ZIP."""


def documents(
    state: GridState, report: GridReport, view: ViewingSettings = USUAL
) -> dict[str, bytes]:
    """File name -> content of everything that is written about a finished grid."""
    found = viewer_utility(report, view, partial(attention, state)) if report.saliency else None
    text = report_text(state, reported(report, view, found) if found else report)
    return {
        "report.html": report_page(state, view, found).encode(),
        REPORT: text.encode(),
        "scores.csv": scores_csv(state).encode(),
    }


def image_files(state: GridState) -> dict[str, bytes]:
    """File name -> content of the images that are there and not filtered, with their answers."""
    report = state.report
    return {
        cell_name(cell): with_report(
            Path(file).read_bytes(), report_text(*alone(state, report, cell))
        )
        if report
        else Path(file).read_bytes()
        for cell, file in enumerate(state.images.files)
        if file and cell not in state.images.filtered
    }


def archive(files: Mapping[str, bytes]) -> bytes:
    """Files as one ZIP; images, which are compressed already, are only stored."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zipped:
        for name, content in files.items():
            kind = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
            zipped.writestr(zipfile.ZipInfo(name, MADE), content, kind)
    return out.getvalue()

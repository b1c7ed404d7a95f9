"""The button that opens a saved image or report again; a file may also be dropped on the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import gradio as gr

from session.limits import Runs
from session.offer import Offer
from session.png_text import changed
from session.replay import Opened, open_saved
from session.state import GridState
from ui.admission import admitted
from ui.components import html, page_store

AREA = "open-saved"
"""The id of the button, which `assets/drop.js` hands dropped files to."""


def lay_out() -> gr.UploadButton:
    """Build the button, and make its tab a place to drop a file on."""
    with gr.Row(elem_classes="opening"):
        button = gr.UploadButton(
            "Open a saved image or report",
            size="sm",
            elem_id=AREA,
            elem_classes="again",
        )
        html("drop-hint", "<p>or drop it here: PNG, report.json or ZIP</p>", "drop.js")
    return button


def opened(file: str, runs: Runs) -> Opened:
    """What is in an uploaded file, whose images are read when it is this visitor's turn.

    Raises:
        RunEnded: the run is not admitted.
        UnusableFileError, UnreadableReportError, InvalidRequestError: as in `open_saved`.
    """
    with admitted(runs):
        return open_saved(Path(file), page_store())


def said_of(found: Opened, offer: Offer) -> str:
    """The status line: what was opened, and what of it is not offered here."""
    if not found.state.report:
        said = "a single image brings no answers: score it; Generate makes its whole grid again"
    elif any(found.state.images.files):
        said = "opened as it was saved; no model was asked"
    else:
        said = "opened without images, which are not in a report; a ZIP has them"
    bundle = found.request.bundle if found.state.report else ""
    wanted = ((found.request.model, offer.models), (bundle, offer.bundles))
    absent = [name for name, known in wanted if name and name not in known]
    off = [f"{name} is not offered here" for name in absent]
    since = changed(found.request.model, found.request.revision)
    return "; ".join([said, *off, *([since] if since else [])])


def within_offer(state: GridState, offer: Offer) -> GridState:
    """A result whose jobs can use no more than what is offered: other names are left out of it."""
    request = state.request
    if request.model not in offer.models:
        state = replace(state, made_by=request.model)
        request = replace(request, model="")
    if request.bundle not in offer.bundles:
        request = replace(request, bundle="")
    return replace(state, request=request)

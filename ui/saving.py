"""The buttons that save a grid: each file is made when its button is pressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

import gradio as gr

from session.state import GridState
from session.viewer_utility import ViewingSettings
from ui.components import AT_ONCE, page_store
from ui.render import status
from ui.render.export.files import archive, documents, image_files
from ui.run_controls import under_way

ONE_AT_A_TIME = Lock()
"""Held while a file is made: a ZIP takes the memory of all its images."""
ARCHIVE = "images-and-report.zip"
"""What a visitor's browser calls the file."""


@dataclass(frozen=True)
class Saving:
    """A button, the hidden one that then hands the file out, and what makes the file."""

    button: gr.Button
    file: gr.DownloadButton
    make: Callable[..., str | None]
    """From what is shown to a file; None where there is nothing to save."""

    def wire(self, shown: Sequence[Any], line: gr.HTML) -> None:
        """Connect the events.

        Args:
            shown: what the file is made from; the first is None as long as there is nothing.
        """
        under_way(self.button.click, line, "making the file")
        made = self.button.click(partial(_made, self.make), shown, [self.file, line], **AT_ONCE)
        made.failure(lambda: "", None, [line], **AT_ONCE)
        made.success(None, js=f"() => document.getElementById('{self.file.elem_id}').click()")

    def offer(self, state: GridState | None) -> dict[Any, Any]:
        """The button can be pressed once there is a report."""
        return {self.button: gr.update(interactive=bool(state and state.report))}


def file_button(label: str, make: Callable[..., str | None], *, interactive: bool = True) -> Saving:
    """Build a button, and what makes its file."""
    button = gr.Button(label, size="sm", elem_classes="again", interactive=interactive)
    file = gr.DownloadButton("file", elem_id=f"file-of-{button._id}", visible="hidden")
    return Saving(button, file, make)


def zipped(state: GridState, _selected: int | None, *view: Any) -> str | None:
    """Everything about a grid, its images included, as one ZIP; None without a report."""
    if not state.report:
        return None
    files = documents(state, state.report, ViewingSettings(*view))
    return page_store().content(archive({**files, **image_files(state)}), ARCHIVE)


def _made(make: Callable[..., str | None], state: Any, *shown: Any) -> tuple[str | None, str]:
    """The file of what is on show, and the status line."""
    if state is None:
        return None, ""
    try:
        with ONE_AT_A_TIME:
            return make(state, *shown), status.note("the file is ready")
    except FileNotFoundError as error:
        raise gr.Error("these images are no longer kept here; generate them again") from error

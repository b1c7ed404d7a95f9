"""The button that saves a grid: all its files as one ZIP, made when it is pressed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import gradio as gr

from session.state import GridState
from ui.components import AT_ONCE, page_store
from ui.metrics_panel import viewing_settings
from ui.render.export.files import archive, documents, pictures

ONE_AT_A_TIME = Lock()
"""Held while a ZIP is made: it takes the memory of all its pictures."""
ARCHIVE = "pictures-and-report.zip"
"""What a visitor's browser calls the file."""


@dataclass(frozen=True)
class Saving:
    """The button, and the hidden one that then hands the file out."""

    button: gr.Button
    file: gr.DownloadButton

    def wire(self, shown: Sequence[Any]) -> None:
        """Connect the events.

        Args:
            shown: the grid state, the selected cell and the viewing settings.
        """
        made = self.button.click(_archive, shown, [self.file], **AT_ONCE)
        made.success(None, js=f"() => document.getElementById('{self.file.elem_id}').click()")

    def offer(self, state: GridState | None) -> dict[Any, Any]:
        """The button can be pressed once there is a report."""
        return {self.button: gr.update(interactive=bool(state and state.report))}


def lay_out(name: str) -> Saving:
    """Build the button.

    Args:
        name: of the panel that it is in, unlike that of any other.
    """
    button = gr.Button(
        "Save pictures and report (ZIP)", size="sm", elem_classes="again", interactive=False
    )
    file = gr.DownloadButton("ZIP", elem_id=f"zip-of-{name}", visible="hidden")
    return Saving(button, file)


def _archive(state: GridState | None, selected: int | None, *view: Any) -> str | None:
    """The file of the grid on show, under the viewing settings of now."""
    if state is None or state.report is None:
        return None
    try:
        with ONE_AT_A_TIME:
            files = documents(state, state.report, viewing_settings(*view))
            return page_store().content(archive({**files, **pictures(state)}), ARCHIVE)
    except FileNotFoundError as error:
        raise gr.Error("these pictures are no longer kept here; generate them again") from error

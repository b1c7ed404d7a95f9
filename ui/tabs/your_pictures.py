"""The choices a visitor has come in; the tab for pictures that they bring goes out, laid out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import gradio as gr

from ui import grid_panel
from ui.grid_panel import AT_ONCE, Changes, GridPanel, GridPanelEvents, Work, html
from ui.tabs.playground import ask, named

HINT = (
    "Your pictures are asked the same questions as generated ones. With target pictures they can "
    "be ranked by closeness to these as well. Nothing leaves the machine that runs this page."
)


class YourPicturesHandlers(GridPanelEvents, Protocol):
    """What the events of the tab do."""

    def judge(self, *request: Any) -> Iterator[Changes]:
        """Judge the pictures that were brought."""

    def warn(self, prompt: str, bundle: str) -> Changes:
        """The prompt or its judges changed."""


@dataclass(frozen=True)
class YourPictures:
    """Every component that takes part in an event."""

    prompt: gr.Textbox
    judge: gr.Button
    files: gr.File
    targets: gr.File
    bundle: gr.Dropdown
    table: GridPanel

    @property
    def request(self) -> list[Any]:
        """The fields that say what to do."""
        return [self.prompt, self.files, self.targets, self.table.ranked_by, self.bundle]

    def wire(self, handlers: YourPicturesHandlers) -> None:
        """What happens on each event."""
        events = (self.judge.click, self.prompt.submit)
        self.table.wire(handlers, [Work(event, handlers.judge, self.request) for event in events])
        words = [self.prompt.change, self.bundle.input]
        gr.on(words, handlers.warn, [self.prompt, self.bundle], [self.table.warning], **AT_ONCE)


def lay_out(methods: Sequence[str], bundles: Sequence[str]) -> YourPictures:
    """Build the tab inside the one that is open."""
    wanted = "what your pictures should show"
    prompt, judge, stop = ask("What they should show", wanted, "Judge", "claim")
    with gr.Row(elem_classes="uploads"):
        files = _files("Pictures to judge: 1 to 36, PNG, JPEG or WebP", 2)
        targets = _files("Target pictures, if you have some: what was wanted", 1)
    html("hint", f"<p>{HINT}</p>")
    warning = html("notice")
    with gr.Row(elem_classes="settings"):
        ranked_by = grid_panel.ranking_choice(methods)
        bundle = named(bundles, "judges")
    table = grid_panel.lay_out(ranked_by=ranked_by, stop=stop, warning=warning)
    return YourPictures(prompt, judge, files, targets, bundle, table)


def _files(label: str, scale: int) -> gr.File:
    return gr.File(
        label=label,
        file_count="multiple",
        file_types=["image"],
        height=150,
        scale=scale,
        min_width=280,
    )

"""The tab for a visitor's own pictures: uploaded, scored against a prompt and ranked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from math import ceil, isqrt
from pathlib import Path
from typing import Any

import gradio as gr

from alignment.evaluation import METHODS, TARGETS
from generation import GridRequest
from session.errors import UnusableFileError
from session.jobs import score_uploads
from session.limits import Runs, Turn
from session.state import GridImages, GridState
from ui import grid_panel
from ui.components import (
    AT_ONCE,
    Changes,
    html,
    model_choice,
    page_store,
    prompt_row,
    ranking_choice,
)
from ui.grid_panel import GridPanel, Job
from ui.render import status
from ui.uploads import read_uploads
from ui.vocabulary import vocabulary_warning

HINT = (
    "Your pictures are scored with the same questions as generated ones. With target pictures they "
    "can also be ranked by similarity to those. Nothing leaves the machine that runs this page."
)


@dataclass(frozen=True)
class YourPictures:
    """The components of the tab, and the handlers of their events."""

    prompt: gr.Textbox
    score: gr.Button
    files: gr.File
    targets: gr.File
    bundle: gr.Dropdown
    panel: GridPanel

    @property
    def request(self) -> list[Any]:
        """The fields that become a request, in the order of `scored`."""
        return [self.prompt, self.files, self.targets, self.panel.ranked_by, self.bundle]

    def wire(self) -> None:
        """Connect the events."""
        events = (self.score.click, self.prompt.submit)
        self.panel.wire([Job(event, self.on_score, self.request) for event in events])
        words = [self.prompt.change, self.bundle.input]
        fields = [self.prompt, self.bundle]
        gr.on(words, self.on_words, fields, [self.panel.warning], **AT_ONCE)

    def on_score(self, *fields: Any) -> Iterator[Changes]:
        """Score the uploaded images as a generated grid is scored."""
        yield from self.panel.run(partial(scored, *fields), self.panel.grow, status.generated)

    def on_words(self, prompt: str, bundle: str) -> Changes:
        """Warn about words that the embedded evaluators do not know."""
        return {self.panel.warning: vocabulary_warning(prompt, bundle, generated=False)}


def scored(
    prompt: str,
    files: Sequence[str] | None,
    targets: Sequence[str] | None,
    rank_by: str,
    bundle: str,
    turn: Turn = nullcontext,
) -> Iterator[GridState]:
    """Read uploaded files and score their images.

    Raises:
        UnusableFileError: there is no image, or one cannot be used.
        InvalidRequestError, UnknownBundleError, UnknownMethodError: as in `score_uploads`.
    """
    if not files:
        raise UnusableFileError("there are no pictures; add some that the prompt is about")
    if rank_by == TARGETS and not targets:
        raise UnusableFileError("there are no targets to rank by; add target pictures")
    with turn():  # one visitor's files are decoded at a time
        uploaded = tuple(map(page_store().image, read_uploads(files)))
        target_images = read_uploads(targets, "target pictures")
    request = GridRequest(prompt, *shape(len(uploaded)), seed=0, model="")
    images = GridImages(uploaded, names=tuple(Path(file).name for file in files))
    yield from score_uploads(GridState(request, bundle, rank_by, images), target_images, turn)


def shape(count: int) -> tuple[int, int]:
    """Rows and columns of the squarest grid that holds so many images.

    >>> [shape(count) for count in (1, 2, 3, 7, 36)]
    [(1, 1), (1, 2), (2, 2), (3, 3), (6, 6)]
    """
    columns = isqrt(count - 1) + 1
    return ceil(count / columns), columns


def build(bundles: Sequence[str], runs: Runs) -> None:
    """Build and wire the tab inside the one that is open."""
    lay_out(bundles, runs).wire()


def lay_out(bundles: Sequence[str], runs: Runs) -> YourPictures:
    """Build the tab, not yet wired."""
    wanted = "what your pictures should show"
    prompt, score, stop = prompt_row("What they should show", wanted, "Score", "claim")
    with gr.Row(elem_classes="uploads"):
        files = _files("Pictures to score: 1 to 36, PNG, JPEG or WebP", 2)
        targets = _files("Target pictures, if you have some", 1)
    html("hint", f"<p>{HINT}</p>")
    warning = html("warning")
    with gr.Row(elem_classes="settings"):
        ranked_by = ranking_choice((*METHODS, TARGETS))
        bundle = model_choice(bundles, "evaluators")
    panel = grid_panel.lay_out(
        runs=runs, ranked_by=ranked_by, start=score, stop=stop, warning=warning
    )
    return YourPictures(prompt, score, files, targets, bundle, panel)


def _files(label: str, scale: int) -> gr.File:
    return gr.File(
        label=label,
        file_count="multiple",
        file_types=[".png", ".jpg", ".jpeg", ".webp"],
        height=150,
        scale=scale,
        min_width=280,
    )

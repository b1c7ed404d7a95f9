"""The tab for a visitor's own images: uploaded, scored against a prompt and ranked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from math import ceil, isqrt
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

import gradio as gr
from gradio.utils import get_upload_folder

from alignment.ranking import METHODS, TARGETS
from request import Request
from session.errors import UnusableFileError
from session.jobs import score_uploads
from session.limits import Runs
from session.offer import Offer
from session.run import RunEnded, Turn
from session.state import GridImages, GridState
from session.uploads import read_uploads
from ui.admission import admitted
from ui.components import (
    ASSETS,
    AT_ONCE,
    EXAMPLES,
    QUIET,
    Changes,
    bundle_choice,
    html,
    page_store,
    prompt_row,
    ranking_choice,
)
from ui.grid_panel import GridPanel
from ui.render import status
from ui.render.replacements import vocabulary_warning
from ui.render.status import picked, refusals
from ui.render.words import counted
from ui.run_controls import Job, RunControls

EXAMPLE = "four blue stars"
DRAWINGS = tuple(
    ASSETS / "benchmarks" / "stickers" / name
    for name in ("171.png", "052.png", "046.png", "017.png")
)
"""One is right; the others are wrong in their colour, their number, and what they are."""


def example_files() -> list[str]:
    """The drawings as if a visitor had uploaded them; others may read them at the same time."""
    folder = Path(get_upload_folder()) / EXAMPLES / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent) as own:
        return [str(Path(copy(file, own)).replace(folder / file.name)) for file in DRAWINGS]


HINT = (
    "Your images are scored with the same questions as generated ones. With target images they "
    "can also be ranked by similarity to those. Nothing leaves the machine that runs this page."
)
DRAWINGS_ALONE = " The embedded models were trained on drawings, and cannot read photographs."


class YourImages:
    def __init__(self, offer: Offer, runs: Runs) -> None:
        said, wanted = "What they should show", "what your images should show"
        self.prompt, self.score, stop = prompt_row(said, wanted, "Score", "claim")
        with gr.Row(elem_classes="chips"):
            html("try", "worked example:", min_width=0)
            said = f"{EXAMPLE}, in four images"
            self.example = gr.Button(said, size="sm", elem_classes="chip")
        with gr.Row(elem_classes="uploads"):
            accepted = "1 to 36, PNG, JPEG, WebP or GIF (first frame)"
            self.files = _files(f"Images to score: {accepted}", 2)
            self.targets = _files("Target images, if you have any", 1)
        self.picked = html("picked")
        alone = DRAWINGS_ALONE if Request.bundle in offer.bundles else ""
        html("hint", f"<p>{HINT}{alone}</p>")
        warning = html("warning")
        with gr.Row(elem_classes="settings"):
            ranked_by = ranking_choice((*METHODS, TARGETS))
            self.bundle = bundle_choice(offer)
        controls = RunControls(self.score, stop, html("status"), runs)
        self.panel = GridPanel(controls, ranked_by, warning)

    @property
    def request(self) -> list[Any]:
        """The fields that become a request, in the order of `scored`."""
        return [self.files, self.targets, self.prompt, self.panel.ranked_by, self.bundle]

    def wire(self) -> None:
        brought = [self.prompt, self.files, self.targets]
        filled = self.example.click(on_example, None, brought, **AT_ONCE)
        events = (self.score.click, self.prompt.submit, filled.then)
        self.panel.wire([Job(event, self.on_score, self.request) for event in events])
        words = [self.prompt.change, self.bundle.input]
        fields = [self.prompt, self.bundle]
        gr.on(words, self.on_words, fields, [self.panel.warning], **AT_ONCE)
        files = [self.files, self.targets]
        gr.on([each.change for each in files], self.on_files, files, [self.picked], **QUIET)
        uploads, line = [each.upload for each in files], [self.panel.controls.status]
        gr.on(uploads, lambda: "", None, line, **QUIET)  # "there are no images" is no longer true

    def on_score(self, *fields: Any) -> Iterator[Changes]:
        yield from self.panel.run(
            lambda _, turn: scored(*fields, turn=turn), self.panel.grow_anew(), done
        )

    def on_files(self, files: Sequence[str] | None, targets: Sequence[str] | None) -> str:
        """What was picked, before anything is scored."""
        try:
            with admitted(self.panel.controls.runs):
                return files_as_html(files, "images") + files_as_html(targets, "target images")
        except RunEnded as error:
            return refusals([str(error)])

    def on_words(self, prompt: str, bundle: str) -> Changes:
        return {self.panel.warning: vocabulary_warning(prompt, bundle)}


def on_example() -> tuple[str, list[str], None]:
    """What a visitor might have asked about which images, without targets."""
    return EXAMPLE, example_files(), None


def files_as_html(files: Sequence[str] | None, what: str) -> str:
    try:
        read = read_uploads(files, what)
    except UnusableFileError as error:
        return refusals([str(error)])
    return picked(read, [page_store().image(each) for each in read.images], what)


def done(state: GridState) -> str:
    """What was done, and with how many files nothing could be done."""
    left_out = len(state.images.refused)
    more = f", without {counted(left_out, 'file')} that cannot be used," if left_out else ""
    return status.generated(state) + more


def scored(
    files: Sequence[str] | None,
    targets: Sequence[str] | None,
    prompt: str,
    rank_by: str,
    bundle: str,
    *,
    turn: Turn = nullcontext,
) -> Iterator[GridState]:
    """Read uploaded files and score their images; files that cannot be used are left out.

    Raises:
        UnusableFileError: there is no image, or none can be used.
        InvalidRequestError, UnknownBundleError, UnknownMethodError: as in `score_uploads`.
    """
    if not files:
        raise UnusableFileError("there are no images; add some that the prompt is about")
    read, target = read_uploads(files), read_uploads(targets, "target images")
    for each in (read, target):
        each.require_some()
    uploaded = tuple(map(page_store().image, read.images))
    grid = (prompt, *shape(len(uploaded)))
    request = Request(*grid, model="", bundle=bundle, rank_by=rank_by)
    refused = tuple(map(str, (*read.refused, *target.refused)))
    images = GridImages(uploaded, names=read.names, refused=refused)
    yield from score_uploads(GridState(request, images), target.images, turn)


def shape(count: int) -> tuple[int, int]:
    """Rows and columns of the squarest grid that holds so many images.

    >>> [shape(count) for count in (1, 2, 3, 7, 36)]
    [(1, 1), (1, 2), (2, 2), (3, 3), (6, 6)]
    """
    columns = isqrt(count - 1) + 1
    return ceil(count / columns), columns


def _files(label: str, scale: int) -> gr.File:
    return gr.File(
        label=label,
        file_count="multiple",
        file_types=[".png", ".jpg", ".jpeg", ".webp", ".gif"],
        height=150,
        scale=scale,
        min_width=280,
    )

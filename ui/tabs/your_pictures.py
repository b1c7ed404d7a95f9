"""The tab for a visitor's own images: uploaded, scored against a prompt and ranked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from filecmp import cmp
from functools import partial
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
from session.offer import Offer, at_hand
from session.run import RunEnded, Turn
from session.state import GridImages, GridState
from session.tab_links import UploadsLink, read_tab, tab_query
from session.uploads import read_uploads
from ui.admission import admitted
from ui.components import (
    ASSETS,
    AT_ONCE,
    EXAMPLES,
    QUIET,
    Changes,
    as_offered,
    bundle_choice,
    html,
    page_store,
    prompt_row,
    ranking_choice,
)
from ui.grid_panel import GridPanel
from ui.render import status
from ui.render.status import picked, refusals
from ui.render.words import counted
from ui.run_controls import Job, RunControls
from ui.visits import Wanted, tab_address
from ui.vocabulary import vocabulary_warning

EXAMPLE = "two blue apples"
DRAWINGS = tuple(
    ASSETS / "benchmarks" / "stickers" / name
    for name in ("084.png", "139.png", "175.png", "291.png")
)
"""One of them is right."""


def example_files() -> list[str]:
    """The drawings as if a visitor had uploaded them; others may read them at the same time."""
    folder = Path(get_upload_folder()) / EXAMPLES / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent) as own:
        return [str(Path(copy(file, own)).replace(folder / file.name)) for file in DRAWINGS]


def is_example(files: Sequence[str] | None) -> bool:
    """Whether these files are the drawings, and no others."""
    same = len(files or ()) == len(DRAWINGS)
    return same and all(
        Path(file).name == own.name and cmp(file, own, shallow=False)
        for file, own in zip(files or (), DRAWINGS, strict=True)
    )


HINT = (
    "Your images are scored with the same questions as generated ones. With target images they "
    "can also be ranked by similarity to those. Nothing leaves the machine that runs this page; "
    "the address holds the prompt and the settings, never the images."
)
ADD_AGAIN = "images of your own are in no address: add them again, then press Score"


class YourPictures:
    """The components of the tab, and the handlers of their events."""

    def __init__(self, offer: Offer, runs: Runs) -> None:
        self.offer, wanted = offer, "what your images should show"
        said = "What they should show"
        self.prompt, self.score, stop = prompt_row(said, wanted, "Score", "claim")
        with gr.Row(elem_classes="chips"):
            html("try", "worked example:", min_width=0)
            said = f"{EXAMPLE}, in four images"
            self.example = gr.Button(said, size="sm", elem_classes="chip")
        with gr.Row(elem_classes="uploads"):
            accepted = "1 to 36, PNG, JPEG, WebP or GIF (first frame)"
            self.files = _files(f"Images to score: {accepted}", 2)
            self.targets = _files("Target images, if you have some", 1)
        self.picked = html("picked")
        html("hint", f"<p>{HINT}</p>")
        warning = html("warning")
        with gr.Row(elem_classes="settings"):
            ranked_by = ranking_choice((*METHODS, TARGETS))
            self.bundle = bundle_choice(offer)
        self.address = tab_address("your-pictures")
        controls = RunControls(self.score, stop, html("status"), runs)
        self.panel = GridPanel(controls, ranked_by, warning)

    @property
    def request(self) -> list[Any]:
        """The fields that become a request, in the order of `scored`."""
        return [self.files, self.targets, *self.linked]

    @property
    def linked(self) -> list[Any]:
        """Those that an address holds, in the order of `UploadsLink`."""
        return [self.prompt, self.panel.ranked_by, self.bundle]

    def wire(self) -> None:
        brought = [self.prompt, self.files, self.targets]
        filled = self.example.click(on_example, None, brought, **AT_ONCE)
        events = (self.score.click, self.prompt.submit, filled.then)
        panel, address = self.panel, self.address
        jobs = panel.wire(
            [
                *(Job(event, self.on_score, self.request) for event in events),
                Job(address.wanted.change, self.on_wanted, [address.wanted]),
            ]
        )
        for event in (*events, panel.ranked_by.input):
            event(on_linked, self.request, [address.part], **AT_ONCE)
        controls = [panel.controls.start, panel.controls.stop]
        changed = [*self.request, *controls, *panel.drawn, panel.warning]
        linked = [*changed, address.part, address.wanted]
        address.wire(self.on_visit, [self.files], linked, jobs, panel.controls.runs)
        words = [self.prompt.change, self.bundle.input]
        fields = [self.prompt, self.bundle]
        gr.on(words, self.on_words, fields, [self.panel.warning], **AT_ONCE)
        files = [self.files, self.targets]
        gr.on([each.change for each in files], self.on_files, files, [self.picked], **QUIET)

    def on_score(self, *fields: Any) -> Iterator[Changes]:
        """Score the uploaded images as a generated grid is scored."""
        job: Callable[..., Iterator[GridState]] = partial(scored, *fields)
        yield from self.panel.run(lambda _, turn: job(turn=turn), self.panel.grow_anew(), done)

    def on_wanted(self, wanted: Wanted | None) -> Iterator[Changes]:
        """Score the images of the worked example as a link asks for it."""
        if wanted:
            link, _ = read_tab(UploadsLink, wanted.query, self.offer.bundles)
            yield from self.on_score(example_files(), None, *fields_of(link))

    def on_visit(self, query: str, files: Sequence[str] | None) -> Changes:
        """Fill in what a link asks for; without a query, what the tab opened with.

        Images come with a link to the worked example alone.
        """
        opened = link_of(*(each.value or "" for each in self.linked)), ()
        link, mistakes = read_tab(UploadsLink, query, self.offer.bundles) if query else opened
        mistakes += self.offer.lacking("", link.bundle)
        request = Request(link.prompt, 1, 1, model="", bundle=link.bundle, rank_by=link.rank)
        filled = dict(zip(self.linked, fields_of(link), strict=True))
        changes = {
            **self.panel.blank(GridState(request)),
            self.panel.state: None,
            self.panel.grid: "",
            self.panel.reasons: "",
            **as_offered(filled, {self.bundle: self.offer.bundles}),
            **self._brought(link, query, files),
            self.address.part: query,
        }
        if mistakes:
            said = self.panel.controls.ready(status.mistake("; ".join(mistakes)))
            changes |= {**said, self.address.part: "", self.address.wanted: None}
        return changes

    def _brought(self, link: UploadsLink, query: str, files: Sequence[str] | None) -> Changes:
        """The images that come with a link, and what the status line says of them."""
        own = None if is_example(files) else files
        if link.example:
            now = at_hand("", link.bundle)
            brought: Changes = {self.files: example_files(), self.targets: None}
            brought |= {self.address.wanted: Wanted(query)} if now else {}
            line = "" if now else "press Score"
        else:
            brought = {} if own else {self.files: None}
            line = ("press Score" if own else ADD_AGAIN) if query else ""
        return {**self.panel.controls.ready(status.note(line) if line else ""), **brought}

    def on_files(self, files: Sequence[str] | None, targets: Sequence[str] | None) -> str:
        """What was picked, before anything is scored."""
        try:
            with admitted(self.panel.controls.runs):
                return files_as_html(files, "pictures") + files_as_html(targets, "target images")
        except RunEnded as error:
            return refusals([str(error)])

    def on_words(self, prompt: str, bundle: str) -> Changes:
        """Warn about words that the embedded evaluators do not know."""
        return {self.panel.warning: vocabulary_warning(prompt, bundle)}


def link_of(*fields: str, example: bool = False) -> UploadsLink:
    """The link of what is asked for, of the images of the worked example or of others."""
    prompt, rank, bundle = fields
    return UploadsLink.model_construct(prompt=prompt, rank=rank, bundle=bundle, example=example)


def fields_of(link: UploadsLink) -> tuple[str, str, str]:
    """What a link asks for, in the order of `link_of`, without the images."""
    return link.prompt, link.rank, link.bundle


def on_linked(files: Sequence[str] | None, targets: Sequence[str] | None, *fields: str) -> str:
    """The address of what is asked for."""
    return tab_query(link_of(*fields, example=not targets and is_example(files)))


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

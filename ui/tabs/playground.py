"""The playground: a prompt becomes a grid of images, scored and reranked; saved ones are opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

import generation
from session.jobs import generate_and_score, regenerate
from session.limits import Runs
from session.offer import Offer
from session.png_text import changed
from session.replay import Opened, open_saved
from session.run import Turn
from session.state import GridState
from session.storage import CellStore
from session.viewer_utility import ViewingSettings
from ui import history_strip
from ui.admission import admitted
from ui.components import (
    AT_ONCE,
    Changes,
    html,
    keep_current,
    more_button,
    page_store,
    prompt_row,
    set_initial,
)
from ui.grid_panel import GridPanel, places
from ui.render import status
from ui.render.evidence import evidence
from ui.render.gallery import gallery
from ui.render.replacements import vocabulary_warning
from ui.render.vocabulary import vocabulary_of, word_list
from ui.render.words import image_name
from ui.request_fields import in_words, lay_out_fields, made_as_before, mistakes, requested
from ui.run_controls import Job, RunControls, under_way, user_message
from ui.visits import Visits, playground_address

PLACEHOLDER = "two penguins and a red car"


class Playground:
    def __init__(self, offer: Offer, examples: Sequence[GridState], runs: Runs) -> None:
        self.offer = offer
        prompt, self.generate, stop = prompt_row("Prompt", PLACEHOLDER, "Generate", "prompt")
        with gr.Row(elem_classes="said"):
            # The line that says what is set, and opens all fields but the prompt.
            self.more = html("more", "", "more.js")
            controls = RunControls(self.generate, stop, html("status"), runs)
        with gr.Column(elem_classes="more-fields"):
            self.fields = lay_out_fields(prompt, offer)
            self.more.value = more_line(*(each.value for each in self.fields.inputs[1:]))
            words = words_of(self.fields.model.value, self.fields.bundle.value)
            self.words = html("vocabulary", words, "vocabulary.js")
            self.open = opening_button()
        warning = html("warning", "", "prompt.js")
        self.strip, address = history_strip.lay_out(examples), playground_address()
        self.panel = GridPanel(controls, self.fields.rank_by, warning, address.part, self.strip)
        self.visits = Visits(
            self.fields, self.panel, self.strip.recent, address, offer, gr.State(None)
        )

    def wire(self) -> None:
        panel = self.panel
        asked = [*self.fields.inputs, panel.state, self.visits.waiting]
        further = [self.fields.seed, self.visits.waiting]
        jobs = [
            Job(self.generate.click, self.on_generate, asked, further),
            Job(self.fields.prompt.submit, self.on_generate, asked, further),
            Job(panel.next.again.click, self.on_again, panel.shown),
            self.visits.job,
        ]
        panel.wire(jobs)
        own = self.fields
        words = [own.prompt.change, own.model.input, own.bundle.input]
        fields = [own.prompt, own.model, own.bundle]
        gr.on(words, self.on_words, fields, [panel.warning], **AT_ONCE)
        models = [own.model, own.bundle]
        keep_current(self.words, words_of, models, models)
        numbers = [own.size, own.seed]
        gr.on([each.change for each in numbers], on_numbers, numbers, numbers, **AT_ONCE)
        settings = own.inputs[1:]
        keep_current(self.more, more_line, settings, settings)
        buttons = [panel.controls.start, panel.controls.stop]
        changed = [*self.fields.inputs, *buttons, *panel.drawn, self.visits.waiting]
        saved = [self.open, *panel.view]
        under_way(self.open.upload, panel.controls.status, "opening the file")
        panel.controls.instead(self.open.upload, self.on_open, saved, changed)
        self.visits.wire()

    def on_generate(self, *inputs: Any) -> Iterator[Changes]:
        """Generate what the fields ask for, or the next seeds where nothing has changed."""
        *fields, shown, waiting = inputs
        anew, unsaid = self.panel.grow_anew(), iter([self.fields.seed])

        def grow(growing: GridState) -> Changes:
            made: Changes = {self.visits.waiting: None} if growing.report else {}
            return {**anew(growing), **dict.fromkeys(unsaid, growing.request.seed), **made}

        def job(store: CellStore, turn: Turn) -> Iterator[GridState]:
            return generate_and_score(to_make(requested(*fields), shown, waiting), store, turn)

        yield from self.panel.run(job, grow, status.generated)

    def on_again(self, state: GridState, selected: int, *view: Any) -> Iterator[Changes]:
        """Regenerate the selected image; the grid keeps its arrangement until it is scored."""
        report = state.report
        if not report:
            return
        cells = places(state, ViewingSettings(*view))

        def grow(growing: GridState) -> Changes:
            done = {} if growing.images.previews else {self.panel.state: growing}
            grid = gallery(growing, cells, selected)
            return {self.panel.grid: grid, self.panel.reasons: evidence(growing, selected), **done}

        job = partial(regenerate, state, report, selected)
        yield from self.panel.run(job, grow, lambda done: image_name(done, selected))

    def on_open(self, file: str, *view: Any) -> Changes:
        """A saved image or report: the request that made it, and its result."""
        try:
            return self._opened(read_saved(file, self.panel.controls.runs), *view)
        except Exception as error:
            return self.panel.controls.ready(status.mistake(user_message(error)))

    def _opened(self, found: Opened, *view: Any) -> Changes:
        line = status.note(said_of(found, self.offer))
        filled = self.fields.filled(found.request, self.offer)
        changes = {**filled, **self.panel.controls.ready(line)}
        state = within_offer(found.state, self.offer)
        drawn = self.panel.draw(state, state.telling or 0, *view)
        return {**drawn, **changes, self.visits.waiting: None}

    def on_words(self, prompt: str, model: str, bundle: str) -> Changes:
        """Warn about words that the embedded models do not know, and about those they cut off."""
        spec = generation.find_model(model)
        said = vocabulary_warning(prompt, bundle, model, listed=True)
        said += status.warning(status.about_truncated(generation.words_cut(prompt, spec)))
        return {self.panel.warning: said}


def to_make(asked: GridState, shown: GridState | None, waiting: GridState | None) -> GridState:
    """What Generate makes: what the fields say, and else what the link or the grid on show has.

    A link that waits has images of own seeds, too, as long as it asks for the same grid.
    """
    request = asked.request
    for before in filter(None, (shown, waiting)):
        request = made_as_before(request, before.request)
    own = waiting if waiting and waiting.request.grid == request.grid else asked
    return not_again(replace(own, request=request), shown)


def not_again(asked: GridState, shown: GridState | None) -> GridState:
    """The request, moved on to the next seeds where its own images are on show already.

    Those of an earlier version of the model, out of a file, are not its own.
    """
    if shown is None or not shown.asked_again(asked.request):
        return asked
    if changed(shown.request.model, shown.request.revision):
        return asked
    return GridState(replace(asked.request, seed=shown.next_seed))


def words_of(model: str, bundle: str) -> str:
    """The words known to the model that generates, else to those that score, as HTML."""
    vocabulary = vocabulary_of(model, bundle)
    return word_list(vocabulary) if vocabulary else ""


def more_line(*settings: Any) -> str:
    """The button that opens the fields, as HTML."""
    return more_button(in_words(*settings))


def on_numbers(size: str, seed: float | None) -> list[Any]:
    """Say in the field itself what is wrong with it."""
    return [gr.update(info=said[:1].upper() + said[1:]) for said in mistakes(size, seed)]


def build(offer: Offer, examples: Sequence[GridState], runs: Runs) -> gr.State:
    """Build and wire the tab inside the one that is open, with the first example as a result.

    Returns:
        The grid on show.
    """
    page = Playground(offer, examples, runs)
    page.wire()
    if examples:
        first, view = examples[0], [each.value for each in page.panel.view]
        line = status.done(history_strip.EXAMPLE)
        set_initial({**page.panel.draw(first, None, *view), page.panel.controls.status: line})
    return page.panel.state


AREA = "open-saved"
"""The id of the button, which `assets/drop.js` hands dropped files to."""


def opening_button() -> gr.UploadButton:
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


def read_saved(file: str, runs: Runs) -> Opened:
    """What is in an uploaded file, whose images are read when it is this visitor's turn."""
    with admitted(runs):
        return open_saved(Path(file), page_store())


def said_of(found: Opened, offer: Offer) -> str:
    """The status line: what was read, and what of it is not offered here."""
    if not found.state.report:
        said = "this image holds no answers (one from a ZIP does): score it, or Generate its grid"
    elif any(found.state.images.files):
        said = "opened as it was saved; no model was asked"
    else:
        said = "opened without images, and so without set metrics; a ZIP has the images"
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

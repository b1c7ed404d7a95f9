"""Links to a grid: the address bar follows what is shown, and a link that is followed is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from typing import Any
from uuid import uuid4

import gradio as gr

from request.query import LONGEST_QUERY
from session.jobs import generate_and_score
from session.link import NAMES, RUN, Link, read_link
from session.offer import MADE_AT_ONCE, Offer, at_hand, evaluations
from session.revisions import changed
from session.state import GridState
from ui.components import ASSETS, AT_ONCE, QUIET, Changes, html
from ui.grid_panel import GridPanel, Job
from ui.render import status
from ui.render.gallery import gallery
from ui.render.words import counted
from ui.request_fields import RequestFields
from ui.stopping import after

TEMPLATE = """
<span class="copied" role="status"></span>
<button type="button" class="share">Copy link</button>
"""


def link_button(script: str, **props: Any) -> gr.HTML:
    """The button that copies a link, and a script that keeps the address bar.

    Its value is the query of what is shown, or empty.

    Args:
        script: its name among the assets.
        props: what the script reads, and how the component is rendered.
    """
    scripts = [(ASSETS / name).read_text(encoding="utf-8") for name in ("copy-link.js", script)]
    return html("link", "", html_template=TEMPLATE, js_on_load="".join(scripts), **props)


def link_part() -> gr.HTML:
    """The button of the playground; it is placed where `render` is called."""
    return link_button("link.js", render=False, run=list(RUN), names=list(NAMES))


@dataclass(frozen=True)
class Visits:
    """What a link fills and shows, and the handlers of its events."""

    fields: RequestFields
    panel: GridPanel
    find: Callable[[str], GridState | None]
    """The finished run of a link, where it is still kept."""
    link: gr.HTML
    wanted: gr.State
    """The link whose images are to be made, with a mark that no other visit has."""
    offer: Offer

    @property
    def job(self) -> Job:
        """Makes what a link asks for."""
        return Job(self.wanted.change, self.on_wanted, [self.wanted])

    def wire(self, jobs: Sequence[Any]) -> None:
        """Connect the visit of a link, which cancels the jobs that run."""
        panel, asked = self.panel, gr.State("")
        outputs = [
            *self.fields.inputs,
            panel.controls.start,
            panel.controls.stop,
            *panel.drawn,
            *panel.view,
            self.wanted,
        ]
        noted = self.link.visit(asked_query, None, [asked], cancels=jobs, **AT_ONCE)
        noted.then(after(jobs, self.on_visit, panel.controls.runs), [asked], outputs, **QUIET)

    def on_visit(self, query: str) -> Changes:
        """Show what a link asks for: a run that is kept at once; else it is made, or offered."""
        link, mistakes = read_link(query, self.offer.bundles)
        mistakes = (*mistakes, *self.offer.lacking(link.model, link.bundle, link.saliency))
        view = astuple(link.view)
        found = self.find(link.run)
        shown = self._kept(found, link, view) if found else self._blank(link, mistakes)
        if mistakes:
            shown[self.panel.controls.status] = status.mistake("; ".join(mistakes))
        elif found:
            revisions = (found.request.revision, link.revision)
            since = next(filter(None, (changed(link.model, each) for each in revisions)), "")
            shown |= {self.panel.controls.status: status.note(since)} if since else {}
        if mistakes or not found:
            shown.pop(self.link, None)  # the address bar stays as it is
        filled = self.fields.filled(link.request, self.offer)
        looked = dict(zip(self.panel.view, view, strict=True))
        return {**self.panel.controls.ready(""), **filled, **looked, **shown}

    def _kept(self, state: GridState, link: Link, view: Sequence[Any]) -> Changes:
        selected = state.worst if link.cell is None else link.cell
        return self.panel.rank(link.rank_by, state, selected, *view)

    def _blank(self, link: Link, mistakes: Sequence[str]) -> Changes:
        """A grid that is still to be made: at once, or by a press of the button.

        What must be downloaded first, or takes a shared machine minutes, waits for the button.
        """
        panel, images = self.panel, counted(link.size, "image")
        empty = {panel.state: None, panel.grid: gallery(link.state), panel.reasons: ""}
        asks = f"this link asks for {images} by {link.model}; press Generate to make them"
        since = changed(link.model, link.revision)
        said: Changes = {panel.controls.status: status.note("; ".join(filter(None, (asks, since))))}
        small = not mistakes and evaluations(link.model, link.steps, link.size) <= MADE_AT_ONCE
        if small and at_hand(link.model, link.bundle, link.saliency):
            said = {self.wanted: (link, uuid4().hex)}
        return {**panel.blank(link.state), **empty, **said}

    def on_wanted(self, wanted: tuple[Link, str] | None) -> Iterator[Changes]:
        """Generate and score what a link asks for, and show the reasons that it shows."""
        if wanted is None:
            return
        link, _ = wanted

        def grow(growing: GridState) -> Changes:
            changes = self.panel.grow(growing)
            changes.pop(self.link, None)  # it is that of the link already
            if growing.report and link.cell is not None:
                changes[self.panel.selected] = link.cell
            return changes

        job, since = partial(generate_and_score, link.state), changed(link.model, link.revision)
        yield from self.panel.run(job, grow, status.generated, since)


def asked_query(event: gr.EventData) -> str:
    """The query that a script of the page sends with an event."""
    query = event._data.get("query")
    return query[:LONGEST_QUERY] if isinstance(query, str) else ""

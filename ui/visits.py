"""Links: the address bar follows what a tab shows, and a link that is followed is shown.

The address bar holds the names of every tab at once, each with the tab before it but for those of
the playground, and a link is asked for where its tab is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from functools import partial
from typing import Any
from uuid import uuid4

import gradio as gr

from request.query import LONGEST_QUERY
from session.history import Recent
from session.jobs import generate_and_score
from session.link import NAMES, RUN, Link, read_link
from session.offer import MADE_AT_ONCE, Offer, at_hand, evaluations
from session.png_text import changed
from session.state import GridState
from ui.components import AT_ONCE, QUIET, Changes, html
from ui.grid_panel import GridPanel
from ui.history_strip import EXAMPLE
from ui.render import status
from ui.render.gallery import gallery
from ui.render.words import counted
from ui.request_fields import RequestFields
from ui.run_controls import Job, RunControls

TEMPLATE = """
<span class="copied" role="status"></span>
<button type="button" class="share">Copy link</button>
"""


@dataclass(frozen=True)
class Wanted:
    """What a link asks to be made; a link that is followed again is another."""

    query: str
    visit: str = field(default_factory=lambda: uuid4().hex)


@dataclass(frozen=True)
class Address:
    """The button that copies the link of a tab, with the script that keeps the address bar."""

    part: gr.HTML
    """Its value is the query of what the tab shows; empty where it is as it opened."""
    wanted: gr.State
    """The `Wanted` link, whose change starts a job."""

    def wire(
        self, handler: Callable[..., Any], outputs: Sequence[Any], controls: RunControls
    ) -> Any:
        """Connect the visit of a link, which cancels the runs of these controls.

        Args:
            handler: takes the query, which is empty where the tab is asked for as it opened.
        """
        asked = gr.State("")
        noted = self.part.visit(asked_query, None, [asked], cancels=controls.started, **AT_ONCE)
        changed = [*dict.fromkeys(outputs)]
        return noted.then(controls.after(handler), [asked], changed, **QUIET)


def tab_address(tab: str) -> Address:
    """The address of a tab beside the playground, by its name."""
    return Address(_link_button("tab-address.js", tab=tab), gr.State(None))


def playground_address() -> Address:
    """The address of the playground; its button is placed where `render` is called."""
    part = _link_button("link.js", render=False, run=list(RUN), names=list(NAMES))
    return Address(part, gr.State(None))


def _link_button(script: str, **props: Any) -> gr.HTML:
    """The button that copies a link, and a script that keeps the address bar."""
    return html("link", "", "copy-link.js", script, html_template=TEMPLATE, **props)


@dataclass(frozen=True)
class Visits:
    """What a link fills and shows, and the handlers of its events."""

    fields: RequestFields
    panel: GridPanel
    recent: Recent[GridState]
    """It finds the finished run of a link, where that is still kept."""
    address: Address
    offer: Offer
    waiting: gr.State
    """What a link asks for that is made when Generate is pressed: the fields say a part of it."""

    @property
    def job(self) -> Job:
        """Makes what a link asks for."""
        return Job(self.address.wanted.change, self.on_wanted, [self.address.wanted])

    def wire(self) -> None:
        """Connect the visit of a link, which cancels the jobs that run."""
        panel = self.panel
        changed = [panel.controls.start, panel.controls.stop, *panel.drawn, *panel.view]
        outputs = [*self.fields.inputs, *changed, self.address.wanted, self.waiting]
        self.address.wire(self.on_visit, outputs, panel.controls)

    def on_visit(self, query: str) -> Changes:
        """Show what a link asks for: a run that is kept at once; else it is made, or offered."""
        link, mistakes = read_link(query, self.offer.bundles)
        mistakes = (*mistakes, *self.offer.lacking(link.model, link.bundle))
        view = astuple(link.view)
        found = self.recent.find(link.run)
        if found:
            shown = self.panel.rank(link.rank_by, found, link.cell, *view)
        else:
            shown = self._blank(link, mistakes)
        if mistakes:
            shown[self.panel.controls.status] = status.mistake("; ".join(mistakes))
        elif found:
            revisions = (found.request.revision, link.revision)
            since = next(filter(None, (changed(link.model, each) for each in revisions)), "")
            if since:
                shown[self.panel.controls.status] = status.note(since)
            elif self.recent.stays(link.run):
                shown[self.panel.controls.status] = status.done(EXAMPLE)
        if mistakes or not found:
            shown.pop(self.address.part, None)  # the address bar stays as it is
        filled = self.fields.filled(link.request, self.offer)
        looked = dict(zip(self.panel.view, view, strict=True))
        return {**self.panel.controls.ready(""), self.waiting: None, **filled, **looked, **shown}

    def _blank(self, link: Link, mistakes: Sequence[str]) -> Changes:
        """A grid that is still to be made: at once, or by a press of the button.

        What must be downloaded first, or takes a shared machine minutes, waits for the button.
        """
        panel, images = self.panel, counted(link.size, "image")
        empty = {panel.state: None, panel.grid: gallery(link.state), panel.reasons: ""}
        asks = f"this link asks for {images} by {link.model}; press Generate to make them"
        since = changed(link.model, link.revision)
        note = status.note("; ".join(filter(None, (asks, since))))
        said: Changes = {panel.controls.status: note, self.waiting: link.state}
        made = link.size + sum(found.attempt for found in link.found.values())
        small = not mistakes and evaluations(link.model, link.steps, made) <= MADE_AT_ONCE
        if small and at_hand(link.model, link.bundle):
            said = {self.address.wanted: Wanted(str(link))}
        return {**panel.blank(link.state), **empty, **said}

    def on_wanted(self, wanted: Wanted | None) -> Iterator[Changes]:
        """Generate and score what a link asks for, and show the reasons that it shows."""
        if wanted is None:
            return
        link, _ = read_link(wanted.query, self.offer.bundles)

        drawn = self.panel.grow_anew(link.cell)

        def grow(growing: GridState) -> Changes:
            changes = drawn(growing)
            changes.pop(self.address.part, None)  # it is that of the link already
            return changes

        job, since = partial(generate_and_score, link.state), changed(link.model, link.revision)
        yield from self.panel.run(job, grow, status.generated, since)


def asked_query(event: gr.EventData) -> str:
    """The query that a script of the page sends with an event."""
    query = event._data.get("query")
    return query[:LONGEST_QUERY] if isinstance(query, str) else ""

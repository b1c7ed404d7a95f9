"""The history: worked examples and past runs as links.

The browser keeps the runs, or the server of one person.

A run is kept by its own last step, before anybody sees that it has finished, and found again by its
address, so that a link to it shows it at once instead of making it anew.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import gradio as gr

from alignment.errors import AlignmentError
from session.history import Entry, History, Recent, entry_of, is_whole, recent_runs
from session.link import link_of
from session.state import GridState
from ui.components import AT_ONCE, Changes, html
from ui.render.words import safe

SCORED = "metrics"
"""The stage that ends a run; a later one is a step of another job on the same scores."""
TEMPLATE = """
{examples}
<nav class="history" aria-label="History" hidden>
  <span class="history-title"></span>
  <button type="button" class="newer" aria-label="newer runs" hidden>‹</button>
  <ol></ol>
  <button type="button" class="older" hidden></button>
  <button type="button" class="forget-all">Delete all</button>
  <p class="history-problem" role="status"></p>
</nav>
"""


@dataclass(frozen=True)
class HistoryStrip:
    """The strip, and the finished runs that a link finds."""

    part: gr.HTML
    recent: Recent[GridState]
    """Runs of any visitor: found by who knows the address, listed to nobody."""
    history: History | None
    """The runs of the one person who uses this page; None where there are many."""

    def wire(self) -> None:
        self.part.list(self._listed, None, [self.part], **AT_ONCE)
        self.part.delete(self._on_delete, None, [self.part], **AT_ONCE)

    def find(self, run: str) -> GridState | None:
        """The finished run of an address, where it is still kept and can be read."""
        try:
            return self.recent.find(run) or (self.history.find(run) if self.history else None)
        except (OSError, sqlite3.Error, AlignmentError):
            logging.exception("a run of the history could not be read")
            return None

    def keep(self, state: GridState) -> Changes:
        """Keep a run that has finished, and list it; nothing changes before it has.

        What another job finds from the same scores is kept with it, and not listed again.
        """
        if not is_whole(state):
            return {}
        self.recent.save(link_of(state).run, state)
        if state.stage.name != SCORED:
            return {}
        if self.history is None:
            return {self.part: json.dumps({"entry": entry_of(state)._asdict()})}
        return self._changed(self.history, lambda history: history.save(state))

    def _on_delete(self, event: gr.EventData) -> Changes:
        """Delete the run of an address; without one, all of them."""
        if self.history is None:
            return {self.part: gr.skip()}
        address = event._data.get("address")
        if not isinstance(address, str):
            return self._changed(self.history, History.delete_all)
        return self._changed(self.history, lambda history: history.delete(address))

    def _changed(self, history: History, change: Callable[[History], None]) -> Changes:
        """The strip after a change; where that fails, it says so."""
        problem = "The history could not be written; the log of the server says why."
        try:
            change(history)
            return {self.part: _listing(history.entries())}
        except (OSError, sqlite3.Error, AlignmentError):
            logging.exception("the history could not be written")
            return {self.part: _listing((), problem)}

    def _listed(self) -> Changes:
        return {self.part: _listing(self.history.entries()) if self.history else gr.skip()}


def _listing(entries: Sequence[Entry], problem: str = "") -> str:
    """What the script of the strip draws."""
    return json.dumps({"entries": [each._asdict() for each in entries], "problem": problem})


def _links(examples: Sequence[GridState]) -> str:
    """The worked examples as links; each is a finished run."""
    links = "".join(
        f'<a href="?{safe(str(link_of(state)))}">{safe(state.prompt)}</a>' for state in examples
    )
    return f'<nav class="examples" aria-label="Worked examples">worked examples: {links}</nav>'


def lay_out(examples: Sequence[GridState], history: History | None) -> HistoryStrip:
    """Build the strip, not yet wired; it is placed where `part` is rendered."""
    kept = history is not None
    template = TEMPLATE.format(examples=_links(examples) if examples else "")
    part = html("history", "", "history.js", html_template=template, kept=kept, render=False)
    return HistoryStrip(part, recent_runs(examples), history)

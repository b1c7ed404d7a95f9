"""The history: worked examples, and past runs as links that the browser keeps.

A run is kept by its own last step, before anybody sees that it has finished, and found again by its
address, so that a link to it shows it at once instead of making it anew.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import gradio as gr

from session.history import Recent, entry_of, is_whole, recent_runs
from session.link import link_of
from session.state import GridState
from ui.components import Changes, html
from ui.render.words import safe

SCORED = "metrics"
"""The stage that ends a run; a later one is a step of another job on the same scores."""
EXAMPLE = "a worked example"
TEMPLATE = """
{examples}
<nav class="history" aria-label="History" hidden>
  <span class="history-title" title="kept in this browser alone">your runs:</span>
  <ol></ol>
  <button type="button" class="forget-all">Delete all</button>
</nav>
"""


@dataclass(frozen=True)
class HistoryStrip:
    """The strip, and the finished runs that a link finds."""

    part: gr.HTML
    recent: Recent[GridState]
    """Runs of any visitor: found by who knows the address, listed to nobody."""

    def keep(self, state: GridState) -> Changes:
        """Keep a run that has finished, and have the browser list it; nothing changes before.

        What another job finds from the same scores is kept with it, and not listed again. What a
        visitor finds from a worked example is not kept: it stays as it is for the next one.
        """
        if not is_whole(state):
            return {}
        run = link_of(state).run
        if not self.recent.stays(run):
            self.recent.save(run, state)
        if state.stage.name != SCORED:
            return {}
        return {self.part: json.dumps(entry_of(state)._asdict())}


def _links(examples: Sequence[GridState]) -> str:
    """The worked examples as links; each is a finished run."""
    links = "".join(
        f'<a href="?{safe(str(link_of(state)))}">{safe(state.prompt)}</a>' for state in examples
    )
    return f'<nav class="examples" aria-label="Worked examples">worked examples: {links}</nav>'


def lay_out(examples: Sequence[GridState]) -> HistoryStrip:
    """Build the strip; it is placed where `part` is rendered."""
    template = TEMPLATE.format(examples=_links(examples) if examples else "")
    part = html("history", "", "history.js", html_template=template, render=False)
    return HistoryStrip(part, recent_runs(examples))

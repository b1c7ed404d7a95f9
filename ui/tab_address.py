"""The address of a tab beside the playground: it names what the tab shows, and is followed.

The address bar holds the names of every tab at once, each with the tab before it, and a link is
asked for where its tab is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import gradio as gr

from session.limits import Runs
from ui.components import AT_ONCE, QUIET
from ui.stopping import after
from ui.visits import asked_query, link_button


@dataclass(frozen=True)
class Wanted:
    """What a link asks to be made; a link that is followed again is another."""

    query: str
    visit: str


def wanted(query: str) -> Wanted:
    """What a visit of a link asks for."""
    return Wanted(query, uuid4().hex)


@dataclass(frozen=True)
class TabAddress:
    """The button that copies the link of a tab, and the script that keeps the address bar."""

    part: gr.HTML
    """Its value is the query of what the tab shows; empty where it is as it opened."""
    wanted: gr.State
    """The `Wanted` link, whose change starts a job."""

    def wire(
        self,
        handler: Callable[..., Any],
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        jobs: Sequence[Any],
        runs: Runs,
    ) -> Any:
        """Connect the visit of a link, which cancels the jobs that run.

        Args:
            handler: takes the query, which is empty where the tab is asked for as it opened.
            inputs: what it takes after the query.
            outputs: what it changes; some may be named twice.
            jobs: the events of the jobs.
            runs: of the server.
        """
        asked = gr.State("")
        noted = self.part.visit(asked_query, None, [asked], cancels=jobs, **AT_ONCE)
        changed = [*dict.fromkeys(outputs)]
        return noted.then(after(jobs, handler, runs), [asked, *inputs], changed, **QUIET)


def lay_out(tab: str) -> TabAddress:
    """Build the button of a tab.

    Args:
        tab: its name in the address.
    """
    return TabAddress(link_button("tab-address.js", tab=tab), gr.State(None))

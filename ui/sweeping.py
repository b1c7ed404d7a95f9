"""What a server keeps while it runs: files that are not too old, and of open pages their values.

Gradio would also keep the configuration of all components for each page and each call, and renew it
with each answer, for links to a state. This page has links of its own, and the configuration takes
0.15 s of the thread that answers everybody, and most of the memory of a page.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

from gradio import Blocks
from gradio.blocks import BlocksConfig
from gradio.routes import App
from gradio.utils import get_upload_folder

from session.retention import Retention, sweep
from ui.components import EXAMPLES

REOPENED = 600.0
"""Seconds for which a closed page may come back to its state."""


class PageConfig(BlocksConfig):
    """What a page is made of; its copies, one for each state, say nothing of its components."""

    def __copy__(self) -> BlocksConfig:
        copy = super().__copy__()
        copy.__dict__["config_for_block"] = lambda *_: {}
        return copy


def keep_little(page: Blocks) -> None:
    """Have all states of a page keep no configuration."""
    page.default_config.__class__ = PageConfig


async def sweep_for_ever(app: App, retention: Retention, seconds: float) -> None:
    """Delete files that are too old or too many, and closed sessions, again and again."""
    while True:
        folder = Path(get_upload_folder())
        await asyncio.to_thread(sweep, folder, retention, {EXAMPLES})
        forget_closed(app)
        await asyncio.sleep(seconds)


def forget_closed(app: App) -> None:
    """Drop the state of pages closed a while ago; Gradio keeps it until there are many."""
    sessions = app.state_holder
    for session, state in [*sessions.session_data.items()]:
        used = sessions.time_last_used.get(session)
        if state.is_closed and used and (datetime.now() - used).total_seconds() > REOPENED:
            sessions.session_data.pop(session, None)
            sessions.time_last_used.pop(session, None)

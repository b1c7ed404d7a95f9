"""What is kept of an open page."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from gradio import Blocks
from gradio.routes import App
from gradio.state_holder import SessionState, StateHolder


class Session(SessionState):
    """The state of a page, without the configuration of its components.

    Gradio makes that configuration for each page and renews it with each answer, for deep links.
    This page has links of its own, and the configuration takes 0.15 s and most of the memory.
    """

    def __init__(self, page: Blocks) -> None:
        """A page that was opened just now."""
        nothing = SimpleNamespace(default_config=page.default_config, blocks=())
        super().__init__(cast("Blocks", nothing))
        self.blocks_config.__dict__["config_for_block"] = _no_configuration


class Sessions(StateHolder):
    """The open pages of a server."""

    def __getitem__(self, session_id: str) -> SessionState:
        """The state of a page, made where there is none."""
        if session_id not in self.session_data:
            self.session_data[session_id] = Session(self.blocks)
        return super().__getitem__(session_id)


def keep_little(app: App, page: Blocks) -> None:
    """Have a page's application keep `Sessions`; before anybody comes."""
    app.state_holder = Sessions()
    app.state_holder.set_blocks(page)


def _no_configuration(*_: Any) -> dict[str, Any]:
    return {}

"""What is kept of an open page: not the configuration of its components.

Gradio makes that configuration for each page and each call, and renews it with each answer, for
links to a state. This page has links of its own, and the configuration takes 0.15 s of the thread
that answers everybody, and most of the memory of a page.
"""

from __future__ import annotations

from typing import Any

from gradio import Blocks
from gradio.blocks import BlocksConfig


class PageConfig(BlocksConfig):
    """What a page is made of; its copies, one for each state, say nothing of its components."""

    def __copy__(self) -> BlocksConfig:
        """The same components and events."""
        copy = super().__copy__()
        copy.__dict__["config_for_block"] = _no_configuration
        return copy


def keep_little(page: Blocks) -> None:
    """Have all states of a page keep no configuration."""
    page.default_config.__class__ = PageConfig


def _no_configuration(*_: Any) -> dict[str, Any]:
    return {}

"""Tabs come in, each with what builds it; the page goes out, ready to be launched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gradio as gr

from ui.grid_panel import html

ASSETS = Path(__file__).resolve().parent.parent / "assets"
TITLE = "Which picture is right?"
LEAD = "One prompt, many pictures: each is questioned, ranked, and says why."


class Tab(NamedTuple):
    """One tab of the page."""

    title: str
    build: Callable[[], object]
    """Lays the tab out and wires it, inside the page."""


def page(tabs: Sequence[Tab]) -> gr.Blocks:
    """The title, and the tabs under it."""
    with gr.Blocks(title=TITLE, fill_width=True, delete_cache=(3600, 86400)) as blocks:
        with gr.Row(elem_id="head"):
            html("title", f"<h1>{TITLE}</h1><p>{LEAD}</p>")
            gr.Checkbox(False, label="large type", elem_id="large", container=False, min_width=0)
        for tab in tabs:
            with gr.Tab(tab.title):
                tab.build()
    return blocks


def about() -> None:
    """What the page does and what its numbers mean."""
    gr.Markdown((ASSETS / "about.md").read_text(encoding="utf-8"), elem_id="about")


def look() -> dict[str, Any]:
    """Theme and style, as `launch` takes them; system fonts only."""
    fonts = ["system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "sans-serif"]
    mono = ["ui-monospace", "SFMono-Regular", "Menlo", "DejaVu Sans Mono", "monospace"]
    theme = gr.themes.Base(
        primary_hue=gr.themes.colors.blue,
        neutral_hue=gr.themes.colors.stone,
        radius_size=gr.themes.sizes.radius_sm,
        font=fonts,
        font_mono=mono,
    )
    return {"theme": theme, "css_paths": ASSETS / "style.css", "footer_links": []}

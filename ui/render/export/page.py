"""The report of a finished grid: one HTML file with images, verdict, reasons and set metrics.

It holds its style and its images, runs no script and asks for nothing, so that it opens from a
disk, in any browser, without a network.
"""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from pathlib import Path

from PIL import Image

from session.state import GridState
from session.viewer_utility import ViewerUtility, ViewingSettings
from ui.render.evidence import evidence
from ui.render.gallery import caption, description
from ui.render.summary import summary
from ui.render.verdict import verdict
from ui.render.words import counted, method_name, safe

ASSETS = Path(__file__).resolve().parents[3] / "assets"
STYLE = "".join((ASSETS / f"{name}.css").read_text("utf-8") for name in ("result", "report"))
"""Result first, as on the page."""
LARGE, SMALL = 512, 192
"""Longer side in pixels of an image beside its reasons, and in the grid."""
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""What the file may load, for the browser to hold it to: nothing but what is in it."""


def report_page(state: GridState, view: ViewingSettings, found: ViewerUtility | None) -> str:
    """The whole file.

    Args:
        found: the set metrics; None where there are none.
    """
    body = f"{_head(state)}{_grid(state)}{_metrics(state, view, found)}{_reasons(state)}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{safe(state.prompt)}</title>"
        f"<style>{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def inlined(state: GridState, side: int) -> GridState:
    """The same grid, its images as addresses that hold them; filtered ones have none.

    Args:
        side: the longest side in pixels; a larger image becomes a smaller JPEG.
    """
    files = tuple(
        data_uri(file, side) if file and cell not in state.images.filtered else None
        for cell, file in enumerate(state.images.files)
    )
    return replace(state, images=replace(state.images, files=files))


def data_uri(file: str, side: int) -> str:
    """An image file as an address that holds it."""
    with Image.open(file) as image:
        kind, content = str(image.format).lower(), Path(file).read_bytes()
        if max(image.size) > side:
            image.thumbnail((side, side))
            small = io.BytesIO()
            image.convert("RGB").save(small, "JPEG", quality=88)
            kind, content = "jpeg", small.getvalue()
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def _head(state: GridState) -> str:
    """Prompt, verdict, and where images and scores come from."""
    request = state.request
    facts = [counted(state.size, "image"), f"ranked by {method_name(state.ranked_by)}"]
    facts += [f"evaluators: {state.evaluators}"]
    if state.model:
        facts += [f"text-to-image model: {state.model}", f"seeds from {request.seed}"]
    said = " · ".join(map(safe, facts))
    return (
        f'<header><h1>{safe(state.prompt)}</h1>{verdict(state)}<p class="facts">{said}</p></header>'
    )


def _grid(state: GridState) -> str:
    """The grid as reranked; each image leads to its reasons."""
    small = inlined(state, SMALL)
    cells = "".join(_cell(small, cell) for cell in state.arranged("reranked"))
    return f'<ol class="gallery" style="--columns: {state.request.columns}">{cells}</ol>'


def _cell(state: GridState, cell: int) -> str:
    said, address = safe(description(state, cell)), state.file(cell)
    image = f'<img src="{address}" alt="{said}">' if address else f"<span>{said}</span>"
    return (
        f'<li class="cell"><a href="#cell-{cell}"><span class="image">{image}</span>'
        f'<span class="caption">{caption(state, cell)}</span></a></li>'
    )


def _metrics(state: GridState, view: ViewingSettings, found: ViewerUtility | None) -> str:
    report = state.report
    if found is None or report is None:
        return ""
    said = summary(report, view, found)
    viewer = f"persistence {view.persistence:g}" + (", with novelty" if view.novelty else "")
    title = f"<h2>What a viewer gets from this grid</h2><p class='facts'>{viewer}</p>"
    return f'<section class="viewing">{title}{said}</section>'


def _reasons(state: GridState) -> str:
    large = inlined(state, LARGE)
    articles = (
        f'<article id="cell-{cell}">{evidence(large, cell)}</article>'
        for cell in state.arranged("reranked")
    )
    return f'<section class="all-reasons">{"".join(articles)}</section>'

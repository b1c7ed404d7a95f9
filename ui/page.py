"""The page: a title and its tabs, the last of which says what the numbers mean; theme and style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from alignment import BUNDLES
from alignment.models.spec import Bundle
from alignment.prompt_pairs.pairs import read_pairs
from session.limits import Runs
from session.offer import Offer
from session.pair_state import PairState, load_pair_example
from session.state import GridState
from session.storage import load_example, load_image
from ui import presentation
from ui.api import add_endpoints
from ui.components import ASSETS, example_store, html
from ui.tabs import playground
from ui.tabs.commonsense import Commonsense
from ui.tabs.compare import Compare
from ui.tabs.your_images import YourImages

HUB = "https://huggingface.co"
NO_ADDRESS = (
    "The code is in the folder that this page was started from, with a README; whoever runs the "
    "page can have it linked here (`SOURCE_URL`)."
)


def about(offer: Offer, source: str = "") -> str:
    """The text, in Markdown.

    Args:
        source: the address of the code; empty where it is not known.
    """
    text = (ASSETS / "about.md").read_text(encoding="utf-8")
    code = f"The code of this page: [{source}]({source})." if source else NO_ADDRESS
    off = {name: f" Off: {why}." for name, why in offer.off.items()}
    bundles = "\n".join(
        f"- **{bundle.name}**: {bundle.notes}{off.get(bundle.name, '')} {_models(bundle)}"
        for bundle in BUNDLES.values()
    )
    return text.replace("CODE", code).replace("BUNDLES", bundles)


def _models(bundle: Bundle) -> str:
    """The names of its models, each of the hub with a link to its page there."""
    named = (
        f"[{each.name}]({HUB}/{each.source})"
        if isinstance(each.source, str) and "/" in each.source
        else each.name
        for each in bundle.models
    )
    return f"{', '.join(named)}."


TITLE = "Which image is right?"
SKIP = '<button type="button" class="skip">To the images</button>'
PAIR = ASSETS / "pair"
"""The worked pair of the tour."""
PAIRS = ASSETS / "benchmarks" / "commonsense" / "pairs.json"


def build(offer: Offer, examples: Path, runs: Runs, source: str = "") -> gr.Blocks:
    """Every tab of the page, ready to be launched.

    Args:
        examples: the folder of worked examples, each a folder with its `report.json`.
    """
    states = [example(report) for report in sorted(examples.glob("*/report.json"))]
    with gr.Blocks(title=TITLE, fill_width=True) as blocks:
        add_endpoints(runs, offer)  # first, so that no handler of the page takes their names
        buttons, worked = _head(), load_pair_example(PAIR, example_store().image)
        state = _tabs(offer, states, worked, runs)
        with gr.Tab("About"):
            gr.Markdown(about(offer, source), elem_id="about")
        presentation.wire(buttons, state, states, worked)
    return blocks


def example(report: Path) -> GridState:
    """A worked example, its images among those that the server hands out."""
    state, store = load_example(report), example_store()
    files = tuple(file and store.image(load_image(file)) for file in state.images.files)
    return replace(state, images=replace(state.images, files=files))


def _head() -> tuple[gr.Button, gr.Button]:
    """The title, and the buttons of the presentation."""
    with gr.Row(elem_id="head"):
        html("title", f"{SKIP}<h1>{TITLE}</h1>", "refused.js", "page.js", "seconds.js")
        return presentation.lay_out()


def _tabs(
    offer: Offer, examples: Sequence[GridState], worked: Sequence[PairState], runs: Runs
) -> gr.State:
    """Every tab but the last; returns the grid on show in the first."""
    with gr.Tab("Playground"):
        state = playground.build(offer, examples, runs)
    with gr.Tab("Compare"):
        Compare(offer, runs).wire()
    with gr.Tab("Commonsense"):
        Commonsense(offer, read_pairs(PAIRS), worked[0], runs).wire()
    with gr.Tab("Your images"):
        YourImages(offer, runs).wire()
    return state


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
    ).set(button_transition="none")
    styles = [ASSETS / "result.css", ASSETS / "style.css"]
    return {"theme": theme, "css_paths": styles, "footer_links": []}

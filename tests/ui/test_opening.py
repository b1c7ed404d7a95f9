"""Saved files on the playground: the fields ask for what they say, and nothing of them is lost."""

import json
from dataclasses import replace
from pathlib import Path

import gradio as gr
import pytest
from PIL import Image

from generation import GridRequest, find_model
from generation.records import settings_of
from request import Request
from session.limits import Runs
from session.link import link_of
from session.offer import Offer
from session.png_text import png_text
from session.state import GridState
from session.storage import report_text
from ui.components import Changes
from ui.request_fields import requested
from ui.tabs.playground import Playground


@pytest.fixture
def page() -> Playground:
    with gr.Blocks():
        return Playground(Offer(("icons",), ("embedded",)), [], Runs())


def asked(page: Playground, changes: Changes) -> Request:
    """What Generate asks for after the changes."""
    fields = [changes.get(field, field.value) for field in page.fields.inputs]
    return requested(*fields).request


def view(page: Playground) -> list[object]:
    return [each.value for each in page.panel.view]


def image(folder: Path, request: GridRequest, **changes: str) -> str:
    settings = settings_of(request, request.seed, find_model(request.model))
    info = png_text(replace(settings, **changes))
    Image.new("RGB", (8, 8)).save(folder / "image.png", pnginfo=info)
    return str(folder / "image.png")


@pytest.mark.parametrize("completion", [True, False])
def test_generate_after_a_file_or_a_link_asks_for_what_it_says(
    page: Playground, tmp_path: Path, completion: bool
):
    request = Request("a red car", 2, 3, 5, "icons", completion)
    opened = page.on_open(image(tmp_path, request), *view(page))
    assert asked(page, opened) == request
    assert opened[page.visits.waiting] is None
    visited = page.visits.on_visit(str(link_of(GridState(request))))
    assert asked(page, visited) == request


def test_a_result_of_a_model_that_is_not_offered_is_saved_under_its_name(
    page: Playground, state: GridState, tmp_path: Path
):
    request = replace(state.request, model="sdxl", bundle="large")
    elsewhere = replace(state, request=request)
    report = replace(state.report, bundle="large") if state.report else None
    file = tmp_path / "report.json"
    file.write_text(report_text(elsewhere, report), "utf-8")
    shown = page.on_open(str(file), *view(page))[page.panel.state]
    assert (shown.request.model, shown.request.bundle) == ("", "")  # no job can use them
    saved = json.loads(report_text(shown, shown.report))
    assert (saved["model"], saved["bundle"], saved["seed"]) == ("sdxl", "large", 7)


def test_an_image_by_other_weights_says_so(page: Playground, tmp_path: Path):
    request = Request("a red car", model="icons")
    file = image(tmp_path, request, revision="0f0f0f0f")
    said = page.on_open(file, *view(page))[page.panel.controls.status]
    assert "icons has changed since this was made (revision 0f0f0f0f then" in said

"""Settings travel inside the PNG, on the page, on the command line and in batches alike."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from generation import find_model, settings_of
from request import Request
from session.png_text import PARAMETERS, SETTINGS, changed, png_text, read_settings, revision_of
from session.state import GridState
from session.storage import ContentStore
from tests.session.conftest import REQUEST

A1111 = re.compile(r'\s*(\w[\w \-/]+):\s*("(?:\\.|[^\\"])+"|[^,]*)(?:,|$)')
"""How AUTOMATIC1111's web UI reads the line."""
PROMPTS = [
    'a "red" car, Steps: 1',
    "first line\nSteps: 3, Seed: 4",
    "ein grünes Auto — 赤い車",
    "<b>&amp;</b>\\",
]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_what_is_written_into_a_png_makes_the_same_request(prompt: str, tmp_path: Path):
    revision = revision_of("icons")
    request = Request(prompt, 2, 3, 40, completion=True, rank_by="clip", revision=revision)
    settings = settings_of(request, 44, find_model("icons"), "DDIMScheduler")
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png", pnginfo=png_text(settings))
    found = read_settings(tmp_path / "a.png")
    assert found == settings
    assert (found.request, found.seed) == (request, 44)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_other_tools_read_prompt_and_numbers(prompt: str, tmp_path: Path):
    spec = replace(find_model("icons"), name="a, b", steps=9, guidance=0.0)
    settings = settings_of(Request(prompt, model=spec.name), 0, spec)
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png", pnginfo=png_text(settings))
    with Image.open(tmp_path / "a.png") as image:
        *lines, last = image.text[PARAMETERS].split("\n")
    read = dict(A1111.findall(last))
    assert "\n".join(lines) == prompt
    assert (read["Seed"], read["Steps"], read["CFG scale"]) == ("0", "9", "0.0")
    assert (read["Size"], read["Model"]) == ("128x128", '"a, b"')
    assert read["Model hash"] == settings.revision


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"prompt": 7}', "\ud83d".encode("utf-8", "replace")]
)
def test_another_text_under_our_name_is_no_settings(text: str | bytes, tmp_path: Path):
    info = png_text(settings_of(REQUEST, 7, find_model("icons")))
    info.chunks.clear()
    info.add_text(SETTINGS, text)
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png", pnginfo=info)
    assert read_settings(tmp_path / "a.png") is None


def test_every_image_of_a_grid_says_how_it_was_made(state: GridState):
    found = [read_settings(file) for file in state.images.files]
    assert [each.seed for each in found] == [7, 8, 9, 10]
    assert {each.request for each in found} == {state.request}
    assert {each.sampler for each in found} == {"DPMSolverMultistepScheduler"}


def test_the_same_pixels_with_other_settings_are_another_file(tmp_path: Path):
    store, image, spec = ContentStore(tmp_path), Image.new("RGB", (4, 4)), find_model("icons")
    files = [store.image(image, settings=settings_of(REQUEST, seed, spec)) for seed in (7, 8, 7)]
    assert files[0] == files[2] != files[1]
    assert [read_settings(file).seed for file in files[:2]] == [7, 8]


def test_another_revision_than_the_one_that_is_here_is_named():
    here = revision_of("icons")
    assert changed("icons", "0f0f0f0f") == (
        f"icons has changed since this was made (revision 0f0f0f0f then, {here} now): the same "
        "seeds give other images"
    )


@pytest.mark.parametrize(
    ("model", "revision"), [("icons", ""), ("icons", "unknown"), ("gone", "0f0f0f0f")]
)
def test_what_is_not_known_is_not_said(model: str, revision: str):
    assert changed(model, revision) == ""

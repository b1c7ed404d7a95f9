"""What is in a ZIP, and that a folder of the command line has the same."""

import io
import json
import zipfile
from dataclasses import replace

import pytest
from PIL import Image, ImageColor

from session.png_text import REPORT
from session.state import GridState
from tests.ui.conftest import APART, COLOURS, with_images
from ui.render.export.files import MADE, archive, documents, image_files

WRITTEN = {"report.html", "report.json", "scores.csv"}


@pytest.fixture
def state(state: GridState) -> GridState:
    """The same grid, no image like another."""
    return state.with_report(replace(state.report, similarity=APART))


def opened(state: GridState) -> zipfile.ZipFile:
    files = {**documents(state, state.report), **image_files(state)}
    return zipfile.ZipFile(io.BytesIO(archive(files)))


def test_everything_about_a_grid_is_in_one_archive(state: GridState):
    found = opened(state)
    assert found.testzip() is None
    assert {each.date_time for each in found.infolist()} == {MADE}
    assert {*found.namelist()} == WRITTEN | {f"cell-0{cell}.png" for cell in range(4)}
    with Image.open(io.BytesIO(found.read("cell-02.png"))) as saved:
        assert saved.convert("RGB").getcolors() == [(256, ImageColor.getrgb(COLOURS[2]))]
        assert json.loads(saved.text[REPORT])["cells"][0]["image"] == "cell-00.png"
    report = json.loads(found.read("report.json"))
    assert [cell["image"] for cell in report["cells"]] == [f"cell-0{c}.png" for c in range(4)]


def test_no_name_of_an_upload_is_a_name_in_the_archive(state: GridState):
    names = ("../../etc/passwd", "C:\\a.png", "report.json", "")
    found = opened(with_images(state, names=names))
    assert {*found.namelist()} == WRITTEN | {f"cell-0{cell}.png" for cell in range(4)}
    report = json.loads(found.read("report.json"))
    assert [cell["image"] for cell in report["cells"]] == [f"cell-0{c}.png" for c in range(4)]
    assert [cell["name"] for cell in report["cells"]] == [*names]


def test_a_filtered_image_is_left_out(state: GridState):
    found = opened(with_images(state, filtered=frozenset({1})))
    assert "cell-01.png" not in found.namelist()
    assert json.loads(found.read("report.json"))["cells"][1]["image"] is None

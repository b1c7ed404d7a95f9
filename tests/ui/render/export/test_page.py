"""The report as one file: everything in it, nothing from elsewhere, and no text that is markup."""

import base64
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from session.state import GridState
from session.viewer_utility import ViewingSettings, viewer_utility
from tests.ui.conftest import COLOURS, PROMPT, with_images, with_prompt
from tests.ui.reading import VOID, Element, read
from ui.render.export.page import LARGE, SMALL, report_page

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
VOID |= {"meta"}


@pytest.fixture
def page(state: GridState) -> str:
    return report_page(state, ViewingSettings(), None)


def body(page: str) -> Element:
    return read(page.partition("\n")[2]).one("main")


def test_verdict_grid_and_reasons_are_in_it_best_first(page: str):
    main = body(page)
    assert main.one("h1").text == PROMPT
    assert "2 of 4 images show everything" in main.one("p", "grid-verdict").text
    assert [cell.one("span", "rank").text for cell in main.all("li", "cell")] == [
        "#1",
        "#2",
        "#3",
        "#4",
    ]
    assert [each["id"] for each in main.all("article")] == ["cell-2", "cell-0", "cell-1", "cell-3"]
    assert [each["href"] for each in main.all("a")] == [f"#{e['id']}" for e in main.all("article")]
    assert "Asked what color the backpack is, the model says: pink." in main.all("article")[2].text


def test_without_a_calibration_the_file_says_why_it_has_neither_err_nor_rbp(state: GridState):
    alike = replace(state.report, similarity=((1.0,) * 4,) * 4)
    found = viewer_utility(alike, ViewingSettings(), lambda cells: (0.25,) * 4)
    said = body(report_page(state, ViewingSettings(), found)).one("section", "viewing").text
    assert "VQ2 has no calibration with these models and settings" in said


def test_images_are_in_the_file_and_nothing_else_is_asked_for(page: str, state: GridState):
    sources = re.findall(r'src="([^"]*)"', page)
    assert len(sources) == 2 * len(COLOURS)
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    best = base64.b64decode(sources[0].partition(",")[2])
    assert best == Path(state.file(2)).read_bytes()
    assert not re.search(r"https?:|<script|<link|@import|url\(", page)
    assert "default-src 'none'" in page


def test_a_large_image_is_made_smaller(state: GridState, tmp_path: Path):
    Image.effect_noise((600, 300), 80).save(tmp_path / "large.png")
    large = with_images(state, files=(str(tmp_path / "large.png"), *state.images.files[1:]))
    page = report_page(large, ViewingSettings(), None)
    found = re.findall(r"data:image/jpeg;base64,([^\"]*)", page)
    for content, side in zip(found, (SMALL, LARGE), strict=True):
        (tmp_path / "read.jpg").write_bytes(base64.b64decode(content))
        with Image.open(tmp_path / "read.jpg") as image:
            assert image.size == (side, side // 2)


def test_a_filtered_image_is_not_in_it(state: GridState):
    page = report_page(with_images(state, filtered=frozenset({2})), ViewingSettings(), None)
    assert len(re.findall(r'src="data:', page)) == 2 * (len(COLOURS) - 1)
    assert "filtered by the safety checker" in page


@pytest.mark.parametrize("given", [HOSTILE, "</style><style>*{display:none}", "&lt;b&gt;"])
def test_prompts_names_and_answers_stay_text(state: GridState, given: str):
    seen = tuple(
        replace(s, evidence=tuple(replace(e, seen=given) for e in s.evidence))
        for s in state.scores["vq2"]
    )
    report = replace(state.report, scores={**state.scores, "vq2": seen}, bundle=given)
    hostile = with_images(with_prompt(state, given), names=(given,) * 4).with_report(report)
    request = replace(hostile.request, bundle=given)
    page = report_page(replace(hostile, request=request), ViewingSettings(), None)
    main = body(page)
    assert main.one("h1").text == given
    assert main.all("article")[0].one("p", "seed").text.startswith(given[:12])
    assert not main.all("script")
    assert page.count("<style>") == page.count("</style>") == 1
    assert {img["src"][:5] for img in main.all("img")} == {"data:"}

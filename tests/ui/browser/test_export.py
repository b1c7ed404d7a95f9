"""A grid taken away as a ZIP: its report opens in a bare browser without a network."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.tiny_models import PROMPT
from tests.ui.browser.visitor import widths


@pytest.fixture
def folder(page: Page, tmp_path: Path) -> Path:
    """What is in the ZIP of the grid on show."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save all (ZIP)").first.click()
    with zipfile.ZipFile(download.value.path()) as zipped:
        zipped.extractall(tmp_path)
    return tmp_path


def test_the_report_of_a_zip_opens_from_the_disk_and_without_a_network(
    browser: Browser,
    page: Page,
    folder: Path,
):
    said = page.locator(".grid-verdict").inner_text()
    order = page.locator(".cell").evaluate_all("all => all.map(c => `#cell-${c.dataset.cell}`)")
    bare = browser.new_context(offline=True, java_script_enabled=True, color_scheme="dark")
    report, wrong = bare.new_page(), []
    report.on("console", lambda message: wrong.append(message.text))
    report.goto((folder / "report.html").as_uri())
    expect(report.get_by_role("heading", level=1)).to_have_text(PROMPT)
    expect(report.locator(".grid-verdict")).to_have_text(said)
    assert (
        report.locator(".cell a").evaluate_all("a => a.map(e => e.getAttribute('href'))") == order
    )
    assert widths(report, "img") == [32] * 18
    assert wrong == []
    assert [each["id"] for each in Axe().run(report).response["violations"]] == []
    bare.close()

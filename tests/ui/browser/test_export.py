"""A grid taken away as a ZIP: its report opens in a bare browser without a network."""

import base64
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from session.replay import Opened, open_saved
from tests.patience import PATIENCE
from tests.tiny_models import PROMPT
from tests.ui.browser.conftest import Window, opened
from tests.ui.browser.visitor import widths
from ui.saving import ONE_AT_A_TIME
from ui.tabs import playground

DROP = """(target, [name, content]) => {
  const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
  const files = new DataTransfer();
  files.items.add(new File([bytes], name));
  const drop = { dataTransfer: files, bubbles: true, cancelable: true };
  target.dispatchEvent(new DragEvent("dragover", drop));
  target.dispatchEvent(new DragEvent("drop", drop));
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """One page for all tests, which leave it as they find it; the last of them opens a file."""
    with opened(browser, address) as page:
        yield page


@pytest.fixture(scope="module")
def folder(page: Page, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in the ZIP of the grid on show."""
    folder = tmp_path_factory.mktemp("saved")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save all (ZIP)").first.click()
    with zipfile.ZipFile(download.value.path()) as zipped:
        zipped.extractall(folder)
    return folder


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


def test_the_status_line_says_that_a_file_is_being_made_and_opened(
    page: Page, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    line, goes_on = page.locator(".block.part-status").first, threading.Event()
    with page.expect_download(), ONE_AT_A_TIME:
        page.get_by_role("button", name="Save all (ZIP)").click()
        expect(line).to_contain_text("making the file")
    expect(line).to_contain_text("the file is ready")

    def slowly(*args: Any) -> Opened:
        assert goes_on.wait(PATIENCE)
        return open_saved(*args)

    monkeypatch.setattr(playground, "open_saved", slowly)
    page.locator(".opening input[type=file]").set_input_files(folder / "report.json")
    expect(line).to_contain_text("opening the file")
    goes_on.set()
    expect(line).to_contain_text("opened without images, and so without set metrics")
    expect(page.locator(".cell").get_by_label("not in the file that was opened")).to_have_count(9)


@pytest.mark.parametrize(
    ("where", "name", "count"), [("#prompt", "report.zip", 9), ("h1", "cell-00.png", 1)]
)
def test_a_file_that_is_dropped_anywhere_on_the_page_brings_its_images_and_answers(
    window: Window, folder: Path, where: str, name: str, count: int
):
    page = window(1300, 1000)
    expect(page.locator(".cell img")).to_have_count(9)
    with zipfile.ZipFile(folder / "report.zip", "w") as zipped:
        for each in folder.iterdir():
            if each.suffix != ".zip":
                zipped.write(each, each.name)
    content = base64.b64encode((folder / name).read_bytes()).decode()
    page.locator(where).evaluate(DROP, [name, content])
    expect(page.locator(".block.part-status").first).to_contain_text("opened as it was saved")
    expect(page.locator(".cell img")).to_have_count(count)
    expect(page.locator(".prompt-claims .claim").first).to_contain_text(f"/{count}")

"""The page of tiny models on a server, and a browser, for all tests of this folder."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

import app
from benchmarks.page import BROWSERS
from cli.generate import write_report
from request import Request
from session.state import GridState
from tests.patience import PATIENCE, wait_until
from tests.tiny_models import PROMPT
from tests.ui.serving import SERVED, served, tiny_app
from ui.server import Server

WRONG = 4
"""The cell of the worked example whose first answer fails."""

HERE = Path(__file__).parent

MARKS = [
    *SERVED,
    pytest.mark.flaky(reruns=1),  # on a busy machine a click may come before the page listens
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            for mark in MARKS:
                item.add_marker(mark)


def patient(opens: Callable[..., Any]) -> Callable[..., Any]:
    """The same, of what waits as long as it takes for what a visitor does."""

    def opened(**options: Any) -> Any:
        made = opens(**options)
        made.set_default_timeout(1000 * PATIENCE)
        return made

    return opened


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser here; looked for {', '.join(BROWSERS)}")
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for opening in ("new_page", "new_context"):
            setattr(browser, opening, patient(getattr(browser, opening)))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def started(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Server]]:
    """The app, started once, with one worked example."""
    folder = tmp_path_factory.mktemp("app")
    with tiny_app(folder):
        work_out(folder / "examples" / "backpack")
        with served(partial(app.build_page, None), folder / "visitors") as each:
            yield each


@pytest.fixture(scope="package")
def address(started: tuple[str, Server]) -> str:
    return started[0]


@pytest.fixture
def at_rest(started: tuple[str, Server]) -> Callable[[], None]:
    """Waits until no run is under way any more."""
    return lambda: wait_until(lambda: not started[1].runs.admitted)


def work_out(folder: Path) -> None:
    """An example by the tiny models, but for one answer: they have no idea what is wrong."""
    folder.mkdir(parents=True)
    write_report(GridState(Request(PROMPT, model="tiny", bundle="tiny")), folder)
    file = folder / "report.json"
    report = json.loads(file.read_text("utf-8"))
    cell = report["cells"][WRONG]
    cell["evidence"][0] |= {"probability": 0.04, "seen": "pink"}
    cell["scores"]["vq2"] = cell["relevance"]["vq2"] = 0.04
    file.write_text(json.dumps(report), "utf-8")


Window = Callable[..., Page]
"""Opens the page in a window: its width and height in pixels, the query of the address, and a
script that runs before those of the page."""


@pytest.fixture
def window(browser: Browser, address: str) -> Iterator[Window]:
    """Windows of the page, closed in the end."""
    pages: list[Page] = []

    def opened(width: int = 1280, height: int = 720, query: str = "", script: str = "") -> Page:
        pages.append(browser.new_page(viewport={"width": width, "height": height}))
        if script:
            pages[-1].add_init_script(script)
        pages[-1].goto(address + query)
        return pages[-1]

    yield opened
    for each in pages:
        each.close()


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """The page in a window of its own, with the worked example on it."""
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    page.goto(address)
    expect(page.locator(".cell")).to_have_count(9)
    yield page
    page.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address) as page:
        yield page

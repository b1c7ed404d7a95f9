"""The page for those who use a keyboard or listen to it: axe-core finds nothing on any tab."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.ui.test_browser import (  # fixtures
    address,  # noqa: F401
    ask,
    browser,  # noqa: F401
    page,  # noqa: F401
    pytestmark,  # noqa: F401
)

TABS = ("Playground", "Commonsense", "Your pictures", "About")


def violations(page: Page) -> list[str]:  # noqa: F811
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_tab(browser: Browser, address: str, theme: str):  # noqa: F811
    page = browser.new_page(viewport={"width": 1300, "height": 1000})  # noqa: F811
    page.goto(f"{address}?__theme={theme}")
    expect(page.locator(".cell")).to_have_count(9, timeout=20_000)
    for tab in TABS:
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(500)
        assert violations(page) == [], tab
    page.close()


def test_axe_finds_nothing_beside_a_mistake(page: Page):  # noqa: F811
    ask(page, " ")
    expect(page.locator(".block.part-status .mistake")).to_be_visible(timeout=20_000)
    assert violations(page) == []


def test_the_first_picture_is_two_keys_from_the_top(page: Page):  # noqa: F811
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".cell button").first).to_be_focused()


def test_escape_closes_help(page: Page):  # noqa: F811
    mark = page.locator(".help").first
    mark.focus()
    shown = "getComputedStyle(document.querySelector('.help'), '::after').content"
    assert page.evaluate(shown) != "none"
    page.keyboard.press("Escape")
    assert page.evaluate(shown) == "none"

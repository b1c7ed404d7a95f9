"""The page for fingers, keys and enlarged text: nothing is small, cut, unmarked or far."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.browser.conftest import Window, opened
from tests.ui.browser.layout import (
    CUT,
    SMALL,
    TABS,
    UNMARKED,
    open_tab,
    violations_in_both_themes,
)
from tests.ui.browser.visitor import unfold

DESKTOP, PHONE = (1300, 1000), (390, 844)
ENLARGED = {"200 %": (640, 360), "400 %": (320, 256)}
"""What is left of 1280 x 720 and of 1280 x 1024 pixels when everything is so much larger."""


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """One page for all tests, which leave it as they find it."""
    with opened(browser, address) as page:
        yield page


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def test_on_a_phone_every_target_has_24_pixels(page: Page):
    resize(page, PHONE)
    for tab in TABS:
        open_tab(page, tab)
        unfold(page)
        assert page.evaluate(SMALL) == [], tab


@pytest.mark.parametrize("size", ENLARGED.values(), ids=ENLARGED)
def test_enlarged_nothing_is_cut_and_the_page_does_not_scroll_sideways(
    page: Page, size: tuple[int, int]
):
    resize(page, size)
    for tab in TABS:
        open_tab(page, tab)
        unfold(page)
        assert page.evaluate("document.documentElement.scrollWidth") == size[0], tab
        assert page.evaluate(CUT) == [], tab


def test_on_a_desktop_every_tab_is_made_for_fingers_keys_and_those_who_listen(page: Page):
    """With an opened image."""
    resize(page, DESKTOP)
    open_tab(page, TABS[0])
    page.locator(".cell button").first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(page.locator(".block.part-reasons h2")).to_have_text("#9 of 9")
    page.locator(".figures summary").first.click()
    for tab in TABS:
        open_tab(page, tab)
        unfold(page)
        assert page.evaluate(SMALL) == [], tab
        assert violations_in_both_themes(page) == [], tab
        every_control_shows_that_it_has_the_focus(page)
        arrows_move_the_choice_in_every_group_of_options(page)


def every_control_shows_that_it_has_the_focus(page: Page) -> None:
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        page.keyboard.press("Tab")
        assert page.evaluate(UNMARKED) == []


def arrows_move_the_choice_in_every_group_of_options(page: Page) -> None:
    for group in page.locator("fieldset:visible").all():
        options = group.locator("input")
        chosen = options.evaluate_all("all => all.findIndex(each => each.checked)")
        other = chosen + 1 if chosen + 1 < options.count() else 0
        options.nth(chosen).press("ArrowRight")
        expect(options.nth(other)).to_be_checked()
        expect(options.nth(other)).to_be_focused()
        page.keyboard.press("ArrowLeft")
        expect(options.nth(chosen)).to_be_checked()


def test_a_stranger_reads_in_four_clicks_why_the_last_image_is_last(window: Window):
    """Without a click for a worked example; in four for a prompt of words that were clicked."""
    page = window(1300, 1000)
    reasons = page.locator(".block.part-reasons")
    expect(reasons.locator("h2")).to_have_text("#9 of 9")
    expect(reasons.locator(".why").first).to_be_in_viewport(ratio=1)
    page.locator("#prompt textarea").fill("a small black cat, a large dog and a")
    unfold(page)
    page.locator(".vocabulary summary").click()
    page.get_by_role("button", name="guitar", exact=True).click()
    page.locator(".vocabulary summary").click()
    page.get_by_role("button", name="Generate", exact=True).click()
    expect(page.locator(".block.part-status").first).to_contain_text("9 images in")
    expect(page.locator(".gallery")).to_have_attribute("aria-label", re.compile("dog and a guitar"))
    expect(reasons.locator("h2")).to_have_text("#9 of 9")
    expect(reasons.locator(".why").first).to_be_in_viewport(ratio=1)

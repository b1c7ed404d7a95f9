"""The presentation in a real browser: one screen, turned by the keyboard."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.ui.browser.layout import violations

SMALLEST = """() => Math.min(...[...document.querySelectorAll("dialog.presentation *")]
  .filter(each => each.offsetParent && each.innerText?.trim())
  .map(each => parseFloat(getComputedStyle(each).fontSize)))"""
SCROLLS = """() => { const shown = document.querySelector(".presentation .slide:not([hidden])");
  return shown.scrollHeight > shown.clientHeight || shown.scrollWidth > shown.clientWidth; }"""


def test_a_grid_is_presented_on_one_screen_and_turned_by_keys(browser: Browser, address: str):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{address}?present")
    shown = page.locator("dialog.presentation[open] .slide:not([hidden])")
    expect(shown).to_contain_text("9 pictures of this", timeout=20_000)
    slides = page.locator(".presentation .slide").count()
    for key in ("Space", "ArrowRight", "PageDown", "ArrowRight"):
        page.keyboard.press(key)
        assert page.evaluate(SMALLEST) >= 24
        assert not page.evaluate(SCROLLS)
    expect(page.locator(".presentation .at")).to_have_text(f"5 of {slides}")
    expect(shown).to_contain_text("of 9:")
    assert violations(page) == []
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".presentation .at")).to_have_text(f"4 of {slides}")
    page.keyboard.press("Escape")
    expect(page.locator("dialog.presentation")).to_be_hidden()
    page.locator("#present").click()
    expect(page.locator("dialog.presentation")).to_be_visible()
    page.close()


def test_the_tour_ends_with_the_pictures_of_a_pair_on_one_screen(browser: Browser, address: str):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{address}?present=tour")
    shown = page.locator("dialog.presentation[open] .slide:not([hidden])")
    expect(shown).to_contain_text("three papers", timeout=20_000)
    pairs = page.locator(".presentation .pair")
    expect(pairs).to_have_count(2)
    while not pairs.first.is_visible():
        page.keyboard.press("ArrowRight")
    source = shown.locator(".source").bounding_box()
    grid = pairs.first.bounding_box()
    assert source
    assert grid
    assert grid["y"] + grid["height"] <= source["y"]
    assert not page.evaluate(SCROLLS)
    page.close()

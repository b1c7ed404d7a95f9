"""The presentation in a real browser: one screen, turned by the keyboard."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.ui.browser.conftest import Window
from tests.ui.browser.layout import violations, violations_in_both_themes

SMALLEST = """() => Math.min(...[...document.querySelectorAll("dialog.presentation *")]
  .filter(each => each.offsetParent && each.innerText?.trim())
  .map(each => parseFloat(getComputedStyle(each).fontSize)))"""
SCROLLS = """() => { const shown = document.querySelector(".presentation .slide:not([hidden])");
  return shown.scrollHeight > shown.clientHeight || shown.scrollWidth > shown.clientWidth; }"""


def test_a_grid_is_presented_on_one_screen_and_turned_by_keys(window: Window):
    page = window(1280, 720, "?present")
    shown = page.locator("dialog.presentation[open] .slide:not([hidden])")
    expect(shown).to_contain_text("9 images of this")
    slides = page.locator(".presentation .slide").count()
    for key in ("Space", "ArrowRight"):
        page.keyboard.press(key)
        assert page.evaluate(SMALLEST) >= 24
        assert not page.evaluate(SCROLLS)
        expect(shown.locator("img").first).to_be_visible()
    expect(page.locator(".presentation .at")).to_have_text(f"3 of {slides}")
    expect(shown).to_contain_text("of 9:")
    half = shown.locator("img.large").bounding_box()
    assert half["width"] >= 0.4 * 1280
    assert half["height"] >= 0.7 * 720
    assert violations(page) == []
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".presentation .at")).to_have_text(f"3 of {slides}")
    for _ in range(slides):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".presentation .at")).to_have_text(f"{slides} of {slides}")
    expect(page.locator('[data-turn="1"]')).to_be_disabled()
    expect(page.locator('[data-turn="-1"]')).to_be_enabled()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.presentation")).to_be_hidden()
    expect(page.locator(".evidence .why").first).to_be_visible()
    page.locator("#present").click()
    expect(page.locator("dialog.presentation")).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_every_slide_has_an_image_fits_the_screen_and_axe_finds_nothing(
    window: Window, size: tuple[int, int]
):
    page = window(*size, "?present=tour")
    shown = page.locator("dialog.presentation[open] .slide:not([hidden])")
    expect(shown).to_contain_text("three papers")
    slides = page.locator("dialog.presentation[open] .slide").count()
    for number in range(1, slides + 1):
        expect(page.locator(".presentation .at")).to_have_text(f"{number} of {slides}")
        expect(shown.locator("img").first).to_be_visible()
        assert page.evaluate(SMALLEST) >= 24
        assert not page.evaluate(SCROLLS)
        assert violations(page) == []
        page.keyboard.press("ArrowRight")


def test_the_tour_ends_with_the_images_of_a_pair_on_one_screen(window: Window):
    page = window(1280, 720, "?present=tour")
    shown = page.locator("dialog.presentation[open] .slide:not([hidden])")
    expect(shown).to_contain_text("three papers")
    pairs = page.locator(".presentation .slide:has-text('With what they imply written out') .pair")
    expect(pairs).to_have_count(1)
    while not pairs.first.is_visible():
        page.keyboard.press("ArrowRight")
    assert violations_in_both_themes(page) == []
    source = shown.locator(".source").bounding_box()
    grid = pairs.first.bounding_box()
    assert grid["y"] + grid["height"] <= source["y"]
    assert not page.evaluate(SCROLLS)


def ask_for_the_tour(page: Page) -> list[Route]:
    """Press the button; the answer of the server is held."""
    expect(page.locator(".cell")).to_have_count(9)
    held = hold(page)
    page.locator("#tour").click()
    return held


def hold(page: Page) -> list[Route]:
    """Holds what the page asks of the server from now on, until it is answered."""
    held = list[Route]()

    def keep(route: Route) -> None:
        held.append(route)

    page.route("**/gradio_api/**", keep)
    return held


def answer(page: Page, held: list[Route]) -> None:
    for each in held:
        each.continue_()
    page.unroute("**/gradio_api/**")


def test_the_tour_opens_at_once_and_says_that_it_is_being_prepared(window: Window):
    page = window()
    held = ask_for_the_tour(page)
    shown = page.locator("dialog.presentation[open]")
    expect(shown).to_contain_text("the tour is being prepared")
    assert page.evaluate(SMALLEST) >= 24
    assert violations(page) == []
    assert held
    answer(page, held)
    expect(shown).to_contain_text("three papers")
    expect(page.locator(".presentation.preparing")).to_have_count(0)
    page.keyboard.press("Space")
    expect(page.locator(".presentation .at")).to_contain_text("2 of")


def test_a_tour_that_is_closed_while_it_is_prepared_does_not_open_but_the_next_one_does(
    window: Window,
):
    page = window()
    held = ask_for_the_tour(page)
    expect(page.locator("dialog.presentation[open]")).to_contain_text("being prepared")
    page.keyboard.press("Escape")
    answer(page, held)
    expect(page.locator("dialog.presentation:not(.preparing)")).to_have_count(1)
    expect(page.locator("dialog.presentation[open]")).to_have_count(0)
    page.locator("#tour").click()
    expect(page.locator("dialog.presentation[open]")).to_contain_text("three papers")

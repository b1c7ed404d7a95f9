"""The page for those who use a keyboard or listen to it: axe-core finds nothing on any tab."""

from playwright.sync_api import Page, expect

from tests.ui.browser.conftest import Window
from tests.ui.browser.layout import violations_in_both_themes
from tests.ui.browser.visitor import ask, choose


def test_axe_finds_nothing_beside_a_fresh_result_a_mistake_and_words_that_are_offered(page: Page):
    ask(page, "a black apple and a green backpack")
    expect(page.locator(".block.part-status")).to_contain_text("4 images in")
    expect(page.locator(".cell .rank", has_text="#1")).to_be_visible()
    assert violations_in_both_themes(page) == []
    ask(page, " ")
    expect(page.locator(".block.part-status .mistake")).to_be_visible()
    assert violations_in_both_themes(page) == []
    choose(page, "text-to-image model", "icons")
    page.locator("#prompt textarea").fill("a baloon and a lamp")
    for word in ("balloon", "candle"):
        expect(
            page.locator(".warning").get_by_role("button", name=word, exact=True)
        ).to_be_visible()
    assert violations_in_both_themes(page) == []


def test_36_images_fit_a_narrow_phone(window: Window):
    page = window(360, 740)
    ask(page, "a black apple and a green backpack", size="6 x 6")
    expect(page.locator(".block.part-status")).to_contain_text("36 images in")
    expect(page.locator(".cell .rank", has_text="#36")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    sizes = page.locator(".cell button").evaluate_all(
        "all => all.map(each => Math.min(each.offsetWidth, each.offsetHeight))"
    )
    assert min(sizes) >= 24
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth).map(e => e.innerText)"
    assert page.locator(".cell .caption").evaluate_all(cut) == []


def test_the_first_image_is_two_keys_from_the_top_and_escape_closes_help(window: Window):
    page = window(1300, 1000, "?tab=playground")  # a link leaves the focus where a page begins
    expect(page.locator(".cell")).to_have_count(9)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".cell button").first).to_be_focused()
    page.locator(".figures summary").first.click()
    mark = page.locator(".figures .help").first
    mark.focus()
    shown = "getComputedStyle(document.querySelector('.figures .help'), '::after').content"
    assert page.evaluate(shown) != "none"
    page.keyboard.press("Escape")
    assert page.evaluate(shown) == "none"

"""The prompt as a row of buttons: pointing at words dims the images without them."""

from playwright.sync_api import Browser, Locator, Page, expect

from tests.tiny_models import PROMPT
from tests.ui.browser.conftest import WRONG, Window
from tests.ui.browser.visitor import ask, image

DIM = 0.5
"""An opacity below it is dim."""


def dimmed(page: Page) -> list[int]:
    """The cells that are dimmed, once nothing fades any more."""
    page.evaluate("Promise.all(document.getAnimations().map(each => each.finished))")
    return page.locator(".cell").evaluate_all(
        f"all => all.filter(e => getComputedStyle(e).opacity < {DIM})"
        ".map(e => Number(e.dataset.cell))"
    )


def claims(page: Page) -> Locator:
    return page.locator(".prompt-claims .claim")


def without(claim: Locator) -> list[int]:
    """The cells of the worked example that surely do not show some words."""
    shows = {*map(int, (claim.get_attribute("data-cells") or "").split())}
    return [cell for cell in range(9) if cell not in shows]


def failing(page: Page) -> Locator:
    """The first words that the wrong image of the worked example does not show."""
    expect(page.locator(".cell img")).to_have_count(9)
    return next(each for each in claims(page).all() if WRONG in without(each))


def test_the_mouse_on_words_dims_the_images_without_them_and_raises_the_others(window: Window):
    page = window(1366, 768)
    lost = without(failing(page))
    failing(page).hover()
    assert sorted(dimmed(page)) == lost
    raised = "all => all.map(e => getComputedStyle(e).transform !== 'none')"
    assert page.locator(".cell.shows").evaluate_all(raised) == [True] * (9 - len(lost))
    page.mouse.move(0, 0)
    assert dimmed(page) == []


def test_arrows_walk_through_the_words_and_a_key_keeps_them_pointed_at(window: Window):
    page = window(1366, 768)
    words = failing(page)
    for each in claims(page).all():
        assert "of 9 images" in (each.get_attribute("aria-label") or "")
    claims(page).first.focus()
    for each in claims(page).all():
        expect(each).to_be_focused()
        assert sorted(dimmed(page)) == without(each)
        page.keyboard.press("ArrowRight")
    words.focus()
    page.keyboard.press("Enter")
    page.locator("h1").click()
    assert sorted(dimmed(page)) == without(words)
    other = next(each for each in claims(page).all() if without(each) != without(words))
    other.hover()
    page.evaluate("new Promise((later) => setTimeout(later, 100))")
    assert sorted(dimmed(page)) == without(other)
    words.click()
    page.locator("h1").hover()
    assert dimmed(page) == []


def test_a_tap_points_at_words_and_a_second_tap_lets_go(browser: Browser, address: str):
    phone = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = phone.new_page()
    page.goto(address)
    expect(page.locator(".cell img")).to_have_count(9)
    words = failing(page)
    words.tap()
    assert sorted(dimmed(page)) == without(words)
    words.tap()
    assert dimmed(page) == []
    phone.close()


def test_what_is_pointed_at_stays_so_while_the_counts_of_new_images_grow(window: Window):
    page = window(1366, 768)
    ask(page, PROMPT)
    expect(page.locator(".block.part-status")).to_contain_text("4 images in")
    expect(claims(page).first).to_contain_text("/4")
    claims(page).first.focus()
    page.keyboard.press("Enter")
    old = image(page, "0") or ""
    page.locator(".ask button.primary").first.evaluate("button => button.click()")
    expect(page.locator('.cell[data-cell="0"] img')).not_to_have_attribute("src", old)
    expect(page.locator(".block.part-status")).to_contain_text("4 images in")
    expect(page.locator(".cell .rank", has_text="#4")).to_be_visible()
    expect(claims(page).first).to_be_focused()
    expect(claims(page).first).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".gallery.pointing")).to_have_count(1)


def test_words_that_are_drawn_anew_keep_the_focus_unless_it_was_left(window: Window):
    page = window(1366, 768)
    words = failing(page)
    draw_anew = "row => { row.outerHTML = row.outerHTML }"
    words.focus()
    page.locator(".prompt-claims").evaluate(draw_anew)
    expect(words).to_be_focused()
    words.evaluate("words => words.blur()")
    page.locator(".prompt-claims").evaluate(draw_anew)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(words).not_to_be_focused()

"""A search in a real browser, by the embedded models: found, opened, put in the grid."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.ui.browser.conftest import Window
from tests.ui.browser.layout import violations
from tests.ui.browser.visitor import choose

LINK = (
    "prompt=three+apples+and+a+cake+at+night&grid=1x1&seed=211&model=stickers&completion=no"
    "&bundle=embedded"
)
"""Its image lacks an apple; those of most other seeds do not."""
NEVER_RIGHT = LINK.replace("three+apples+and+a+cake+at+night", "two+apples,+two+cakes+and+two+cats")
"""Sixteen attempts, repairs and others, are all wrong."""


def test_an_image_that_is_right_is_found_and_put_in_the_grid(
    window: Window, at_rest: Callable[[], None]
):
    page = generate(window)
    page.get_by_role("button", name="Find one that is right").click()
    search = page.get_by_role("region", name="Search")
    expect(search.locator("h2")).to_have_text(re.compile(r"Attempt \d+ shows everything\."))
    expect(page.locator(".part-status .doing")).to_contain_text(re.compile(r"\d attempts? in "))
    expect(search.locator(".spent")).to_contain_text("of the budget")
    expect(page.locator("[aria-live=polite]", has_text="shows everything")).to_have_count(1)
    assert violations(page) == []
    for width, height in ((1366, 768), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    search.get_by_role("button", name="Put it in the grid").locator("visible=true").click()
    expect(page.locator(".cell .verdict")).to_contain_text("all")
    expect(page.get_by_role("button", name=re.compile("Take seed .* back"))).to_be_visible()
    at_rest()


def test_an_image_is_repaired_from_itself_and_each_attempt_opens_by_key(
    window: Window, at_rest: Callable[[], None]
):
    page = generate(window)
    at_rest()  # the end of a job shows the worst image anew
    page.locator(".cell").click()
    page.get_by_role("button", name="Repair", exact=True).click()
    search = page.get_by_role("region", name="Search")
    attempts = search.locator(".attempt button")
    expect(attempts.nth(1)).to_be_visible()
    expect(attempts.first).to_contain_text("as generated")
    expect(attempts.nth(1)).to_contain_text("repair:")
    expect(page.get_by_role("button", name="Generate", exact=True)).to_be_visible()
    at_rest()
    page.reload()
    expect(attempts.nth(1)).to_contain_text("repair:")
    attempts.first.focus()
    page.keyboard.press("ArrowRight")
    expect(attempts.nth(1)).to_have_attribute("aria-expanded", "true")
    opened = search.locator(".opened").locator("visible=true")
    expect(opened).to_contain_text("Attempt 2: repair")
    slider = opened.get_by_role("slider", name="before (attempt 1) and after")
    slider.focus()
    page.keyboard.press("End")
    assert opened.locator(".compared").get_attribute("style") == "--cut: 100%;"
    opened.get_by_role("button", name="Put it in the grid").click()
    expect(page.get_by_role("button", name="Take seed 211 back")).to_be_visible()
    expect(page.get_by_role("button", name="Repair", exact=True)).to_be_visible()
    assert "again=0%3A211.repair.2" in page.url
    expect(attempts.first).not_to_be_visible()
    search.locator("summary").click()
    expect(opened).to_contain_text("Attempt 2: repair")
    expect(opened.get_by_role("button", name="Put it in the grid")).to_have_count(0)
    page.get_by_role("button", name="Take seed 211 back").click()
    expect(opened.get_by_role("button", name="Put it in the grid")).to_be_visible()


def test_a_stopped_search_keeps_its_attempts(window: Window, at_rest: Callable[[], None]):
    page = generate(window, NEVER_RIGHT, "cats")
    at_rest()
    page.locator(".cell").click()
    page.get_by_role("button", name="Repair", exact=True).click()
    attempts = page.locator(".attempt button")
    expect(attempts.first).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".part-status .doing")).to_contain_text("stopped")
    at_rest()
    expect(attempts.first).to_be_visible()
    page.locator(".examples a").first.click()
    expect(attempts).to_have_count(0)


def generate(window: Window, link: str = LINK, missing: str = "three") -> Page:
    """The page with the image of a link, which lacks something."""
    page = window(1300, 1000, f"?{link}")
    expect(page.locator(".cell")).to_have_count(1)
    expect(page.locator(".cell .verdict")).to_contain_text(missing)
    return page


QUESTION = "Contrast check"


def test_the_prompt_is_contradicted_and_the_scores_stand_beside_its_own(
    page: Page, at_rest: Callable[[], None]
) -> None:
    """By the embedded models, about an image that the tiny text-to-image model made."""
    choose(page, "text-to-image model", "tiny")
    choose(page, "evaluators", "embedded")
    choose(page, "grid", "1 x 2")
    page.locator("#prompt textarea").fill("two yellow balloons")
    page.get_by_role("button", name="Generate").click()
    expect(page.locator(".part-status .doing")).to_contain_text("2 images in")
    page.get_by_role("button", name=QUESTION).click()
    answer = page.get_by_role("region", name=QUESTION)
    expect(answer.locator("tbody tr").first).to_contain_text("two yellow balloons")
    expect(answer.locator(".why")).to_contain_text(
        re.compile(r"VQ2 \d of [1-6], VNLI \d of [1-6] and CLIP \d of [1-6]")
    )
    expect(page.locator(".part-status .doing")).to_contain_text(re.compile("contradictions? in "))
    another_grid_cancels_a_check_that_is_under_way(page, at_rest)


def another_grid_cancels_a_check_that_is_under_way(page: Page, at_rest: Callable[[], None]) -> None:
    said = page.locator(".part-status .doing")
    page.get_by_role("button", name=QUESTION).click()
    expect(said).to_contain_text(re.compile("contradicting|under contradictions"))
    page.locator(".examples a").first.click()
    expect(page.locator(".cell")).to_have_count(9)
    at_rest()
    page.wait_for_timeout(500)  # for an answer that would come all the same
    expect(page.get_by_role("region", name=QUESTION)).to_have_count(0)
    expect(said).to_have_text("a worked example")
    expect(page.get_by_role("button", name="Generate", exact=True)).to_be_enabled()

"""Two prompts in a real browser: the matrix fills, the verdict says why."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.browser.layout import violations_in_both_themes
from tests.ui.browser.visitor import choose, widths


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """One page for all tests; the first of them finds it as a visitor does."""
    page = browser.new_page(viewport={"width": 1300, "height": 1100})
    page.goto(address)
    page.get_by_role("tab", name="Commonsense").click()
    expect(page.get_by_label("first prompt", exact=True)).to_be_visible()
    yield page
    page.close()


def compare(page: Page, pipeline: str = "tiny") -> None:
    """Ask the tiny models for one image of each prompt."""
    tab = page.get_by_role("tabpanel")
    for label, value in (("text-to-image model", pipeline), ("evaluators", "tiny")):
        choose(tab, label, value)
    page.get_by_label("images each").fill("1")
    tab.get_by_text("CLIP", exact=True).click()
    page.get_by_role("button", name="Compare").click()


def test_the_tab_opens_with_a_finished_pair_and_an_example_of_each_kind_fills_the_fields(
    page: Page,
) -> None:
    expect(page.get_by_label("first prompt", exact=True)).to_have_value("a rose on the grass")
    assert len(widths(page, ".pair-image img")) == 6
    expect(page.locator(".pair-verdict")).to_have_text(
        '3 of 3 images of "a rose in the snow" show "a fresh rose" instead of "a wilted rose".'
    )
    warning = page.get_by_role("tabpanel").locator(".warning")
    expect(warning.locator("visible=true")).to_have_count(0)
    assert violations_in_both_themes(page) == []
    chips = page.locator(".chips .chip").locator("visible=true")
    kinds = ["daily items", "physical laws", "human practices"]
    kinds += ["biological laws", "animal behaviors"]
    expect(chips).to_have_text(["the stored pair", *kinds, "say it outright"])
    page.get_by_role("button", name="physical laws").click()
    first, second = (
        page.get_by_label("first prompt", exact=True),
        page.get_by_label("the second should show"),
    )
    expect(first).to_have_value("A candle after a gust of wind blew past")
    expect(second).to_have_value("a lit candle")
    expect(warning.first).to_contain_text('Not known here: "after", "gust"')
    expect(page.locator(".pair-image .waiting")).to_have_count(6)
    expect(page.locator(".fit-matrix thead th").last).to_have_text("a lit candle")
    expect(page.locator(".status").locator("visible=true")).to_contain_text("nothing is generated")
    page.get_by_role("button", name="the stored pair").click()
    expect(first).to_have_value("a rose on the grass")
    expect(page.locator(".pair-image img")).to_have_count(6)
    page.get_by_role("button", name="say it outright").click()
    expect(first).to_have_value(page.get_by_label("the first should show").input_value())
    expect(page.get_by_label("second prompt", exact=True)).to_have_value(second.input_value())
    expect(page.locator(".pair-image .waiting")).to_have_count(6)


def test_a_mistake_is_a_sentence(page: Page) -> None:
    mistake = page.locator(".status.mistake").locator("visible=true")
    page.get_by_label("the second should show").fill("")
    compare(page)
    expect(mistake).to_contain_text("The second description is empty; write both descriptions")
    assert violations_in_both_themes(page) == []


def test_an_example_takes_the_place_of_pairs_under_way(
    page: Page, at_rest: Callable[[], None]
) -> None:
    page.get_by_role("button", name="daily items").click()
    expect(page.get_by_label("the second should show")).not_to_have_value("")
    compare(page, pipeline="slow")
    status = page.locator(".status").locator("visible=true")
    expect(status).to_contain_text("generating")
    page.get_by_role("button", name="physical laws").click()
    expect(status).to_contain_text("nothing is generated")
    expect(page.get_by_role("button", name="Stop").locator("visible=true")).to_have_count(0)
    at_rest()
    expect(page.get_by_label("first prompt", exact=True)).to_have_value(
        "A candle after a gust of wind blew past"
    )
    expect(status).to_contain_text("nothing is generated")
    assert page.locator(".pair-image .waiting").count() > 0

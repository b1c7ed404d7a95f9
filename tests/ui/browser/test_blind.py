"""Votes of the blind mode in a real browser: a reload loses none, a button all."""

from __future__ import annotations

import json

from playwright.sync_api import Browser, Page, expect

from tests.ui.browser.layout import violations_in_both_themes
from tests.ui.browser.visitor import choose

VOTES = "localStorage.getItem('which-picture-is-right:votes')"


def compare_blindly(page: Page, prompt: str = "a black apple and a green backpack") -> None:
    page.get_by_role("tab", name="Compare").click()
    tab = page.get_by_role("tabpanel").filter(visible=True)
    for letter in "AB":
        choose(tab, f"{letter}: text-to-image model", "tiny")
        choose(tab, f"{letter}: evaluators", "tiny")
    page.get_by_label("B: seed", exact=True).fill("9")
    page.get_by_label("prompts, one a line").fill(prompt)
    choose(tab, "each grid", "1 x 1")
    page.get_by_label("blind: judge the grids").check()
    page.get_by_role("button", name="Compare these").click()
    expect(page.locator(".ballot img")).to_have_count(2, timeout=120_000)


def test_votes_outlive_a_reload_until_they_are_forgotten(
    browser: Browser,
    address: str,
):
    page = browser.new_page(viewport={"width": 1300, "height": 1100})
    page.goto(address)
    compare_blindly(page)
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Left much better").click()
    expect(page.locator(".ballot-done")).to_contain_text("You have judged every prompt")
    (vote,) = json.loads(page.evaluate(VOTES))
    assert abs(vote["preference"]) == 2
    page.reload()
    expect(page.get_by_text("You have judged every prompt")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("1 vote of yours kept by this browser")).to_be_visible()
    page.get_by_role("button", name="Reveal the columns").click()
    expect(page.locator(".revealed")).to_contain_text("1 vote so far")
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Forget my votes").click()
    expect(page.get_by_text("You have not judged any prompt.")).to_be_visible()
    assert page.evaluate(VOTES) is None
    page.close()


def kept(page: Page) -> list[dict[str, object]]:
    votes: list[dict[str, object]] = json.loads(page.evaluate(VOTES) or "[]")
    return votes


def test_votes_of_two_windows_of_one_browser_are_kept_together_and_forgotten_together(
    browser: Browser,
    address: str,
):
    context = browser.new_context(viewport={"width": 1300, "height": 1100})
    first, second = context.new_page(), context.new_page()
    for page, prompt in ((first, "a black apple"), (second, "a green backpack")):
        page.goto(address)
        compare_blindly(page, prompt)
    first.get_by_role("button", name="Left much better").click()
    expect(first.locator(".ballot-done")).to_be_visible()
    expect(second.get_by_text("1 vote of yours kept by this browser")).to_be_visible()
    second.get_by_role("button", name="Right better").click()
    expect(second.get_by_text("2 votes of yours kept by this browser")).to_be_visible()
    expect(first.get_by_text("2 votes of yours kept by this browser")).to_be_visible()
    assert {abs(int(str(vote["preference"]))) for vote in kept(first)} == {1, 2}

    later = context.new_page()  # where nothing is compared, and nothing revealed
    later.goto(f"{address}?tab=compare")
    later.get_by_role("button", name="Forget my votes").click()
    expect(later.get_by_role("button", name="Forget my votes")).to_be_hidden()
    assert kept(later) == []
    for page in (first, second):
        expect(page.get_by_text("kept by this browser")).to_be_hidden()
        expect(page.locator(".ballot img")).to_have_count(2)
    context.close()


def test_the_page_says_which_votes_the_downloaded_grids_are_of(browser: Browser, address: str):
    page = browser.new_page(viewport={"width": 1300, "height": 1100})
    page.goto(address)
    compare_blindly(page)
    page.get_by_role("button", name="Left much better").click()
    page.get_by_label("prompts, one a line").fill("a red balloon")
    page.get_by_role("button", name="Compare these").click()
    expect(page.locator(".ballot h2")).to_have_text("a red balloon", timeout=120_000)
    page.get_by_role("button", name="Alike").click()
    page.get_by_role("button", name="Reveal the columns").click()
    expect(page.locator(".block.part-exported")).to_contain_text(
        "preferences.csv has the 2 votes that this browser keeps. grids.csv has the grids of this "
        "comparison: 1 vote is about them."
    )
    page.close()

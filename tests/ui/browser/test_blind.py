"""Votes of the blind mode in a real browser: a reload loses none, a button all."""

from __future__ import annotations

import json

from playwright.sync_api import Browser, Page, expect

from tests.ui.browser.visitor import choose

VOTES = "localStorage.getItem('which-picture-is-right:votes')"


def compare_blindly(page: Page) -> None:
    page.get_by_role("tab", name="Compare").click()
    tab = page.get_by_role("tabpanel").filter(visible=True)
    for letter in "AB":
        choose(tab, f"{letter}: text-to-image model", "tiny")
        choose(tab, f"{letter}: evaluators", "tiny")
    page.get_by_label("B: seed", exact=True).fill("9")
    page.get_by_label("prompts, one a line").fill("a black apple and a green backpack")
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
    page.get_by_role("button", name="Left much better").click()
    expect(page.locator(".ballot-done")).to_contain_text("You have judged every prompt")
    (vote,) = json.loads(page.evaluate(VOTES))
    assert abs(vote["preference"]) == 2
    page.reload()
    compare_blindly(page)
    page.get_by_role("button", name="Reveal the columns").click()
    expect(page.locator(".revealed")).to_contain_text("1 vote so far")
    page.get_by_role("button", name="Forget my votes").click()
    expect(page.get_by_text("You have not judged any prompt.")).to_be_visible()
    assert page.evaluate(VOTES) == "[]"
    page.close()

"""The tab Compare in a real browser: its table comes into view and can be saved without a vote."""

from __future__ import annotations

import csv
import json

from playwright.sync_api import Browser, expect

from tests.ui.browser.layout import violations_in_both_themes
from tests.ui.browser.visitor import choose


def test_a_comparison_comes_into_view_and_is_saved_as_table_and_json_without_a_vote(
    browser: Browser, address: str
):
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.goto(f"{address}?tab=compare")
    tab = page.get_by_role("tabpanel").filter(visible=True)
    for letter in "AB":
        choose(tab, f"{letter}: text-to-image model", "tiny")
        choose(tab, f"{letter}: evaluators", "tiny")
        expect(page.get_by_label(f"{letter}: guidance")).to_have_attribute("placeholder", "3")
    page.get_by_label("B: wording").fill("{prompt} at night")
    page.get_by_label("B: steps").fill("2")
    page.get_by_label("prompts, one a line").fill("a black apple and a green backpack")
    choose(tab, "each grid", "1 x 1")
    page.get_by_role("button", name="Compare these").click()
    expect(page.locator(".comparison [data-picture]")).to_have_count(2)
    page.wait_for_function(
        "document.querySelector('.comparison').getBoundingClientRect().top < innerHeight / 4"
    )
    expect(page.locator(".comparison thead").first).to_contain_text("steps 2")
    assert violations_in_both_themes(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Download comparison.csv").click()
    rows = [*csv.DictReader(download.value.path().read_text("utf-8").splitlines())]
    assert [(row["column"], row["prompt"]) for row in rows] == [
        ("A", "a black apple and a green backpack"),
        ("B", "a black apple and a green backpack"),
    ]
    with page.expect_download() as download:
        page.get_by_role("button", name="Download comparison.json").click()
    found = json.loads(download.value.path().read_text("utf-8"))
    assert [each["steps"] for each in found["systems"]] == [None, 2]
    expect(tab.get_by_role("button", name="Copy link")).to_be_visible()
    page.close()

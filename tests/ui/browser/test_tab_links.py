"""The address of every tab in a real browser: reload, Back and a sent link give the same page."""

import csv
import json
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.tiny_models import PROMPT
from tests.ui.browser.conftest import Window
from tests.ui.browser.layout import violations_in_both_themes
from tests.ui.browser.visitor import choose, fill_columns, unfold, widths


def opened(window: Window, tab: str) -> tuple[Page, Locator]:
    page = window(1300, 1100)
    page.get_by_role("tab", name=tab).click()
    return page, page.get_by_role("tabpanel").filter(visible=True)


def query_of(link: str) -> str:
    return f"?{urlsplit(link).query}"


def sources(images: Locator) -> list[str | None]:
    """The names of images, which are the hashes of their content."""
    return [each.get_attribute("src") for each in images.all()]


def expect_compared(page: Page, grids: int) -> None:
    said = page.locator(".status").filter(visible=True)
    expect(said).to_contain_text(f"{grids} grids in")
    expect(page.locator(".small-grid")).to_have_count(grids)


def test_a_comparison_is_in_the_address_and_comes_back_by_reload_back_and_a_sent_link(
    window: Window,
):
    page, tab = opened(window, "Compare")
    fill_columns(tab)
    tab.get_by_label("B: seed", exact=True).fill("9")
    tab.get_by_label("B: wording").fill("{prompt} at night")
    tab.get_by_label("prompts, one per line").fill(f"{PROMPT}\na red balloon")
    tab.get_by_label("CLIP", exact=True).click()
    choose(tab, "each grid", "1 x 1")
    tab.get_by_role("button", name="Compare these").click()
    expect_compared(page, 4)
    expect(page).to_have_url(re.compile(r"tab=compare.*compare\.b\.seed=9"))
    made, first = sources(page.locator(".small-grid img")), page.url

    tab.get_by_label("3", exact=True).click()
    fill_columns(tab, "C")
    tab.get_by_label("C: seed", exact=True).fill("11")
    tab.get_by_label("prompts, one per line").fill(PROMPT)
    tab.get_by_role("button", name="Compare these").click()
    expect_compared(page, 3)
    expect(page).to_have_url(re.compile(r"compare\.columns=3"))

    page.go_back()
    expect(page.locator(".small-grid")).to_have_count(4)
    assert page.url == first
    assert sources(page.locator(".small-grid img")) == made
    expect(tab.get_by_label("C: seed", exact=True)).to_be_hidden()
    page.reload()
    expect(page.locator(".small-grid")).to_have_count(4)
    assert sources(page.locator(".small-grid img")) == made

    fresh = window(1300, 1100, query_of(first))
    expect(fresh.locator(".small-grid")).to_have_count(4)
    assert sources(fresh.locator(".small-grid img")) == made
    expect(fresh.get_by_label("B: wording")).to_have_value("{prompt} at night")
    expect(fresh.get_by_label("prompts, one per line")).to_have_value(f"{PROMPT}\na red balloon")


def test_a_link_to_a_comparison_that_is_not_kept_makes_it_and_a_wrong_one_says_what_is_wrong(
    window: Window, address: str
):
    columns = "&".join(
        f"compare.{letter}.{name}={value}"
        for letter, seed in (("a", 3), ("b", 4))
        for name, value in (("model", "tiny"), ("bundle", "tiny"), ("seed", seed))
    )
    query = f"tab=compare&compare.prompts=an+owl&compare.grid=1x1&{columns}"
    page = window(1300, 1100, f"?{query}")
    expect_compared(page, 2)
    assert page.url.endswith(query)
    page.goto(f"{address}?{query}&compare.rank=taste")
    said = page.get_by_text('"compare.rank" is "taste" in this link; it can be one of vq2')
    expect(said).to_be_visible()
    expect(page.locator(".small-grid")).to_have_count(0)


def test_an_outdated_answer_that_comes_last_does_not_stay(window: Window):
    """A followed link sets five fields at once, of which the first requests do not know all."""
    page, tab = opened(window, "Commonsense")
    held: list[Route] = []

    def hold_outdated(route: Route) -> None:
        outdated = '"data":[1,107,"vnli"' in (route.request.post_data or "")
        held.append(route) if outdated else route.continue_()

    page.route("**/gradio_api/run/**", hold_outdated)
    asked = "first=a+lamp&second=a+candle&judge=clip&pictures=1&seed=107&model=tiny&bundle=tiny"
    query = "?tab=commonsense&made=no&" + asked
    follow = "query => { history.pushState({}, '', query); dispatchEvent(new Event('popstate')) }"
    page.evaluate(follow, re.sub(r"&", "&commonsense.", query))
    said = "More: 1 image each by tiny, seed 107, evaluated by CLIP (tiny)"
    line = tab.get_by_role("button", name=said)
    expect(line).to_be_visible()
    assert held
    for route in held:
        route.continue_()
        page.wait_for_timeout(300)  # until it is answered, and the answer drawn
    expect(line).to_be_visible()


def test_a_prompt_pair_is_in_the_address_with_its_images_or_without(
    window: Window,
):
    page, tab = opened(window, "Commonsense")
    page.get_by_role("button", name="physical laws").click()
    expect(page).to_have_url(re.compile(r"commonsense\.made=no"))
    for label, value in (("text-to-image model", "tiny"), ("evaluators", "tiny")):
        choose(tab, label, value)
    tab.get_by_label("images each").fill("1")
    tab.get_by_label("first prompt", exact=True).fill("a lamp in daylight")
    tab.get_by_text("CLIP", exact=True).click()
    tab.get_by_role("button", name="Compare", exact=True).click()
    status = page.locator(".status").filter(visible=True)
    expect(status).to_contain_text("done in")
    images = page.locator(".part-pairs img")
    made = sources(images)
    assert len(made) == 2
    two_prompts_have_become_images_a_matrix_and_a_verdict(page)
    link = page.url

    page.go_back()
    expect(tab.get_by_label("first prompt", exact=True)).not_to_have_value("a lamp in daylight")
    expect(images).to_have_count(0)
    page.go_forward()
    expect(images).to_have_count(2)
    assert sources(images) == made

    fresh = window(1300, 1100, query_of(link))
    expect(fresh.locator(".part-pairs img")).to_have_count(2)
    assert sources(fresh.locator(".part-pairs img")) == made
    expect(fresh.get_by_label("first prompt", exact=True)).to_have_value("a lamp in daylight")
    said = "More: 1 image each by tiny, seed 107, evaluated by CLIP (tiny)"
    expect(fresh.get_by_role("button", name=said)).to_be_visible()
    expect(fresh.get_by_label("CLIP", exact=True).filter(visible=True)).to_have_count(0)
    unfold(fresh)
    expect(fresh.get_by_label("CLIP", exact=True).filter(visible=True)).to_be_checked()


def two_prompts_have_become_images_a_matrix_and_a_verdict(page: Page) -> None:
    assert widths(page, ".pair-image img") == [32] * 2
    matrix = page.locator(".fit-matrix").first.locator("tbody td").all_inner_texts()
    assert len(matrix) == 4
    assert all(cell.endswith("of 1") for cell in matrix)
    expect(page.locator(".prompt-pair")).to_have_count(1)
    expect(page.locator(".pair-verdict").first).to_be_visible()
    expect(page.locator(".pair-score").first).to_contain_text("expected share of 1 generation")
    assert violations_in_both_themes(page) == []


@pytest.mark.parametrize(
    ("name", "tab"),
    [("about", "About"), ("your-pictures", "Your images")],  # the latter in older links
)
def test_a_link_opens_a_tab_that_a_narrow_window_has_in_its_menu(
    window: Window, name: str, tab: str
):
    page = window(360, 740, f"?tab={name}")
    expect(page.locator("button[role=tab][aria-selected=true]")).to_contain_text(tab)
    expect(page.locator(".overflow-dropdown")).to_be_hidden()


def test_a_comparison_comes_into_view_and_is_saved_as_table_and_json_without_a_vote(window: Window):
    page = window(1366, 768, "?tab=compare")
    tab = page.get_by_role("tabpanel").filter(visible=True)
    expect(tab.get_by_role("button", name="More of B")).to_have_text("More of B: seed 7")
    expect(page.get_by_label("B: steps")).to_be_hidden()
    fill_columns(tab)
    for letter in "AB":
        expect(page.get_by_label(f"{letter}: guidance")).to_have_attribute("placeholder", "3")
    page.get_by_label("B: wording").fill("{prompt} at night")
    page.get_by_label("B: steps").fill("2")
    expect(tab.get_by_role("button", name="More of B")).to_contain_text("steps 2")
    page.get_by_label("prompts, one per line").fill(PROMPT)
    choose(tab, "each grid", "1 x 2")
    page.get_by_role("button", name="Compare these").click()
    expect(page.locator(".comparison [data-image]")).to_have_count(4)
    page.wait_for_function(
        "document.querySelector('.comparison').getBoundingClientRect().top < innerHeight / 4"
    )
    expect(page.locator(".comparison thead").first).to_contain_text("steps 2")
    expect(page.locator(".differences li")).to_contain_text(
        ["on the one prompt where both can be judged", "Only part of 1 prompt could be judged"]
    )
    expect(page.locator(".comparison tfoot tr")).to_have_count(7)
    page.locator("[data-image]").last.click()
    expect(tab.locator(".evidence")).to_contain_text("seed")
    expect(tab.locator(".evidence h2")).to_be_in_viewport()
    assert violations_in_both_themes(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Download comparison.csv").click()
    rows = [*csv.DictReader(download.value.path().read_text("utf-8").splitlines())]
    assert [row["column"] for row in rows] == [*"AABB"]
    assert {row["prompt"] for row in rows} == {PROMPT}
    with page.expect_download() as download:
        page.get_by_role("button", name="Download comparison.json").click()
    found = json.loads(download.value.path().read_text("utf-8"))
    assert [each["steps"] for each in found["systems"]] == [None, 2]
    expect(tab.get_by_role("button", name="Copy link")).to_be_visible()

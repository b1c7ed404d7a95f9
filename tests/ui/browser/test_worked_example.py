"""A worked example in a real browser: read, ranked anew, looked at in other ways, and kept."""

import json
import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.tiny_models import PROMPT
from tests.ui.browser.conftest import opened
from tests.ui.browser.visitor import ask, image, unfold, widths


def numbers(page: Page) -> list[str]:
    """The cells in the order they are shown."""
    order: list[str] = page.locator(".cell").evaluate_all("all => all.map(c => c.dataset.cell)")
    return order


def expect_order(page: Page, order: Sequence[str]) -> None:
    for place, cell in enumerate(order):
        expect(page.locator(".cell").nth(place)).to_have_attribute("data-cell", cell)


def grid(page: Page) -> str:
    return page.locator(".gallery").inner_html()


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """One page for all tests, which leave the example on it."""
    with opened(browser, address) as page:
        yield page


def test_no_request_leaves_the_machine_and_nothing_is_wrong_in_the_console(
    browser: Browser, address: str
):
    page, hosts, said = browser.new_page(), set(), []
    page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else 0)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address)
    expect(page.locator(".cell")).to_have_count(9)
    expect(page.locator(".cell img").first).to_be_visible()
    page.get_by_role("tab", name="About").click()
    expect(page.get_by_text("What the numbers mean")).to_be_visible()
    page.close()
    assert hosts - {None} == {urlsplit(address).hostname}
    assert not said


def test_the_first_screen_shows_a_worked_example(page: Page):
    assert page.locator("#prompt textarea").input_value() == ""
    expect(page.locator("#prompt textarea")).to_be_focused()
    assert widths(page, ".cell img") == [32] * 9
    expect(page.locator(".block.part-reasons .why")).to_be_visible()
    expect(page.locator(".block.part-summary .metric")).to_have_count(2)
    expect(page.locator(".block.part-maps figure")).to_have_count(1)
    expect(page.locator(".block.part-summary .meaning")).to_contain_text("saliency")


def test_a_click_on_an_image_opens_its_reasons(page: Page):
    cell = page.locator(".cell").nth(2)
    cell.click()
    number = cell.get_attribute("data-cell")
    expect(page.locator(".block.part-reasons .evidence")).to_have_attribute(
        "data-cell", str(number)
    )
    expect(page.locator(".block.part-reasons h2")).to_have_text("#3 of 9")
    expect(page.locator('.cell button[aria-pressed="true"]')).to_have_count(1)


def test_the_switch_moves_the_same_images(page: Page):
    reranked = numbers(page)
    page.get_by_label("as generated").click()
    expect_order(page, "012345678")
    page.get_by_label("reranked").click()
    expect_order(page, reranked)


def test_the_depth_of_look_changes_the_numbers(page: Page):
    rbp = page.locator(".metric:has-text('RBP') .figure").last
    before = float(rbp.inner_text())
    slider = page.get_by_label("range slider for persistence")
    slider.fill("0.5")
    slider.press("Enter")
    expect(rbp).not_to_have_text(f"{before:.2f}")
    assert float(rbp.inner_text()) < before


def test_one_image_can_be_made_again(page: Page):
    before = {cell: image(page, cell) for cell in "012345678"}
    page.locator('.cell[data-cell="2"]').click()
    page.get_by_role("button", name="Make again").click()
    expect(page.locator(".block.part-status")).to_contain_text("seed 16 in")
    expect(page.locator(".block.part-reasons .seed")).to_have_text("seed 16")
    expect(page.locator(".block.part-reasons h2")).to_contain_text("of 9")
    after = {cell: image(page, cell) for cell in "012345678"}
    assert {cell for cell in before if before[cell] != after[cell]} == {"2"}
    again = page.get_by_role("button", name="Make again")
    expect(again).to_be_visible()
    expect(page.locator(".replaced figcaption")).to_contain_text(["before: seed 9", "now: seed 16"])
    page.get_by_role("button", name="Take seed 9 back").click()
    expect(page.locator(".block.part-reasons .seed")).to_have_text("seed 9")
    assert {cell: image(page, cell) for cell in "012345678"} == before
    expect(page.locator(".replaced")).to_have_count(0)


def test_bad_input_is_a_sentence_and_the_last_grid_stays(page: Page):
    before, says = grid(page), "The grid is 'nine'; write rows x columns"
    ask(page, "a red balloon", size="nine")
    expect(page.locator(".block.part-status .mistake")).to_contain_text(says)
    assert grid(page) == before


def test_a_hub_model_out_of_reach_is_said_soon_and_the_last_grid_stays(page: Page):
    before = grid(page)
    ask(page, "a red balloon", model="sd-turbo")
    expect(page.locator(".block.part-status .mistake")).to_contain_text("choose an embedded model")
    assert grid(page) == before


def test_the_seconds_of_a_step_without_news_go_on_from_what_the_server_said(page: Page):
    page.evaluate("""() => document.querySelector(".part-status").insertAdjacentHTML(
        "beforeend", '<p class="status"><span class="seconds">7 s</span></p>')""")
    seconds = page.locator(".status .seconds")
    expect(seconds).to_have_text(re.compile(r"^(9|[1-9]\d+) s$"))
    seconds.evaluate("each => { each.textContent = '3 s'; }")
    expect(seconds).to_have_text(re.compile("^[4-8] s$"))
    page.locator(".status:has(.seconds)").evaluate("each => each.remove()")


def test_another_method_ranks_at_once_and_the_report_of_what_is_shown_is_saved(page: Page):
    unfold(page)
    page.get_by_label("CLIP", exact=True).click()
    expect(page.locator(".block.part-reasons .value")).to_contain_text("CLIP")
    scores = [float(score) for score in page.locator(".cell .score").all_text_contents()]
    assert scores == sorted(scores, reverse=True)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save all (ZIP)").click()
    with ZipFile(download.value.path()) as saved:
        report = json.loads(saved.read("report.json"))
    assert (report["prompt"], report["ranked_by"]) == (PROMPT, "clip")
    named = [re.search(r"relevance:([^|]*)", s["signature"]) for s in report["set_metrics"]]
    assert named
    assert all(found and "clip" in found.group(1) for found in named), report["set_metrics"][:1]


HEAR = """() => {
  window.heard = [];
  const line = document.querySelector(".block.part-status");
  const hear = () => heard.push(line.textContent);
  new MutationObserver(hear).observe(line, { childList: true, subtree: true });
}"""
"""Keeps all that the status line says, however short."""


def test_the_best_layout_moves_the_images_and_says_what_it_earns(page: Page):
    page.get_by_label("by visual saliency").click()
    page.evaluate(HEAR)
    page.get_by_label("best layout").click()
    figures = page.locator(".metric:has-text('ERR') .figure")
    expect(figures).to_have_count(3)
    generated, reranked, best = map(float, figures.all_inner_texts())
    assert best >= max(generated, reranked)
    assert sorted(numbers(page)) == [*"012345678"]
    expect(page.locator(".meaning")).to_contain_text(
        re.compile("best layout found|No layout was found")
    )
    expect(page.locator(".block.part-status")).to_be_hidden()
    assert "looking for the best layout" in page.evaluate("heard.join()")


def test_a_run_that_the_server_refuses_can_be_asked_for_again(page: Page):
    said = {"detail": "these are too many requests <at once>; wait"}
    for tab in ("Compare", "Commonsense", "Playground"):
        page.get_by_role("tab", name=tab).click()
        start = page.locator(".ask button.primary, button.primary").locator("visible=true").first
        expect(start).to_be_enabled()
        page.route("**/queue/join*", lambda route: route.fulfill(status=429, json=said))
        start.click()
        line = page.locator(".part-status .status").locator("visible=true")
        expect(line).to_contain_text("These are too many requests <at once>; wait.")
        expect(start).to_be_enabled()
        page.unroute("**/queue/join*")

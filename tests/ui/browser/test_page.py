"""The page in a real browser: what a visitor sees, does, and cannot break."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

import alignment
import generation
from tests.tiny_models import PROMPT
from tests.ui.browser.conftest import WRONG, Window
from tests.ui.browser.layout import violations_in_both_themes
from tests.ui.browser.visitor import ask, choose, unfold, widths
from ui.components import page_store

STAYS = "a red balloon"


def numbers(page: Page) -> list[str]:
    """The cells in the order they are shown."""
    order: list[str] = page.locator(".cell").evaluate_all("all => all.map(c => c.dataset.cell)")
    return order


def expect_order(page: Page, order: Sequence[str]) -> None:
    for place, cell in enumerate(order):
        expect(page.locator(".cell").nth(place)).to_have_attribute("data-cell", cell)


def grid(page: Page) -> str:
    return page.locator(".gallery").inner_html()


def test_no_request_leaves_the_machine(browser: Browser, address: str):
    page, hosts = browser.new_page(), set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
    page.goto(address)
    expect(page.locator(".cell")).to_have_count(9)
    page.get_by_role("tab", name="About").click()
    expect(page.get_by_text("What the numbers mean")).to_be_visible()
    page.close()
    assert hosts - {None} == {urlsplit(address).hostname}


def test_nothing_is_wrong_in_the_console(browser: Browser, address: str):
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else 0)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address)
    expect(page.locator(".cell img").first).to_be_visible()
    page.close()
    assert not said


def test_the_first_screen_shows_a_worked_example(page: Page):
    assert page.locator("#prompt textarea").input_value() == ""
    expect(page.locator("#prompt textarea")).to_be_focused()
    assert widths(page, ".cell img") == [32] * 9
    expect(page.locator(".block.part-reasons .why")).to_be_visible()
    expect(page.locator(".block.part-summary .metric")).to_have_count(2)
    expect(page.locator(".block.part-maps figure")).to_have_count(1)
    expect(page.locator(".block.part-summary .meaning")).to_contain_text("saliency")


def test_a_click_on_a_picture_opens_its_reasons(page: Page):
    cell = page.locator(".cell").nth(2)
    cell.click()
    number = cell.get_attribute("data-cell")
    expect(page.locator(".block.part-reasons .evidence")).to_have_attribute(
        "data-cell", str(number)
    )
    expect(page.locator(".block.part-reasons h2")).to_have_text("#3 of 9")
    expect(page.locator('.cell button[aria-pressed="true"]')).to_have_count(1)


def test_a_failing_answer_is_marked_in_the_prompt(page: Page):
    page.locator(f'.cell[data-cell="{WRONG}"]').click()
    expect(page.locator(".block.part-reasons .why.fails")).to_contain_text("the model says: pink.")
    assert page.locator(".block.part-reasons mark").inner_text() in PROMPT


def test_the_switch_moves_the_same_pictures(page: Page):
    reranked = numbers(page)
    page.get_by_label("as generated").click()
    expect_order(page, "012345678")
    page.get_by_label("reranked").click()
    expect_order(page, reranked)


def test_another_method_ranks_at_once(page: Page):
    unfold(page)
    page.get_by_label("CLIP", exact=True).click()
    expect(page.locator(".block.part-reasons .value")).to_contain_text("CLIP")
    scores = [float(score) for score in page.locator(".cell .score").all_text_contents()]
    assert scores == sorted(scores, reverse=True)


def test_the_depth_of_look_changes_the_numbers(page: Page):
    rbp = page.locator(".metric:has-text('RBP') .figure").last
    before = float(rbp.inner_text())
    slider = page.get_by_label("range slider for persistence")
    slider.fill("0.5")
    slider.press("Enter")
    expect(rbp).not_to_have_text(f"{before:.2f}")
    assert float(rbp.inner_text()) < before


def test_generate_generates_asks_and_ranks(page: Page):
    ask(page, PROMPT)
    expect(page.locator(".block.part-status")).to_contain_text("4 images in")
    expect(page.locator(".cell")).to_have_count(4)
    assert page.locator(".cell .rank").all_inner_texts() == ["#1", "#2", "#3", "#4"]
    expect(page.locator(".block.part-reasons h2")).to_have_text("#4 of 4")
    expect(page.locator(".block.part-summary .metric")).to_have_count(2)


def test_a_stopped_run_keeps_what_is_there_and_can_be_gone_on_with(
    page: Page, at_rest: Callable[[], None]
):
    ask(page, PROMPT, model="slow")
    expect(page.locator(".cell")).to_have_count(4)
    expect(page.locator(".cell.preview img").first).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".block.part-status")).to_contain_text("stopped")
    at_rest()
    page.locator(".cell").first.click()
    expect(page.locator(".block.part-reasons .waiting")).to_have_text("Not asked yet.")
    expect(page.locator(".cell img").first).to_be_visible()
    page.get_by_role("button", name="Go on: generate").click()
    expect(page.locator(".block.part-status")).to_contain_text("generating")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".block.part-status")).to_contain_text("stopped")


def test_beside_another_visitors_work_a_visitor_sees_where_the_own_work_is_and_can_stop_it(
    page: Page, window: Window
):
    other = window(1300, 1000)
    expect(other.locator(".cell")).to_have_count(9)
    ask(page, PROMPT, model="slow")
    expect(page.locator(".cell.preview img").first).to_be_visible()
    ask(other, STAYS)
    status = other.locator(".block.part-status").first
    expect(status).to_contain_text(re.compile("waiting for its turn|loading|reading|generating"))
    expect(other.get_by_role("button", name="Generate", exact=True)).to_be_hidden()
    other.get_by_role("button", name="Stop").click()
    expect(status).to_contain_text("stopped")
    expect(status).not_to_contain_text("Error")
    expect(other.get_by_role("button", name="Generate", exact=True)).to_be_enabled()
    expect(page.get_by_role("button", name="Stop")).to_be_enabled()
    page.get_by_role("button", name="Stop").click()


def test_the_seconds_of_a_step_without_news_go_on_from_what_the_server_said(page: Page):
    page.evaluate("""() => document.querySelector(".part-status").insertAdjacentHTML(
        "beforeend", '<p class="status"><span class="seconds">7 s</span></p>')""")
    seconds = page.locator(".status .seconds")
    expect(seconds).to_have_text(re.compile(r"^(9|[1-9]\d+) s$"))
    seconds.evaluate("each => { each.textContent = '3 s'; }")
    expect(seconds).to_have_text(re.compile("^[4-8] s$"))


def test_an_example_takes_the_place_of_work_under_way(page: Page, at_rest: Callable[[], None]):
    ask(page, PROMPT, model="slow")
    expect(page.locator(".cell img").first).to_be_visible()
    page.locator(".examples a").first.click()
    expect(page.locator(".cell")).to_have_count(9)
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    at_rest()
    reasons = page.locator(".block.part-reasons h2")
    for cell in (0, 1):
        before = reasons.inner_text()
        page.locator(".cell button").nth(cell).click()
        expect(reasons).not_to_have_text(before)
    expect(page.locator(".cell")).to_have_count(9)


@pytest.mark.parametrize(
    ("prompt", "size", "says"),
    [
        ("x" * 2000, "2 x 2", '"prompt" has 2000 characters; it can be at most 1000'),
        ("🍎🎒", "2 x 2", "The prompt has no words"),
        (STAYS, "nine", "The grid is 'nine'; write rows x columns"),
    ],
)
def test_bad_input_is_a_sentence_and_the_last_grid_stays(
    page: Page, prompt: str, size: str, says: str
):
    before = grid(page)
    ask(page, prompt, size=size)
    expect(page.locator(".block.part-status .mistake")).to_contain_text(says)
    assert grid(page) == before


def test_a_hub_model_out_of_reach_is_said_soon_and_the_last_grid_stays(page: Page):
    before = grid(page)
    ask(page, STAYS, model="sd-turbo")
    expect(page.locator(".block.part-status .mistake")).to_contain_text("choose an embedded model")
    assert grid(page) == before


@pytest.mark.parametrize("tab", ["Playground", "Compare", "Commonsense"])
def test_a_run_that_the_server_refuses_can_be_asked_for_again(page: Page, tab: str):
    said = {"detail": "these are too many requests <at once>; wait"}
    page.get_by_role("tab", name=tab).click()
    start = page.locator(".ask button.primary, button.primary").locator("visible=true").first
    expect(start).to_be_enabled()
    page.route("**/queue/join*", lambda route: route.fulfill(status=429, json=said))
    start.click()
    line = page.locator(".part-status .status").locator("visible=true")
    expect(line).to_contain_text("These are too many requests <at once>; wait.")
    expect(start).to_be_enabled()
    page.unroute("**/queue/join*")


def test_html_in_a_prompt_stays_text(page: Page):
    wild = "<img src=x onerror=\"document.title='broken'\"> {{value}} ${document.title='broken'}"
    ask(page, wild, size="1 x 2")
    expect(page.locator(".block.part-status")).to_contain_text("2 images in")
    expect(page.locator(".block.part-verdict")).to_contain_text("onerror")
    assert page.title() != "broken"


def test_on_a_phone_come_grid_then_reasons_then_earlier_runs(window: Window):
    page = window(390, 844)
    expect(page.locator(".cell")).to_have_count(9)
    ask(page, "a black apple and a green backpack")
    expect(page.locator(".block.part-status")).to_contain_text("4 images in")
    expect(page.locator(".history li")).to_have_count(1)
    found = [
        page.locator(part).bounding_box()
        for part in (".gallery", ".block.part-reasons", ".examples", ".history")
    ]
    assert violations_in_both_themes(page) == []
    tops = [box["y"] for box in found if box]
    assert len(tops) == 4
    assert tops == sorted(tops)


def test_on_a_phone_the_reasons_of_a_tapped_picture_come_into_view(window: Window):
    page = window(390, 844)
    expect(page.locator(".cell")).to_have_count(9)
    reasons = page.locator(".block.part-reasons h2")
    expect(reasons).not_to_be_in_viewport()
    first = page.locator(".cell button").first
    before = page.locator(".block.part-reasons h2").inner_text()
    first.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".block.part-reasons h2")).not_to_have_text(before)
    expect(first).to_be_in_viewport(ratio=1)
    page.locator(".cell button").nth(4).click()
    expect(reasons).to_be_in_viewport(ratio=1)


def test_every_pipeline_and_bundle_can_be_chosen(page: Page):
    unfold(page)
    for label, names in (
        ("text-to-image model", generation.MODELS),
        ("evaluators", alignment.BUNDLES),
    ):
        page.get_by_label(label, exact=True).click()
        options = page.get_by_role("listbox").get_by_role("option")
        expect(options).to_contain_text([*names])
        page.keyboard.press("Escape")


HEAR = """() => {
  window.heard = [];
  const line = document.querySelector(".block.part-status");
  const hear = () => heard.push(line.textContent);
  new MutationObserver(hear).observe(line, { childList: true, subtree: true });
}"""
"""Keeps all that the status line says, however short."""


def test_the_best_layout_moves_the_pictures_and_says_what_it_earns(page: Page):
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


def test_the_way_of_the_eye_is_numbered_when_asked_for(page: Page):
    steps = page.locator(".cell .step")
    expect(steps.first).to_be_hidden()
    page.get_by_label("show the viewing order on the grid").click()
    expect(steps.first).to_be_visible()
    assert sorted(steps.all_inner_texts()) == [*"123456789"]
    moving = "getComputedStyle(document.querySelector('.step')).animationName"
    assert page.evaluate(moving) == "glance"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(moving) == "none"
    expect(page).to_have_url(re.compile("numbered=yes"))
    page.reload()
    expect(steps.first).to_be_visible()


def test_the_report_of_what_is_shown_can_be_downloaded(page: Page):
    unfold(page)
    page.get_by_label("CLIP", exact=True).click()
    expect(page.locator(".block.part-reasons .value")).to_contain_text("CLIP")
    with page.expect_download() as download:
        page.get_by_text("Download report.json").click()
    report = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert (report["prompt"], report["ranked_by"]) == (PROMPT, "clip")
    named = [re.search(r"relevance:([^|]*)", s["signature"]) for s in report["set_metrics"]]
    assert named
    assert all(found and "clip" in found.group(1) for found in named), report["set_metrics"][:1]


def test_one_picture_can_be_made_again(page: Page):
    before = {cell: picture(page, cell) for cell in "012345678"}
    page.locator('.cell[data-cell="2"]').click()
    page.get_by_role("button", name="Make again").click()
    expect(page.locator(".block.part-status")).to_contain_text("seed 16 in")
    expect(page.locator(".block.part-reasons .seed")).to_have_text("seed 16")
    expect(page.locator(".block.part-reasons h2")).to_contain_text("of 9")
    after = {cell: picture(page, cell) for cell in "012345678"}
    assert {cell for cell in before if before[cell] != after[cell]} == {"2"}
    again = page.get_by_role("button", name="Make again")
    expect(again).to_be_visible()
    expect(page.locator(".replaced figcaption")).to_contain_text(["before: seed 9", "now: seed 16"])
    page.get_by_role("button", name="Take seed 9 back").click()
    expect(page.locator(".block.part-reasons .seed")).to_have_text("seed 9")
    assert {cell: picture(page, cell) for cell in "012345678"} == before
    expect(page.locator(".replaced")).to_have_count(0)


def picture(page: Page, cell: str) -> str | None:
    return page.locator(f'.cell[data-cell="{cell}"] img').get_attribute("src")


def test_a_ranking_chosen_while_the_work_runs_is_kept(page: Page):
    ask(page, PROMPT, model="tiny")
    unfold(page)
    page.get_by_label("CLIP", exact=True).click()
    expect(page.locator(".block.part-status")).to_contain_text("4 images in")
    expect(page.locator(".legend")).to_contain_text("CLIP")
    scores = [float(score) for score in page.locator(".cell .score").all_text_contents()]
    assert scores == sorted(scores, reverse=True)


def test_a_visitors_own_pictures_are_judged_and_a_bad_file_loses_nothing(
    page: Page, tmp_path: Path
):
    for colour in ("navy", "pink", "olive"):
        Image.new("RGB", (40, 30), colour).save(tmp_path / f"{colour}.png")
    (tmp_path / "torn.png").write_bytes(b"no image at all")
    names = ("navy", "pink", "olive", "torn")
    page.get_by_role("tab", name="Your images").click()
    tab = page.get_by_role("tabpanel").filter(visible=True)
    files, targets = tab.locator(".uploads input[type=file]").all()
    files.set_input_files([tmp_path / f"{name}.png" for name in names])
    said = '"torn.png" is not a PNG, JPEG, WebP or GIF image'
    expect(tab.locator(".left-out li")).to_contain_text([said])
    assert widths(page, ".picked img") == [40] * 3
    targets.set_input_files(tmp_path / "pink.png")
    tab.locator("#claim textarea").fill(PROMPT)
    choose(tab, "evaluators", "tiny")
    tab.get_by_label("targets", exact=True).click()
    expect(tab.locator(".uploads")).to_contain_text("olive")
    expect(tab.locator(".uploads .block").last).to_contain_text("pink")
    tab.get_by_role("button", name="Score").click()
    expect(tab.locator(".block.part-status")).to_contain_text(
        "3 images, without 1 file that cannot be used, in"
    )
    expect(tab.locator(".cell")).to_have_count(3)
    expect(tab.locator(".legend")).to_contain_text("targets")
    expect(tab.locator(".grid-verdict")).to_contain_text("3 images")
    tab.locator(".cell").first.click()
    expect(tab.locator(".block.part-reasons .seed")).to_have_text("pink.png")
    assert violations_in_both_themes(page) == []
    kept = tab.locator(".gallery").inner_html()
    tab.get_by_label("Clear").first.click()
    tab.locator(".uploads input[type=file]").first.set_input_files(tmp_path / "torn.png")
    expect(tab.locator(".uploads")).to_contain_text("torn")
    tab.get_by_role("button", name="Score").click()
    expect(tab.locator(".block.part-status .mistake")).to_contain_text(said)
    assert tab.locator(".gallery").inner_html() == kept
    assert violations_in_both_themes(page) == []


def both_pictures(page: Page) -> list[str | None]:
    """The names of both images, which are the hashes of their content."""
    return [picture(page, cell) for cell in "01"]


def expect_both_scored(page: Page) -> None:
    expect(page.locator(".block.part-status").first).to_contain_text("2 images in")
    expect(page.locator(".cell .rank", has_text="#1")).to_be_visible()


def test_a_sent_link_gives_the_same_pictures_and_back_the_earlier_state(
    browser: Browser,
    address: str,
):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".cell")).to_have_count(9)
    page.locator('.cell[data-cell="3"]').click()
    expect(page).to_have_url(re.compile("seed=7.*picture=10"))
    ask(page, PROMPT, size="1 x 2")
    expect_both_scored(page)
    page.get_by_label("as generated").click()
    expect(page).to_have_url(re.compile("grid=1x2.*show=generated"))
    made = both_pictures(page)
    page.get_by_role("button", name="Copy link").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".copied")).to_have_text("✓ Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    expect(page.locator(".history li")).to_have_count(1)

    page.go_back()
    expect(page.locator(".cell")).to_have_count(9)
    expect(page.locator('.cell[data-cell="3"] button')).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("grid", exact=True)).to_have_value("3 x 3")
    page.locator(".history a").click()
    expect(page.locator(".cell")).to_have_count(2)
    assert both_pictures(page) == made
    context.close()

    for name in made:  # neither is kept: they are made again from their seeds
        (page_store().folder / Path(str(name)).name).unlink()
    fresh = browser.new_page()
    fresh.goto(link)
    expect_both_scored(fresh)
    assert both_pictures(fresh) == made
    assert fresh.url == link
    expect(fresh.get_by_label("as generated")).to_be_checked()
    fresh.close()

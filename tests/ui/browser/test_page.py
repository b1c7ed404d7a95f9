"""The page in a real browser: what a visitor sees, does, and cannot break."""

import re
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.tiny_models import PROMPT
from tests.ui.browser.conftest import Window
from tests.ui.browser.layout import violations_in_both_themes
from tests.ui.browser.visitor import ask, choose, image, unfold, widths
from ui.components import page_store

STAYS = "a red balloon"


def test_generate_generates_asks_and_ranks_as_is_chosen_meanwhile_and_html_in_a_prompt_stays_text(
    page: Page,
):
    ask(page, PROMPT)
    unfold(page)
    page.get_by_label("CLIP", exact=True).click()
    expect(page.locator(".block.part-status")).to_contain_text("4 images in")
    expect(page.locator(".cell")).to_have_count(4)
    assert page.locator(".cell .rank").all_inner_texts() == ["#1", "#2", "#3", "#4"]
    expect(page.locator(".block.part-reasons h2")).to_have_text("#4 of 4")
    expect(page.locator(".block.part-summary .metric")).to_have_count(2)
    expect(page.locator(".legend")).to_contain_text("CLIP")
    scores = [float(score) for score in page.locator(".cell .score").all_text_contents()]
    assert scores == sorted(scores, reverse=True)
    wild = "<img src=x onerror=\"document.title='broken'\"> {{value}} ${document.title='broken'}"
    ask(page, wild, size="1 x 2")
    expect(page.locator(".block.part-status")).to_contain_text("2 images in")
    expect(page.locator(".block.part-verdict")).to_contain_text("onerror")
    assert page.title() != "broken"


def test_generate_pressed_again_generates_the_next_seeds(page: Page):
    ask(page, PROMPT)
    expect(page.locator(".block.part-status")).to_contain_text("4 images in")
    first = {each.get_attribute("src") for each in page.locator(".cell img").all()}
    page.get_by_role("button", name="Generate", exact=True).click()
    expect(page.locator(".block.part-more")).to_contain_text("seed 11")
    expect(page.locator(".block.part-status")).to_contain_text("4 images in")
    assert not first & {each.get_attribute("src") for each in page.locator(".cell img").all()}


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
    page.get_by_role("button", name="Continue: generate").click()
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


def test_on_a_phone_reasons_come_into_view_and_stand_between_the_grid_and_earlier_runs(
    window: Window,
):
    page = window(390, 844)
    expect(page.locator(".cell")).to_have_count(9)
    reasons = page.locator(".block.part-reasons h2")
    expect(reasons).not_to_be_in_viewport()
    first, before = page.locator(".cell button").first, reasons.inner_text()
    first.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(reasons).not_to_have_text(before)
    expect(first).to_be_in_viewport(ratio=1)
    page.locator(".cell button").nth(4).click()
    expect(reasons).to_be_in_viewport(ratio=1)
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


def test_a_visitors_own_images_are_judged_and_a_bad_file_loses_nothing(page: Page, tmp_path: Path):
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


def both_images(page: Page) -> list[str | None]:
    """The names of both images, which are the hashes of their content."""
    return [image(page, cell) for cell in "01"]


def expect_both_scored(page: Page) -> None:
    expect(page.locator(".block.part-status").first).to_contain_text("2 images in")
    expect(page.locator(".cell .rank", has_text="#1")).to_be_visible()


def test_a_sent_link_gives_the_same_images_and_back_the_earlier_state(
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
    made = both_images(page)
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
    assert both_images(page) == made
    context.close()

    for name in made:  # neither is kept: they are made again from their seeds
        (page_store().folder / Path(str(name)).name).unlink()
    fresh = browser.new_page()
    fresh.goto(link)
    expect_both_scored(fresh)
    assert both_images(fresh) == made
    assert fresh.url == link
    expect(fresh.get_by_label("as generated")).to_be_checked()
    fresh.close()

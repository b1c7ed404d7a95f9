"""What is on the first screen of the page: little besides the prompt as a result and its images."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.tiny_models import PROMPT
from tests.ui.browser.conftest import Window
from tests.ui.browser.visitor import ask, choose, unfold
from ui.request_fields import COMPLETIONS

WORDS, CONTROLS, TOP = 90, 16, 400
"""The most words and controls on the first screen, and where its first image begins at the latest,
in pixels."""
SCREENS = ((1366, 768), (1280, 720), (360, 740))

ON_SCREEN = r"""() => {
  const shown = ({ left, right, top, bottom }) =>
    right - left > 1 && right > 0 && left < innerWidth && bottom - top > 1 && bottom > 0
    && top < innerHeight;
  const seen = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && shown(each.getBoundingClientRect());
  const words = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    if (!seen(texts.currentNode.parentElement) || !shown(range.getBoundingClientRect())) continue;
    words.push(...(texts.currentNode.textContent.match(/[\p{L}\p{N}]\S*/gu) ?? []));
  }
  const controls = "a[href], button, summary, input, textarea, [tabindex='0']";
  const usable = [...document.querySelectorAll(controls)].filter(
    (each) => !each.disabled && !each.closest(".cell") && seen(each.closest("label") ?? each));
  const { top, bottom } = document.querySelector(".cell img").getBoundingClientRect();
  return [words, usable.map((each) => each.outerHTML.slice(0, 80)), top, bottom];
}"""
"""The words and the controls in sight, without the images, and where the first image begins and
ends."""


def expect_little(page: Page) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        words, controls, top, bottom = page.evaluate(ON_SCREEN)
        assert len(words) <= WORDS, (width, " ".join(words))
        assert len(controls) <= CONTROLS, (width, controls)
        assert top < TOP, width
        assert bottom <= height, width


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """One page for all tests; the first of them find it as a visitor does."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.goto(address)
    expect(page.locator(".cell img")).to_have_count(9)
    yield page
    page.close()


def test_few_words_and_controls_stand_before_the_images_of_a_worked_example(page: Page):
    expect_little(page)
    page.set_viewport_size({"width": 1366, "height": 768})


def test_generate_is_one_key_from_the_field_which_has_the_focus(page: Page):
    expect(page.locator("#prompt textarea")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Generate", exact=True)).to_be_focused()


def test_what_is_typed_takes_the_place_of_the_old_text(page: Page):
    field = page.locator("#prompt textarea")
    field.fill("a red apple")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.type("a dog")
    expect(field).to_have_value("a dog")
    page.locator("h1").click()
    field.click()
    page.keyboard.type("two cats")
    expect(field).to_have_value("two cats")


def test_the_closed_line_says_what_is_set(page: Page):
    more = page.locator(".part-more button")
    expect(more).to_contain_text("3 x 3, VQ2")
    choose(page, "grid", "2 x 2")
    page.get_by_label("CLIP", exact=True).click()
    page.get_by_label("seed", exact=True).fill("9")
    expect(more).to_contain_text("2 x 2, CLIP (embedded), seed 9")


def test_all_that_is_folded_up_can_be_reached(page: Page):
    unfold(page)
    page.get_by_label("text-to-image model", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_label("evaluators", exact=True).first).to_be_focused()
    for label in (
        "grid",
        "seed",
        "text-to-image model",
        "evaluators",
        "what the prompt leaves open",
    ):
        expect(page.get_by_label(label, exact=True).first).to_be_visible()
    expect(page.get_by_role("button", name="Open a saved image or report").first).to_be_visible()
    expect(page.locator(".vocabulary")).to_be_visible()


def test_known_words_are_offered_for_an_unknown_one(page: Page):
    choose(page, "text-to-image model", "stickers")
    field = page.locator("#prompt textarea")
    field.fill("a red baloon")
    page.get_by_role("button", name="balloon", exact=True).click()
    expect(field).to_have_value("a red balloon")
    expect(page.get_by_role("button", name="Generate", exact=True)).to_be_focused()
    expect(page.locator(".warning")).to_have_count(0)
    field.fill("two lions")
    page.get_by_role("button", name="elephants", exact=True).click()
    expect(field).to_have_value("two elephants")
    field.fill("un éléphant rouge")
    page.get_by_role("button", name="elephant", exact=True).click()
    expect(field).to_have_value("un elephant rouge")
    page.get_by_role("tab", name="Compare").click()  # which has fields of its own that open
    expect(page.get_by_role("button", name="Compare these")).to_be_visible()
    page.get_by_role("tab", name="Playground").click()
    field.fill("a dog wearing a hat")
    page.locator(".part-more button").filter(visible=True).click()
    page.get_by_role("button", name="all known words").click()
    expect(page.locator(".vocabulary summary")).to_be_focused()
    page.locator(".vocabulary").get_by_role("button", name="turtle", exact=True).click()
    expect(field).to_have_value("a dog wearing a hat turtle")


def test_a_known_word_takes_its_place_in_the_prompt_of_its_own_tab(page: Page):
    kept = page.locator("#prompt textarea").input_value()
    page.get_by_role("tab", name="Your images").click()
    tab = page.get_by_role("tabpanel").filter(visible=True)
    tab.locator("#claim textarea").press_sequentially("a red baloon")
    tab.get_by_role("button", name="balloon", exact=True).click()
    expect(tab.locator("#claim textarea")).to_have_value("a red balloon")
    expect(tab.get_by_role("button", name="Score", exact=True)).to_be_focused()
    expect(page.locator("#prompt textarea")).to_have_value(kept)
    page.get_by_role("tab", name="Compare").click()
    prompts = page.locator("#compared-prompts textarea")
    prompts.fill("a red apple\na blue ")
    prompts.press_sequentially("baloon")
    tab.get_by_role("button", name="balloon", exact=True).click()
    expect(prompts).to_have_value("a red apple\na blue balloon")
    expect(tab.locator(".warning")).to_have_count(0)
    page.get_by_role("tab", name="Playground").click()


def test_keys_walk_through_the_images_open_one_and_close_it(page: Page):
    rank = page.locator(".block.part-reasons h2")
    page.locator(".cell button").nth(1).focus()
    for keys, place in (
        (["Home"], 1),
        (["ArrowRight"], 2),
        (["ArrowDown", "ArrowLeft", "ArrowDown"], 7),
        (["End"], 9),
    ):
        for key in keys:
            page.keyboard.press(key)
        expect(rank).to_have_text(f"#{place} of 9")
    page.locator(".block.part-reasons img").first.click()
    page.keyboard.press("Escape")
    expect(rank).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(rank).to_be_hidden()
    page.keyboard.press("Enter")
    expect(rank).to_have_text("#8 of 9")


def test_where_the_opened_image_was_closed_the_next_grid_opens_one_again(window: Window):
    page = window(1366, 768)
    rank = page.locator(".block.part-reasons h2")
    expect(rank).to_be_visible()
    page.locator(".cell button").first.focus()
    page.keyboard.press("Escape")
    expect(rank).to_be_hidden()
    ask(page, PROMPT)
    expect(page.locator(".block.part-status")).to_contain_text("4 images in")
    expect(rank).to_be_visible()


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_reason_is_in_sight_whichever_image_is_clicked(page: Page, width: int, height: int):
    page.set_viewport_size({"width": width, "height": height})
    page.locator(".cell button").last.click()  # the click scrolls to it
    expect(page.locator(".evidence .why").first).to_be_in_viewport(ratio=1)
    page.evaluate("scrollBy(0, 150)")
    expect(page.locator(".evidence .why").first).to_be_in_viewport()


def test_a_mistake_in_the_seed_stands_in_its_field(page: Page):
    choose(page, "grid", "3 x 3")
    seed = page.get_by_label("seed", exact=True)
    field = page.locator(".settings label").filter(has=seed)
    seed.fill("-1")
    expect(field).to_contain_text("The seed is -1; it can be 0 to 4294967287 for 9 images")
    choose(page, "grid", "1 x 1")
    expect(field).to_contain_text("The seed is -1; it can be 0 to 4294967295")
    seed.fill("7")
    expect(field).not_to_contain_text("The seed")


def test_a_file_of_another_kind_is_refused_by_a_sentence_of_the_page(page: Page, tmp_path: Path):
    (tmp_path / "captions.txt").write_text("a red car")
    page.locator(".opening input[type=file]").set_input_files(tmp_path / "captions.txt")
    expect(page.locator(".block.part-status .mistake").first).to_contain_text("captions.txt")


def test_every_choice_of_completion_can_be_read_whole_in_its_field(page: Page):
    for said, _ in COMPLETIONS:
        choose(page, "what the prompt leaves open", said)
        field = page.get_by_label("what the prompt leaves open", exact=True)
        expect(field).to_have_value(said)
        text, room = field.evaluate("each => [each.scrollWidth, each.clientWidth]")
        assert text <= room, said


def test_nor_are_there_more_with_a_warning(window: Window):
    page = window(1366, 768)
    ask(page, PROMPT, size="3 x 3")
    expect(page.locator(".block.part-status")).to_contain_text("9 images in")
    expect(page.locator(".cell .rank", has_text="#9")).to_be_visible()
    page.locator("#prompt textarea").fill("a volcano and a red apple")
    expect(page.locator(".warning")).to_be_visible()
    page.locator(".part-more button").click()
    expect(page.get_by_label("grid", exact=True)).to_be_hidden()
    expect_little(page)


def test_a_grid_of_another_prompt_than_the_typed_one_is_dimmed(page: Page):
    field, panel = page.locator("#prompt textarea"), page.locator(".grid-panel").first
    shown = panel.locator("[data-prompt]").get_attribute("data-prompt") or ""
    dimmed = re.compile("of-another-prompt")
    for typed, dim in ((shown, False), (f"{shown} at night", True), ("", False)):
        field.fill(typed)
        (expect(panel).to_have_class if dim else expect(panel).not_to_have_class)(dimmed)
    field.fill(f"{shown} at night")
    field.press("Enter")
    expect(panel).not_to_have_class(dimmed)
    page.keyboard.type("two dogs")
    expect(field).to_have_value("two dogs")

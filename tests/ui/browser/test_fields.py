"""The fields of the playground in a real browser: what they say of themselves can be read."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.ui.browser.visitor import choose, unfold
from ui.request_fields import COMPLETIONS


def test_a_mistake_in_the_seed_stands_in_its_field(page: Page):
    unfold(page)
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
        choose(page, "seeds complete the prompt", said)
        field = page.get_by_label("seeds complete the prompt", exact=True)
        expect(field).to_have_value(said)
        text, room = field.evaluate("each => [each.scrollWidth, each.clientWidth]")
        assert text <= room, said

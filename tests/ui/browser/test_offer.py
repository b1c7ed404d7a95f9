"""What an owner does not offer, in a real browser: listed as off, and not to be chosen by keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from session.offer import Offer
from tests.ui.browser.visitor import unfold
from tests.ui.serving import served
from ui import page as whole


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    offer = Offer(("stickers",), ("embedded",)).explained()
    with served(lambda runs: whole.build(offer, tmp_path / "none", runs), tmp_path) as (local, _):
        page = browser.new_page()
        page.goto(local)
        yield page
        page.close()


def test_an_option_that_is_not_offered_says_so_beside_its_field_and_stays_unchosen(page: Page):
    expect(page.locator(".part-more button")).to_be_visible()
    unfold(page)
    field = page.get_by_label("text-to-image model", exact=True)
    statuses: set[int] = set()
    page.on("response", lambda response: statuses.add(response.status))
    field.fill("sdxl")
    option = page.get_by_role("option", name="sdxl (off: not offered here)")
    expect(option).to_have_attribute("aria-disabled", "true")
    field.press("Enter")
    expect(page.locator(".off-reason")).to_have_text("sdxl is not offered here")
    field.fill("stickers")
    field.press("Enter")
    expect(page.locator(".off-reason")).to_have_count(0)
    field.press("ArrowDown")
    field.press("ArrowDown")
    field.press("Enter")
    expect(page.locator(".off-reason")).to_contain_text("is not offered here")
    field.press("Escape")
    page.locator("#prompt textarea").focus()
    expect(field).to_have_value("stickers")
    assert 422 not in statuses

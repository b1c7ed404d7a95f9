"""The contrast check in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.ui.browser.visitor import choose

QUESTION = "Contrast check"


def test_the_prompt_is_contradicted_and_the_scores_stand_beside_its_own(
    page: Page, at_rest: Callable[[], None]
) -> None:
    """By the embedded models, about an image that the tiny text-to-image model made."""
    choose(page, "text-to-image model", "tiny")
    choose(page, "evaluators", "embedded")
    choose(page, "grid", "1 x 2")
    page.locator("#prompt textarea").fill("two yellow balloons")
    page.get_by_role("button", name="Generate").click()
    expect(page.locator(".part-status .doing")).to_contain_text("2 images in")
    page.get_by_role("button", name=QUESTION).click()
    answer = page.get_by_role("region", name=QUESTION)
    expect(answer.locator("tbody tr").first).to_contain_text("two yellow balloons")
    expect(answer.locator(".why")).to_contain_text(
        re.compile(r"VQ2 \d of [1-6], VNLI \d of [1-6] and CLIP \d of [1-6]")
    )
    expect(page.locator(".part-status .doing")).to_contain_text(re.compile("contradictions? in "))
    another_grid_cancels_a_check_that_is_under_way(page, at_rest)


def another_grid_cancels_a_check_that_is_under_way(page: Page, at_rest: Callable[[], None]) -> None:
    said = page.locator(".part-status .doing")
    page.get_by_role("button", name=QUESTION).click()
    expect(said).to_contain_text("under contradictions of the prompt")
    page.locator(".examples a").first.click()
    expect(page.locator(".cell")).to_have_count(9)
    at_rest()
    page.wait_for_timeout(500)  # for an answer that would come all the same
    expect(page.get_by_role("region", name=QUESTION)).to_have_count(0)
    expect(said).to_have_count(0)
    expect(page.get_by_role("button", name="Generate", exact=True)).to_be_enabled()

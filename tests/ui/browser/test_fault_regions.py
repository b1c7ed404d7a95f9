"""Where the faults of an opened image are, in a real browser, by the embedded models."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.ui.browser.conftest import Window
from tests.ui.browser.layout import violations
from tests.ui.browser.test_presentation import answer, hold
from tests.ui.browser.test_search import generate


def test_faults_are_outlined_on_the_opened_image_and_said_in_words(
    window: Window, at_rest: Callable[[], None]
):
    page = generate(window)
    at_rest()  # the end of a job shows the worst image anew
    page.locator(".cell").click()
    held = hold(page)
    page.get_by_role("button", name="Where?").click()
    other = page.get_by_role("button", name="Contrast check")
    expect(other).to_be_hidden()  # no other run can begin, however slow the network
    answer(page, held)
    expect(page.locator(".evidence .where")).to_be_visible()
    expect(page.get_by_role("button", name="Where?")).to_be_hidden()
    expect(other).to_be_visible()
    expect(page.locator(".evidence .regions path").first).to_be_visible()
    expect(page.locator(".evidence .where")).to_have_text(re.compile(r"^outline 1, .*apples$"))
    assert violations(page) == []
    at_rest()

"""The history strip in a real browser, with more runs than fit beside each other."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.ui.browser.conftest import Window
from tests.ui.browser.layout import violations

PLACE = "which-picture-is-right:runs"
RUNS = [
    {"address": f"prompt={number}+dogs", "prompt": f"{number} dogs", "first": 0.5, "thumbnail": ""}
    for number in range(12)
]


def keeping(runs: list[dict[str, object]]) -> str:
    """The script of a browser that has kept runs."""
    return f"localStorage.setItem({PLACE!r}, {json.dumps(json.dumps(runs))})"


@pytest.mark.parametrize("width", [1300, 390])
def test_more_runs_than_fit_are_counted_and_reached_by_the_keyboard(window: Window, width: int):
    page = window(width, 1000, script=keeping(RUNS))
    runs = page.locator(".history a")
    expect(runs).to_have_count(12)
    older = page.get_by_role("button", name=re.compile("older runs: [1-9]"))
    expect(older).to_have_text(re.compile(r"^([7-9]|1\d) more ›$"))
    expect(page.get_by_role("button", name="newer runs")).to_be_disabled()
    assert violations(page) == []
    page.locator(".history .older").focus()
    for _ in range(12):
        page.keyboard.press("Enter")
    expect(runs.last).to_be_in_viewport(ratio=0.99)
    expect(page.locator(".history .older")).to_be_disabled()
    expect(page.get_by_role("button", name="newer runs")).to_be_enabled()
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_runs_that_fit_have_no_arrows(window: Window):
    page = window(1300, 1000, script=keeping(RUNS[:2]))
    expect(page.locator(".history a")).to_have_count(2)
    expect(page.locator(".history .older")).to_be_hidden()
    expect(page.locator(".history .newer")).to_be_hidden()

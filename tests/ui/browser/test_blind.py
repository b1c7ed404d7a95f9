"""Votes of the blind mode in a real browser: a reload loses none, a button all."""

import csv
import json
import re

from playwright.sync_api import Browser, Page, expect

from tests.ui.browser.conftest import Window
from tests.ui.browser.layout import violations_in_both_themes
from tests.ui.browser.visitor import choose, fill_columns

VOTES = "localStorage.getItem('which-picture-is-right:votes')"


def compare_blindly(
    page: Page, prompt: str = "a black apple and a green backpack", columns: str = "AB"
) -> None:
    page.get_by_role("tab", name="Compare").click()
    tab = page.get_by_role("tabpanel").filter(visible=True)
    if len(columns) > 2:
        tab.get_by_label(str(len(columns)), exact=True).click()
    fill_columns(tab, columns)
    for letter in columns:
        page.get_by_label(f"{letter}: seed", exact=True).fill(str(ord(letter)))
    page.get_by_label("prompts, one per line").fill(prompt)
    choose(tab, "each grid", "1 x 1")
    page.get_by_label("blind: judge the grids").check()
    page.get_by_role("button", name="Compare these").click()
    expect(page.locator(".ballot img")).to_have_count(2)


def kept(page: Page) -> list[dict[str, int]]:
    votes: list[dict[str, int]] = json.loads(page.evaluate(VOTES) or "[]")
    return votes


def test_votes_their_name_and_what_they_revealed_outlive_a_reload_until_they_are_forgotten(
    window: Window,
):
    page = window(1300, 1100)
    compare_blindly(page)
    first = page.url
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Left much better").click()
    expect(page.locator(".ballot-done")).to_contain_text("You have judged every prompt")
    (vote,) = kept(page)
    assert abs(vote["preference"]) == 2
    name = page.get_by_label("your name, the rater in preferences.csv")
    expect(name).to_have_attribute("placeholder", re.compile("visitor [0-9a-f]{6}"))
    name.fill("Ann")
    name.press("Enter")
    page.wait_for_function("localStorage.getItem('which-picture-is-right:name') === '\"Ann\"'")
    page.reload()
    expect(page.get_by_text("You have judged every prompt")).to_be_visible()
    expect(page.get_by_text("1 vote of yours kept by this browser")).to_be_visible()
    expect(name).to_have_value("Ann")
    page.get_by_role("button", name="Reveal the columns").click()
    expect(page.locator(".revealed")).to_contain_text("1 vote so far")
    assert violations_in_both_themes(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Download preferences.csv").click()
    (row,) = csv.DictReader(download.value.path().read_text("utf-8").splitlines())
    assert row["rater"] == "Ann"
    what_was_revealed_is_there_again_after_back_and_forward_and_after_a_reload(page, first)
    page.get_by_role("button", name="Forget my votes").click()
    expect(page.get_by_text("You have not judged any prompt.")).to_be_visible()
    assert page.evaluate(VOTES) is None


def what_was_revealed_is_there_again_after_back_and_forward_and_after_a_reload(
    page: Page, first: str
) -> None:
    page.get_by_label("prompts, one per line").fill("a red balloon")
    page.get_by_role("button", name="Compare these").click()
    expect(page.locator(".ballot h2")).to_have_text("a red balloon")

    def expect_revealed() -> None:
        expect(page.locator(".revealed")).to_contain_text("1 vote so far")
        expect(page.locator(".revealed")).to_contain_text("agrees with you")
        expect(page.locator(".part-comparison .small-grid")).to_have_count(2)
        expect(page.get_by_role("button", name="Reveal the columns")).to_be_hidden()

    page.go_back()
    expect(page).to_have_url(first)
    expect_revealed()
    page.go_forward()
    expect(page.locator(".ballot h2")).to_have_text("a red balloon")
    expect(page.locator(".part-comparison .small-grid")).to_have_count(0)
    page.go_back()
    expect_revealed()
    page.reload()
    expect_revealed()
    page.get_by_role("button", name="Download preferences.csv").wait_for()


def test_votes_of_two_windows_of_one_browser_are_kept_together_and_forgotten_together(
    browser: Browser,
    address: str,
):
    context = browser.new_context(viewport={"width": 1300, "height": 1100})
    first, second = context.new_page(), context.new_page()
    for page, prompt in ((first, "a black apple"), (second, "a green backpack")):
        page.goto(address)
        compare_blindly(page, prompt)
    first.get_by_role("button", name="Left much better").click()
    expect(first.locator(".ballot-done")).to_be_visible()
    expect(second.get_by_text("1 vote of yours kept by this browser")).to_be_visible()
    second.get_by_role("button", name="Right better").click()
    expect(second.get_by_text("2 votes of yours kept by this browser")).to_be_visible()
    expect(first.get_by_text("2 votes of yours kept by this browser")).to_be_visible()
    assert {abs(vote["preference"]) for vote in kept(first)} == {1, 2}

    later = context.new_page()  # where nothing is compared, and nothing revealed
    later.goto(f"{address}?tab=compare")
    later.get_by_role("button", name="Forget my votes").click()
    expect(later.get_by_role("button", name="Forget my votes")).to_be_hidden()
    assert kept(later) == []
    for page in (first, second):
        expect(page.get_by_text("kept by this browser")).to_be_hidden()
        expect(page.locator(".ballot img")).to_have_count(2)
    context.close()


def shown(page: Page) -> tuple[str, str, list[str | None]]:
    """The ballot: which it is, its prompt, and its images from left to right."""
    number, prompt = page.locator(".ballot .note"), page.locator(".ballot h2")
    images = [each.get_attribute("src") for each in page.locator(".ballot img").all()]
    return number.inner_text(), prompt.inner_text(), images


def test_of_two_votes_on_one_pair_in_two_windows_the_first_counts_and_the_page_says_so(
    browser: Browser, address: str
):
    """The second window hears of no vote before its own."""
    context = browser.new_context(viewport={"width": 1300, "height": 1100})
    first, second = context.new_page(), context.new_page()
    deaf = "addEventListener('storage', event => event.stopImmediatePropagation(), true)"
    second.add_init_script(deaf)
    for page in (first, second):
        page.goto(address)
        compare_blindly(page)
    first.get_by_role("button", name="Left much better").click()
    expect(first.locator(".ballot-done")).to_be_visible()
    second.get_by_role("button", name="Right better").click()
    expect(second.get_by_text("Your last click is not counted")).to_be_visible()
    expect(second.get_by_text("1 vote of yours kept by this browser")).to_be_visible()
    assert violations_in_both_themes(second) == []
    assert [abs(vote["preference"]) for vote in kept(second)] == [2]
    second.get_by_role("button", name="Reveal the columns").click()
    expect(second.locator(".revealed")).to_contain_text("1 vote so far")
    context.close()


def test_two_clicks_at_once_are_one_vote_on_the_pair_that_was_seen(window: Window):
    page = window(1300, 1100)
    compare_blindly(page, "a black apple\na green backpack")
    unseen = {"a black apple", "a green backpack"} - {shown(page)[1]}
    page.evaluate("document.querySelectorAll('.votes button').forEach(each => each.click())")
    expect(page.locator(".ballot h2")).to_have_text(*unseen)
    expect(page.get_by_text("1 vote of yours kept by this browser")).to_be_visible()
    page.locator(".votes button").first.click()
    expect(page.get_by_text("2 votes of yours kept by this browser")).to_be_visible()
    assert len(kept(page)) == 2

"""What a visitor of the page does, and sees."""

from playwright.sync_api import Locator, Page, expect


def ask(page: Page, prompt: str, model: str = "tiny", size: str = "2 x 2") -> None:
    """Fill the fields as a visitor does, and press the button."""
    choose(page, "text-to-image model", model)
    choose(page, "evaluators", "tiny")
    choose(page, "grid", size)
    page.locator("#prompt textarea").fill(prompt)
    page.get_by_role("button", name="Generate", exact=True).click()


def unfold(page: Page | Locator) -> None:
    """Open each "More", which folds up most of the fields."""
    closed = page.locator('.part-more [aria-expanded="false"]').locator("visible=true")
    while closed.count():
        closed.first.click()


def choose(page: Page | Locator, label: str, value: str) -> None:
    """Set a field, wherever it is folded up."""
    field = page.get_by_label(label, exact=True)
    expect(field.first).to_be_attached()  # then the page is there
    unfold(page)
    field.fill(value)
    if label.endswith("grid"):  # whose sizes may be written freely
        field.press("Enter")
    else:
        expect(field.page.get_by_role("listbox")).to_have_count(1)  # the last one has closed
        field.page.get_by_role("option", name=value, exact=True).click()


def fill_columns(tab: Locator, letters: str = "AB") -> None:
    """Have columns of a comparison made and scored by tiny models."""
    for letter in letters:
        choose(tab, f"{letter}: text-to-image model", "tiny")
        choose(tab, f"{letter}: evaluators", "tiny")


def image(page: Page, cell: str) -> str | None:
    """The name of an image, which is the hash of its content."""
    return page.locator(f'.cell[data-cell="{cell}"] img').get_attribute("src")


def widths(page: Page, images: str) -> list[int]:
    """How wide the images are, in pixels, once all of them have come."""
    come = "which => [...document.querySelectorAll(which)].every(each => each.complete)"
    page.wait_for_function(come, arg=images)
    found: list[int] = page.locator(images).evaluate_all("all => all.map(e => e.naturalWidth)")
    return found

"""What the layout of a page does to fingers, keys and enlarged text, measured in the browser."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

TABS = ("Playground", "Compare", "Commonsense", "Your images", "About")

SMALL = """() => {
  const targets = new Set();
  const controls = "a[href], button, summary, input, textarea, [tabindex='0']";
  for (const each of document.querySelectorAll(controls)) {
    const option = each.matches("[type=radio], [type=checkbox]");
    const unseen = each.closest("[aria-hidden=true]") || each.matches("[type=file], .skip");
    const inSentence = each.matches("a") && getComputedStyle(each).display === "inline";
    if (each.disabled || unseen || inSentence) continue;
    targets.add(option ? each.closest("label") : each);
  }
  return [...targets].filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    return each.checkVisibility({ visibilityProperty: true }) && Math.min(width, height) < 24
      && width && height;
  }).map((each) => each.outerHTML.slice(0, 100));
}"""
"""Controls of less than 24 px, but for links in a sentence (WCAG 2.5.8 without its exceptions for
what has room around it)."""

CUT = """() => {
  const seen = (each) => each.checkVisibility({ visibilityProperty: true });
  const hides = (each) => ["hidden", "clip"].includes(getComputedStyle(each).overflowX);
  return [...document.querySelectorAll("body *")].filter((each) => seen(each) && hides(each)
    && each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1 && each.innerText?.trim()
  ).map((each) => each.outerHTML.slice(0, 100));
}"""
"""Elements that hide a part of their text."""

UNMARKED = """() => {
  const controls = "a[href], button, summary, input, textarea, [tabindex='0']";
  const parents = (each) => each === document.body ? [] : [each, ...parents(each.parentElement)];
  const marked = (each) => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(each);
    const [wide, box] = [parseFloat(outlineWidth), each.getBoundingClientRect()];
    const out = wide + parseFloat(outlineOffset) - 0.5;
    const cut = parents(each.parentElement).some((parent) => {
      const clip = parent.getBoundingClientRect();
      return getComputedStyle(parent).overflowX !== "visible"
        && (box.x - out < clip.x || box.right + out > clip.right
          || box.y - out < clip.y || box.bottom + out > clip.bottom);
    });
    return outlineStyle !== "none" && wide >= 2 && !cut;
  };
  const unmarked = [];
  for (const each of document.querySelectorAll(controls)) {
    const shown = each.closest("label") ?? each;
    if (each.disabled || each.tabIndex < 0 || !shown.checkVisibility()) continue;
    each.focus();
    if (document.activeElement === each && !marked(each) && !marked(shown)) {
      unmarked.push(each.outerHTML.slice(0, 100));
    }
  }
  return unmarked;
}"""
"""Controls without an outline, all of it in sight, while they have the focus; the last input has to
be a key."""


COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core that look at colours."""


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe-core finds, by all of its rules or by some."""
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]


def violations_in_both_themes(page: Page) -> list[str]:
    """The same in the dark theme, and of colours in the light one, without the fading between."""
    found: list[str] = []
    for theme, rules in (("dark", None), ("light", COLOURS)):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.wait_for_function(
            "dark => document.body.matches('.dark') === dark", arg=theme == "dark"
        )
        found += violations(page, rules)
    return found


def open_tab(page: Page, name: str) -> None:
    """Open a tab, from the menu of those that have no room where the window is narrow."""
    tab = page.get_by_role("tab", name=name)
    if not tab.is_visible():
        page.locator(".overflow-menu > button").click()
        tab = page.locator(".overflow-dropdown button", has_text=name)
    tab.click()
    chosen = page.locator("button[role=tab][aria-selected=true]", has_text=name)
    expect(chosen).not_to_have_count(0)

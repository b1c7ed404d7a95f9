"""The documentation: its examples run, and nothing that a person may look up has no page."""

import doctest
import re
import subprocess
from pathlib import Path

import pytest

import alignment
import generation
import hub
from alignment.scorers import SCORERS
from alignment.set_metrics.named import FAMILIES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = {file.relative_to(DOCS).as_posix(): file for file in sorted(DOCS.rglob("*.md"))}
EXAMPLES = [name for name, file in PAGES.items() if ">>>" in file.read_text("utf-8")]
NAV = (ROOT / "mkdocs.yml").read_text("utf-8")
MADE = {"command-line.md", "contributing.md", "results.md"}
"""Pages that `make docs` makes from what is elsewhere."""
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.parametrize("page", EXAMPLES)
def test_the_examples_of_a_page_run(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, run = doctest.testfile(str(PAGES[page]), module_relative=False, optionflags=FLAGS)
    assert run
    assert not failed


@pytest.mark.parametrize("method", SCORERS)
def test_a_method_has_a_page_with_its_source_and_an_example(method: str) -> None:
    page = f"methods/{method}.md"
    assert f"::: alignment.scorers.{method}\n" in PAGES[page].read_text("utf-8")
    assert page in EXAMPLES
    assert page in NAV


@pytest.mark.parametrize("family", FAMILIES)
def test_a_set_metric_has_a_page_with_its_formula_and_an_example(family: str) -> None:
    page = f"metrics/{family.casefold()}.md"
    said = PAGES[page].read_text("utf-8")
    assert f'<p class="formula">{family} = ' in said
    assert "Source: " in said
    assert page in EXAMPLES


def test_the_menu_has_every_page_once() -> None:
    assert sorted(re.findall(r": ([\w/-]+\.md)$", NAV, flags=re.MULTILINE)) == sorted(
        {*PAGES, *MADE}
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_leads_to_one(page: str) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([\w./-]+\.md)", PAGES[page].read_text("utf-8")):
        found = (PAGES[page].parent / target).resolve().relative_to(DOCS).as_posix()
        assert found in {*PAGES, *MADE}


@pytest.mark.slow
def test_the_site_is_built_and_asks_for_nothing_from_outside() -> None:
    """Every public name of the three packages has its place there."""
    built = subprocess.run(["make", "docs"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    pages = {file: file.read_text("utf-8") for file in (ROOT / "build" / "site").rglob("*.html")}
    asked = r'<(?:script|link|img|iframe)[^>]+(?:src|href)="?(?:https?:)?//'
    assert not [file.name for file, text in pages.items() if re.search(asked, text)]
    said = "".join(pages.values())
    for package in (alignment, generation, hub):
        names = [f"{package.__name__}.{name}" for name in package.__all__]
        assert not [name for name in names if f'id="{name}"' not in said]

"""The table of promises: each names a test that is there."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
TABLE = re.findall(
    r"^\| (?!of \|)([^|-]+) \|.*\| ([^|]*) \|$",
    (TESTS.parent / "SECURITY.md").read_text("utf-8"),
    flags=re.MULTILINE,
)


def test_there_are_promises():
    assert len(TABLE) > 30
    assert len({of for of, _ in TABLE}) == len(TABLE)


@pytest.mark.parametrize(("of", "test"), TABLE, ids=[of for of, _ in TABLE])
def test_every_promise_names_a_test_that_is_there(of: str, test: str):
    file, _, name = test.strip("`").partition("::")
    source = (TESTS / file).read_text("utf-8")
    assert name in {each.name for each in ast.parse(source).body if hasattr(each, "name")}, of

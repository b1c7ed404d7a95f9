"""Equal signatures mean equal numbers: whatever changes a score changes the version."""

from copy import deepcopy

import pytest

from alignment.signature import VERSION
from tests.golden.table import Table, computed, difference, stored


@pytest.fixture(scope="module")
def table() -> Table:
    return computed()


def test_questions_and_scores_of_this_version_are_those_that_are_stored(table: Table) -> None:
    assert len(table) == 60
    assert difference(stored(), table, VERSION) == ""


@pytest.mark.parametrize(
    ("method", "value"), [("vq2", 0.9), ("clip", None), ("questions", [["what?", "a dog"]])]
)
def test_another_number_under_the_same_version_says_what_to_do(method: str, value: object) -> None:
    known = stored()
    changed = deepcopy(known["prompts"])
    changed["a dog"][method] = value if method == "questions" else [value] * 3
    said = difference(known, changed, known["version"])
    assert said.startswith("1 prompts have other questions or scores, 'a dog': raise VERSION in")
    assert "run `make golden`" in said
    assert difference(known, changed, "a later one").endswith(": run `make golden`")
    assert "raise VERSION" not in difference(known, changed, "a later one")

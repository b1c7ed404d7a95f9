"""What the fields of the playground ask for."""

from __future__ import annotations

import re

import pytest

from generation import InvalidRequestError
from tests.tiny_models import PROMPT
from ui.tabs.playground_handlers import requested, unknown_to


@pytest.mark.parametrize(
    ("size", "seed", "says"),
    [
        ("nine", 7, "the grid is 'nine'; write rows x columns, such as 3 x 3"),
        ("3 x 3", None, "there is no seed; any whole number from 0 will do"),
    ],
)
def test_fields_that_make_no_request_say_so(size: str, seed: int | None, says: str):
    with pytest.raises(InvalidRequestError, match=re.escape(says)):
        requested(PROMPT, size, seed, "vq2", "tiny", "tiny")


@pytest.mark.parametrize(
    ("bundle", "generated", "says"),
    [
        ("embedded", True, "the pictures will miss it"),
        ("small", True, "the pictures will miss it"),
        ("embedded", False, "the judges do not know it"),
    ],
)
def test_a_word_that_is_no_sticker_is_told_with_who_will_miss_it(
    bundle: str, generated: bool, says: str
):
    said = unknown_to("an astronaut", bundle, generated)
    assert f"&quot;astronaut&quot; is not among the stickers; {says}" in said
    assert unknown_to("a red apple", bundle, generated) == ""


def test_models_of_the_hub_are_not_warned_of():
    assert unknown_to("an astronaut", "small", generated=False) == ""


def test_the_sign_between_rows_and_columns_may_be_any():
    states = [requested(PROMPT, size, 7, "vq2", "tiny", "tiny") for size in SIGNS]
    assert {(state.rows, state.columns) for state in states} == {(2, 5)}


SIGNS = ("2x5", "2 x 5", " 2×5 ", "2*5")

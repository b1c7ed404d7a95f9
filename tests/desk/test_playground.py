"""What the fields of the playground ask for."""

from __future__ import annotations

import re

import pytest

from desk.playground import requested
from generation import InvalidRequestError
from tests.tiny_models import PROMPT


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


def test_the_sign_between_rows_and_columns_may_be_any():
    boards = [requested(PROMPT, size, 7, "vq2", "tiny", "tiny") for size in SIGNS]
    assert {(board.rows, board.columns) for board in boards} == {(2, 5)}


SIGNS = ("2x5", "2 x 5", " 2×5 ", "2*5")

"""A model that is not the one that made something is said to have changed."""

from __future__ import annotations

import pytest

from session.png_text import changed, revision_of


def test_another_revision_than_the_one_that_is_here_is_named():
    here = revision_of("stickers")
    assert changed("stickers", "0f0f0f0f") == (
        f"stickers has changed since this was made (revision 0f0f0f0f then, {here} now): the same "
        "seeds give other images"
    )


@pytest.mark.parametrize(
    ("model", "revision"), [("stickers", ""), ("stickers", "unknown"), ("gone", "0f0f0f0f")]
)
def test_what_is_not_known_is_not_said(model: str, revision: str):
    assert changed(model, revision) == ""

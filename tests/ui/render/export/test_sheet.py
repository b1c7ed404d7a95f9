"""The contact sheet, looked at in pixels: what is where, and that no text leaves its place."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from session.state import GridState
from tests.ui.conftest import with_images, with_prompt
from ui.render.export.sheet import CAPTION, GAP, GROUND, SIDE, _font, contact_sheet, wrapped

HOSTILE = ["W" * 1000, "<b>\n\x00\u202e" * 90, "赤い車 " * 200, "   "]


def centres(sheet: Image.Image) -> list[tuple[int, int, int]]:
    top = sheet.height - 2 * (SIDE + CAPTION)
    return [
        sheet.getpixel((GAP + x * (SIDE + GAP) + SIDE // 2, top + y * (SIDE + CAPTION) + SIDE // 2))
        for y in range(2)
        for x in range(2)
    ]


def test_pictures_lie_in_the_order_of_their_ranks(state: GridState):
    best_first = [Image.new("RGB", (1, 1), c) for c in ("olive", "navy", "pink", "tomato")]
    assert centres(contact_sheet(state)) == [each.getpixel((0, 0)) for each in best_first]


def test_every_picture_has_a_caption_of_its_own(state: GridState):
    sheet = contact_sheet(state)
    top, left = sheet.height - CAPTION + 6, GAP
    third, fourth = (
        sheet.crop((x, top, x + SIDE, sheet.height)) for x in (left, left + SIDE + GAP)
    )
    ground = Image.new("RGB", third.size, GROUND)
    assert ImageChops.difference(third, ground).getbbox()
    assert ImageChops.difference(third, fourth).getbbox()


def test_a_filtered_picture_is_not_on_it(state: GridState):
    hidden = with_images(state, filtered=frozenset({2}))
    assert centres(contact_sheet(hidden))[0] == (0xDD, 0xDC, 0xD8)


@pytest.mark.parametrize("text", HOSTILE)
def test_any_prompt_and_file_name_keeps_to_its_lines(state: GridState, text: str):
    named = with_images(with_prompt(state, text), names=(f"{text}.png",) * 4)
    assert contact_sheet(named).width == contact_sheet(state).width
    for line in wrapped(text, 26, 400, 3):
        assert _font(26).getlength(line) <= 400


def test_what_does_not_fit_ends_with_an_ellipsis():
    lines = wrapped("one two three four five six", 20, 100, 2)
    assert len(lines) == 2
    assert lines[-1].endswith("…")
    assert wrapped("one two", 20, 400, 2) == ["one two"]

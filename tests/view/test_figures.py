"""Where the eye goes, and who earns it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.view.reading import read
from view.board import Board
from view.figures import DIMMEST, best_earner, earnings, spotlight

RERANKED, GENERATED = (2, 0, 1, 3), (0, 1, 2, 3)


@given(st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_more_attention_is_never_darker(densities: list[float]):
    lit = spotlight(Image.new("RGB", (3, 2), "white"), np.reshape(densities, (2, 3)))
    light = np.asarray(lit)[:, :, 0].ravel()
    by_density = light[np.argsort(densities, kind="stable")]
    assert np.all(np.diff(by_density.astype(int)) >= 0)
    assert light.min() >= int(255 * DIMMEST)


def test_earnings_are_parts_of_the_whole_in_the_arrangement_shown(board: Board):
    cells = read(earnings(board, RERANKED, (0.6, 0.3, 0.1, None))).all("span", "earning")
    assert [cell.text for cell in cells] == ["60%", "30%", "10%", "0%"]
    assert [cell.one("img")["src"] for cell in cells] == [board.address(c) for c in (2, 0, 1, 3)]


def test_a_grid_that_earns_nothing_shows_nothing_but_noughts(board: Board):
    cells = read(earnings(board, GENERATED, (0.0, None, 0.0, 0.0))).all("span", "earning")
    assert {cell.text for cell in cells} == {"0%"}


@pytest.mark.parametrize(
    ("shares", "says"),
    [
        ((0.95, 0.05, 0.0, 0.0), "#1 (seed 9) earns 95 % of this; it alone is over nine tenths"),
        ((0.05, 0.35, 0.6, None), "#3 (seed 8) earns 60 % of this; 2 pictures together"),
        ((0.0, None, 0.0, 0.0), "No picture earns anything here."),
    ],
)
def test_it_is_said_which_picture_earns_most(
    board: Board, shares: tuple[float | None, ...], says: str
):
    assert best_earner(board, RERANKED, shares).startswith(says)


def test_each_place_needs_its_share(board: Board):
    with pytest.raises(ValueError, match="shorter"):
        earnings(board, GENERATED, (0.5, 0.5))

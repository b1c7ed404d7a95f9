"""Where the eye goes, and who earns it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from session.attention import DIMMEST, spotlight
from session.state import GridState
from tests.ui.reading import read
from ui.render.figures import Place, attraction, best_earner, earnings, idlers

RERANKED, GENERATED = (2, 0, 1, 3), (0, 1, 2, 3)
MASSES, LOSSES = (0.4, 0.3, 0.2, 0.1), (0.38, 0.01, 0.0, 0.0)
Shares = tuple[float | None, ...]


def places(
    cells: tuple[int, ...], shares: Shares, losses: tuple[float, ...] = LOSSES
) -> list[Place]:
    return [Place(*each) for each in zip(cells, MASSES, shares, losses, strict=True)]


@given(st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_more_attention_is_never_darker(densities: list[float]):
    lit = spotlight(Image.new("RGB", (3, 2), "white"), np.reshape(densities, (2, 3)))
    light = np.asarray(lit)[:, :, 0].ravel()
    by_density = light[np.argsort(densities, kind="stable")]
    assert np.all(np.diff(by_density.astype(int)) >= 0)
    assert light.min() >= int(255 * DIMMEST)


def test_earnings_are_parts_of_the_whole_in_the_arrangement_shown(state: GridState):
    cells = read(earnings(state, places(RERANKED, (0.6, 0.3, 0.1, None)))).all("span", "earning")
    assert [cell.text for cell in cells] == ["60%", "30%", "10%", "0%"]
    assert [cell.one("img")["src"] for cell in cells] == [state.address(c) for c in (2, 0, 1, 3)]


def test_a_grid_that_earns_nothing_shows_nothing_but_noughts(state: GridState):
    cells = read(earnings(state, places(GENERATED, (0.0, None, 0.0, 0.0)))).all("span", "earning")
    assert {cell.text for cell in cells} == {"0%"}


@pytest.mark.parametrize(
    ("shares", "says"),
    [
        ((0.95, 0.05, 0.0, 0.0), "#1 (seed 9) earns 95 % of ERR; it alone is over nine tenths"),
        ((0.05, 0.35, 0.6, None), "#3 (seed 8) earns 60 % of ERR; 2 pictures together"),
        ((0.0, None, 0.0, 0.0), "No picture earns anything here."),
    ],
)
def test_it_is_said_which_picture_earns_most(state: GridState, shares: Shares, says: str):
    assert best_earner(state, places(RERANKED, shares)).startswith(says)


def test_it_is_said_what_the_grid_would_lose_without_the_best(state: GridState):
    said = best_earner(state, places(RERANKED, (0.95, 0.05, 0.0, 0.0)))
    assert said.endswith("Without it the grid would give 0.38 less.")


def test_a_best_earner_that_is_not_missed_is_not_said_to_be(state: GridState):
    said = best_earner(state, places(RERANKED, (0.5, 0.5, 0.0, 0.0), (0.0, -0.001, 0.0, 0.0)))
    assert said.endswith("it the grid would give as much: the others would earn it instead.")


def test_where_hardly_anything_is_earned_nobody_would_earn_it_instead(state: GridState):
    said = best_earner(state, places(RERANKED, (0.003, 0.0, 0.0, 0.0), (0.002, 0.0, 0.0, 0.0)))
    assert said.endswith("Without it the grid would give as much.")


def test_a_picture_that_only_takes_time_is_named(state: GridState):
    losses = (0.38, -0.04, -0.02, 0.0)
    said = idlers(state, places(RERANKED, (0.6, 0.3, 0.1, 0.0), losses))
    assert said.startswith("Without #2 (seed 7) it would give 0.04 more")
    assert idlers(state, places(RERANKED, (0.6, 0.3, 0.1, 0.0))) == ""


def test_each_place_shows_its_mass_over_the_lit_grid(state: GridState):
    shown = places(RERANKED, (0.6, 0.3, 0.1, 0.0))
    attention = read(attraction(state, shown, "lit.jpeg")).one("span", "masses").all("b")
    assert [mass.text for mass in attention] == ["40%", "30%", "20%", "10%"]
    assert attention[0]["title"] == "seed 9 draws 0.400000"

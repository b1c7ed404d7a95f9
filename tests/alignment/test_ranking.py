"""From best to worst: ties keep the original cell, what could not be judged comes last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.ranking import rank, rankings
from alignment.records import ImageScore

VALUES = st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("values", "order"),
    [
        ([0.1, 0.9, 0.5], (1, 2, 0)),
        ([0.5, 0.5, 0.5], (0, 1, 2)),
        ([0.5, 0.9, 0.5, 0.9], (1, 3, 0, 2)),
        ([None, 0.0, None, 1.0], (3, 1, 0, 2)),
        ([None, None], (0, 1)),
    ],
)
def test_the_best_comes_first(values: list[float | None], order: tuple[int, ...]) -> None:
    assert rank("vq2", values).order == order


def test_what_could_not_be_judged_has_no_rank():
    assert [rank("vq2", [0.4, None, 0.9]).rank(cell) for cell in range(3)] == [2, None, 1]


@given(VALUES)
def test_a_ranking_holds_every_cell_once_and_falls(values: list[float | None]) -> None:
    order = rank("vq2", values).order
    assert sorted(order) == list(range(len(values)))
    ranked = [-1.0 if values[cell] is None else values[cell] for cell in order]
    assert ranked == sorted(ranked, reverse=True)


@given(VALUES)
def test_ranking_a_ranked_grid_changes_nothing(values: list[float | None]) -> None:
    once = rank("vq2", values)
    again = rank("vq2", [values[cell] for cell in once.order])
    assert again.order == tuple(range(len(values)))


def scores(method: str, *values: float | None) -> tuple[ImageScore, ...]:
    return tuple(ImageScore(method, value) for value in values)


def test_the_mean_is_that_of_vq2_and_vnli_alone() -> None:
    grid = {
        "vq2": scores("vq2", 0.25, 0.5, None),
        "vnli": scores("vnli", 0.75, 1.0, 0.5),
        "clip": scores("clip", 0.5, 0.5, 0.5),
    }
    ranked = rankings(grid)
    assert list(ranked) == ["vq2", "vnli", "clip", "mean"]
    assert ranked["mean"].values == (0.5, 0.75, None)
    assert ranked["mean"].order == (1, 0, 2)


def test_there_is_no_mean_without_both_methods() -> None:
    assert list(rankings({"vq2": scores("vq2", 0.5)})) == ["vq2"]

"""From best to worst: ties keep the original cell, what could not be judged comes last."""

from hypothesis import given
from hypothesis import strategies as st

from alignment.ranking import rank, rankings
from alignment.records import ImageScore

VALUES = st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=12)


@given(VALUES)
def test_the_best_comes_first_and_ties_keep_the_original_cell(values: list[float | None]) -> None:
    best_first = sorted(
        range(len(values)), key=lambda cell: (values[cell] is None, -(values[cell] or 0), cell)
    )
    assert rank(values).order == tuple(best_first)


def test_what_could_not_be_judged_has_no_rank():
    assert [rank([0.4, None, 0.9]).rank(cell) for cell in range(3)] == [2, None, 1]


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

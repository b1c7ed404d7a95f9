"""The utility of a grid for one viewer, with numbers made by hand."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.ranking import rank
from alignment.records import GridReport
from session.viewer_utility import (
    ViewingSettings,
    arrangements,
    reported,
    utility,
    viewer_utility,
)

ROW_BY_ROW = ViewingSettings("reranked", "positional", 0.8, novelty=False)
BEST = replace(ROW_BY_ROW, arrangement="best")


def report(
    values: Sequence[float | None], attention: Sequence[float] | None = None, alike: float = 0.0
) -> GridReport:
    size = len(values)
    even = tuple(attention or [1 / size] * size)
    return GridReport(
        prompt="a red apple",
        rows=1,
        columns=size,
        bundle="tiny",
        questions=(),
        scores={},
        rankings={"vq2": rank(values)},
        ranked_by="vq2",
        saliency={"generated": even, "reranked": even},
        set_scores=(),
        relevance={"vq2": tuple(values)},
        similarity=tuple(tuple(1.0 if i == j else alike for j in range(size)) for i in range(size)),
    )


def even(cells: Sequence[int]) -> tuple[float, ...]:
    return (1 / len(cells),) * len(cells)


def test_contributions_add_up_to_the_number_shown():
    found = viewer_utility(report((0.2, 0.9, 0.4)), ROW_BY_ROW, even)
    (shown,) = [s for s in found.scores if (s.metric, s.arrangement) == ("ERR", "reranked")]
    assert sum(found.contributions) == pytest.approx(shown.value, abs=1e-12)


def test_err_of_two_images_by_hand():
    """Best first: 0.5 + 0.8 * (1 - 0.5) * 0.25 = 0.6; as generated 0.25 + 0.8 * 0.75 * 0.5."""
    found = viewer_utility(report((0.25, 0.5)), ROW_BY_ROW, even)
    err = {s.arrangement: s.value for s in found.scores if s.metric == "ERR"}
    assert err == pytest.approx({"generated": 0.55, "reranked": 0.6})


def test_diversity_is_that_of_the_scored_images():
    assert viewer_utility(report((0.2, 0.3, None), alike=0.25), ROW_BY_ROW, even).diversity == 0.75
    assert viewer_utility(report((0.2, None)), ROW_BY_ROW, even).diversity is None


def test_a_ranking_without_a_calibration_has_no_set_metrics():
    found = viewer_utility(replace(report((0.2, 0.4)), relevance={}), ROW_BY_ROW, even)
    assert found.scores == ()
    assert found.contributions == (None, None)


@pytest.mark.parametrize("arrangement", ["generated", "reranked", "best"])
def test_novelty_is_not_judged_where_nobody_stored_how_alike_the_images_are(arrangement: str):
    """The set metrics without novelty are there."""
    unknown, view = replace(report((0.2, 0.4)), similarity=None), replace(BEST, novelty=True)
    found = viewer_utility(unknown, replace(view, arrangement=arrangement), even)
    assert (found.scores, found.contributions, found.diversity) == ((), (None, None), None)
    assert arrangement in found.arrangements
    assert len(viewer_utility(unknown, ROW_BY_ROW, even).scores) == 4
    plain = reported(unknown, view, found).set_scores
    assert plain
    assert not any("novelty" in score.metric for score in plain)


@given(st.lists(st.none() | st.floats(0, 1), min_size=2, max_size=5), st.randoms())
def test_the_best_layout_is_never_worth_less_than_a_known_arrangement(values, random):
    attention = [random.uniform(0.05, 1) for _ in values]
    view, made = (
        ViewingSettings("best", "saliency", 0.8, novelty=True),
        report(values, attention, alike=0.5),
    )

    def attention_of(cells: Sequence[int]) -> tuple[float, ...]:
        return tuple(attention[cell] for cell in cells)

    found = arrangements(made, view, attention_of)
    value = {name: utility(made, view.metric, each) for name, each in found.items()}
    assert value["best"] == max(value.values())
    assert sorted(found["best"].cells) == list(range(len(values)))


def test_repeats_are_kept_apart_by_the_best_layout():
    """Two images alike and nearly as good: the second of them comes last, after the third."""
    twins = report((0.9, 0.8, 0.3))
    likeness = ((1.0, 0.95, 0.0), (0.95, 1.0, 0.0), (0.0, 0.0, 1.0))
    found = viewer_utility(replace(twins, similarity=likeness), replace(BEST, novelty=True), even)
    assert found.arrangements["reranked"].cells == (0, 1, 2)
    assert found.arrangements["best"].cells == (0, 2, 1)


def test_the_report_for_download_has_the_persistence_and_the_layout_that_are_shown():
    made = report((0.2, 0.9))
    shallow = replace(BEST, persistence=0.5)
    scores = reported(made, shallow, viewer_utility(made, shallow, even)).set_scores
    assert all(score.signature.by_name["p"] == "0.5" for score in scores)
    assert {score.arrangement for score in scores} == {"generated", "reranked", "best"}


def test_a_grid_without_scores_has_no_metrics():
    found = viewer_utility(report((None, None)), BEST, even)
    assert (found.scores, found.contributions) == ((), (None, None))

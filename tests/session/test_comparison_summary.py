"""Figures of grids made by hand, and differences between systems."""

from dataclasses import replace

import pytest

from alignment.judgements import judgements
from alignment.records import GridReport
from session.comparison_summary import (
    failures_by_kind,
    figures,
    means,
    measures,
    paired_difference,
    shared_prompts,
    summarise_system,
)
from tests.session.reports import comparison, report


@pytest.mark.parametrize(
    ("grid", "judged"),
    [
        (report(0.9, None, 0.2), (True, None, False)),
        (
            replace(report(0.9, 0.6, 0.4, 0.1), thresholds={"vq2": 0.7}),
            (True, None, None, False),
        ),
        (replace(report(0.6, 0.5, 0.97, 0.3), relevance={}), (True, False, True, False)),
    ],
    ids=["no chance", "under the threshold", "not calibrated: every answer holds"],
)
def test_an_image_is_right_by_its_clear_chance_or_by_its_answers_or_else_not_judged(
    grid: GridReport, judged: tuple[bool | None, ...]
):
    assert judgements(grid) == judged
    found = figures(grid)
    assert (found["share_right"], found["first_right"]) == (0.5, True)


def test_a_grid_has_the_metrics_of_its_reranked_images_and_the_seconds_of_all_stages():
    found = figures(report(0.9, 0.2))
    assert (found["top_score"], found["ERR"], found["RBP"]) == (0.9, 0.8, 0.8)
    assert summarise_system(comparison((report(0.9, 0.2),) * 2), 0).seconds == 3.0


def test_a_system_counts_the_images_of_which_cannot_be_told():
    bad, good = report(0.1, 0.2), report(0.9, None)
    found = summarise_system(comparison((bad, bad), (good, good)), 0)
    assert (found.prompts, found.images, found.unjudged) == (2, 4, 1)
    assert found.calibrated


def test_a_figure_is_the_mean_over_the_prompts_on_which_every_system_has_it():
    """The first image of A on the last prompt cannot be told: 2 of 2 right, and 2 of 2, not 3."""
    right, wrong, unknown = report(0.9, 0.2), report(0.1, 0.2), report(None, 0.2)
    state = comparison((right, right), (right, right), (unknown, wrong))
    assert shared_prompts(state, "first_right") == (0, 1)
    assert means(state, "first_right") == (1.0, 1.0)
    assert shared_prompts(state, "share_right") == (0, 1, 2)
    assert means(state, "share_right") == pytest.approx((1 / 3, 1 / 3))
    found = paired_difference(state, 0, 1, "first_right")
    assert (found.value, found.n) == (0.0, 2)


def test_a_system_that_never_has_a_figure_takes_it_from_no_other():
    right, unknown = report(0.9, 0.2), report(None, None)
    state = comparison((right, unknown), (right, unknown))
    assert means(state, "share_right") == (0.5, None)


def test_a_difference_is_paired_over_prompts_that_both_could_be_judged_on():
    bad, good, unknown = report(0.1, 0.2), report(0.9, 0.8), report(None, None)
    found = paired_difference(comparison((bad, good), (good, good), (unknown, good)), 0, 1)
    assert (found.value, found.n, found.differing) == (0.5, 2, 1)
    assert -1 <= found.low < 0.5 < found.high <= 1


def test_every_figure_has_a_paired_difference():
    """ERR of the reranked grids is that of the report: .8 in every grid here."""
    low, high = report(0.5, 0.2), report(0.9, 0.8)
    state = comparison((low, high), (low, high))
    top, err = (paired_difference(state, 0, 1, figure) for figure in ("top_score", "ERR"))
    first, second = (each.ranking.values[each.ranking.order[0]] for each in (low, high))
    assert top.value == pytest.approx((second or 0) - (first or 0))
    assert (err.value, err.differing) == (0, 0)


def test_one_prompt_says_nothing_about_others():
    found = paired_difference(comparison((report(0.1), report(0.9))), 0, 1)
    assert (found.low, found.high) == (-1, 1)


def test_nothing_judged_has_no_difference():
    assert paired_difference(comparison((report(None), report(0.9))), 0, 1) is None


def test_failures_are_counted_by_the_kind_of_question():
    found = report(0.6, 0.5, 0.97, 0.3)
    assert failures_by_kind([found]) == {"thing": (3, 8)}, "an early report does not say the kind"


def test_metrics_that_say_nothing_are_left_out():
    found = measures(replace(report(0.9, 0.1), set_scores=()))
    assert {*found} == {"vq2", "share right"}
    assert found["vq2"] == pytest.approx((0.75 + 0.27) / 2)

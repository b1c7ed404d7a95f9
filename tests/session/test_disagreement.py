"""The images whose ranks by VQ2, VNLI and CLIP differ most."""

from __future__ import annotations

from dataclasses import replace

from alignment.ranking import rank
from alignment.records import GridReport
from session.comparison_summary import Disagreement, disagreements, most_disputed
from tests.session.test_comparison_summary import comparison, report


def ranked(**values: tuple[float | None, ...]) -> GridReport:
    found = {name: rank(name, each) for name, each in values.items()}
    return replace(report(0.9, 0.8, 0.2), rankings=found)


def test_the_image_whose_ranks_lie_furthest_apart_comes_first():
    first, second = disagreements(
        ranked(vq2=(0.9, 0.5, 0.1), vnli=(0.1, 0.5, 0.9), clip=(0.9, 0.1, 0.5))
    )
    assert first == Disagreement(0, {"vq2": 1, "vnli": 3, "clip": 1})
    assert (second.cell, second.spread) == (2, 2)


def test_images_without_a_score_by_each_method_are_left_out():
    (first, second) = disagreements(ranked(vq2=(0.9, None, 0.1), clip=(0.1, 0.9, 0.5)))
    assert (first.cell, first.ranks) == (0, {"vq2": 1, "clip": 2})
    assert second.cell == 2


def test_equal_scores_share_their_places_and_the_same_order_is_no_dispute():
    same = (0.9, 0.5, 0.1)
    assert disagreements(ranked(vq2=same, vnli=same, clip=same)) == ()
    first, _ = disagreements(ranked(vq2=(0.3, 0.1 + 0.2, 0.1), clip=(0.9, 0.5, 0.1)))
    assert first.ranks == {"vq2": 1.5, "clip": 1}


def test_the_most_disputed_grid_of_a_comparison_is_found():
    calm = ranked(vq2=(0.9, 0.5, 0.1), clip=(0.9, 0.5, 0.1))
    loud = ranked(vq2=(0.9, 0.5, 0.1), clip=(0.1, 0.5, 0.9))
    assert most_disputed(comparison((calm, calm), (calm, loud))) == (1, 1)
    assert most_disputed(comparison((calm, calm))) is None

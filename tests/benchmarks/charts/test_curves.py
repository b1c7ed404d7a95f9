"""Curves, and where their names go."""

from __future__ import annotations

from benchmarks.charts.curves import APART, curves
from tests.ui.reading import read

PLACES = (0.1, 0.5, 0.9)


def test_the_best_is_highest_and_lines_that_cross_do_so_on_paper():
    chart = read(curves({"a": (3.0, 3.0, 3.0), "b": (1.0, 3.0, 5.0)}, PLACES, "ERR", "persistence"))
    level, rising = ([*map(heights, line["points"].split())] for line in chart.all("polyline"))
    assert level[0] < rising[0]
    assert level[1] == rising[1]
    assert level[2] > rising[2]


def test_names_of_curves_that_end_together_are_kept_apart():
    chart = read(curves(dict.fromkeys("abc", (0.5, 0.5, 0.5)), PLACES, "flat", "persistence"))
    named = [float(text["y"]) for text in chart.all("text") if text.text in ("a", "b", "c")]
    assert sorted(named, reverse=True) == named
    assert named[0] - named[1] == named[1] - named[2] == APART


def test_names_are_text_whatever_is_in_them():
    assert "&lt;b&gt;" in curves({"<b>": (0.0, 1.0)}, (0.1, 0.9), "x", "y")


def heights(point: str) -> float:
    return float(point.split(",")[1])

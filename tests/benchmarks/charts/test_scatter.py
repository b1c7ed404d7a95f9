"""A chart of points that stands alone."""

from __future__ import annotations

from xml.etree import ElementTree

from benchmarks.charts.scatter import scatter

SVG = "{http://www.w3.org/2000/svg}"


def test_each_point_is_a_dot_further_right_and_higher_up_the_larger_it_is() -> None:
    root = ElementTree.fromstring(scatter([(0.0, 0.0), (0.5, 1.0), (1.0, 0.5)], "t", "x", "y"))
    dots = [(float(c.get("cx", 0)), float(c.get("cy", 0))) for c in root.iter(f"{SVG}circle")]
    (left, low), (middle, high), (right, half) = dots
    assert left < middle < right
    assert low > half > high


def test_words_are_text_whatever_they_hold() -> None:
    root = ElementTree.fromstring(scatter([], "a < b & c", "across", "up"))
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"a < b & c", "across", "up"} <= texts

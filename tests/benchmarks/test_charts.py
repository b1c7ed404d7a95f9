from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from benchmarks.charts import line_chart, scatter_chart

SVG = "{http://www.w3.org/2000/svg}"


def test_a_line_chart_names_its_curves_whatever_is_in_their_names(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "curves.svg"
    line_chart({"<b> & co": [0.0, 1.0], "b": [1.0, 0.5]}, [0.1, 0.9], "ERR", "persistence", file)
    assert {"<b> & co", "b", "ERR", "persistence"} <= texts(file)


def test_a_scatter_chart_has_a_dot_for_each_point(tmp_path: Path) -> None:
    file = tmp_path / "dots.svg"
    scatter_chart([(0.0, 0.5), (0.5, 1.0), (1.0, 0.0)], "a < b", "across", "up", file)
    assert {"a < b", "across", "up"} <= texts(file)
    (dots,) = [
        group
        for group in ElementTree.parse(file).iter(f"{SVG}g")
        if group.get("id", "").startswith("PathCollection")
    ]
    assert len([*dots.iter(f"{SVG}use")]) == 3


def test_the_same_chart_is_the_same_file(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.svg", "two.svg")]
    for file in files:
        scatter_chart([(0.5, 0.5)], "t", "x", "y", file)
    assert files[0].read_bytes() == files[1].read_bytes()


def texts(file: Path) -> set[str]:
    root = ElementTree.parse(file).getroot()
    return {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}

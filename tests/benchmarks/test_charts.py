from pathlib import Path
from xml.etree import ElementTree

from benchmarks.charts import Panel, panel_chart

TEXT = "{http://www.w3.org/2000/svg}text"
PANELS = [
    Panel("a < b", "across", "up", {"<b> & co": [(0.0, 0.5), (1.0, 0.0)], "b": [(0.5, 0.5)]}),
    Panel("right", "across", "up", {"b": [(0.5, 0.5)]}, diagonal=True, ticks=((0.5, "eight"),)),
]


def test_a_chart_names_its_curves_whatever_is_in_their_names_and_is_the_same_file_again(
    tmp_path: Path,
) -> None:
    files = [tmp_path / "deep" / name for name in ("one.svg", "two.svg")]
    for file in files:
        panel_chart(PANELS, 2, file)
    assert {"<b> & co", "b", "a < b", "right", "across", "up", "eight"} <= texts(files[0])
    assert files[0].read_bytes() == files[1].read_bytes()


def texts(file: Path) -> set[str]:
    root = ElementTree.parse(file).getroot()
    return {"".join(text.itertext()) for text in root.iter(TEXT)}

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.data.seetrue import Labelled, read_labelled
from tests.benchmarks.command import numbers, refusal, run

HEADER = "image,text,rater,label,dataset_source"


def write(folder: Path, votes: dict[str, str], data_set: str = "drawbench") -> Path:
    """Image -> one digit for each of the raters a, b, c ...; "-" where one did not rate."""
    file = folder / "ratings.csv"
    lines = [
        f"{image},owl of {image},{rater},{label},{data_set}"
        for image, labels in votes.items()
        for rater, label in zip("abcdef", labels, strict=False)
        if label != "-"
    ]
    file.write_text("\n".join([HEADER, *lines]) + "\n")
    return file


def test_the_majority_of_three_raters_and_how_far_they_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Votes 3:0, 0:3, 2:1, 1:2. Pairs of raters agree in (1 + 1 + 1/3 + 1/3) / 4 = 2/3, by chance
    in 1/2: kappa is 1/3."""
    file = write(tmp_path, {"1.png": "111", "2.png": "000", "3.png": "110", "4.png": "100"})
    found = {
        name.split("|")[0]: each
        for name, each in numbers(capsys, "raters", "--ratings", file).items()
    }
    assert found["unanimous"]["value"] == 0.5
    assert found["Fleiss' kappa"]["value"] == pytest.approx(1 / 3)
    assert (found["positive"]["value"], found["positive"]["units"]) == (0.5, 4)
    assert found["without a majority"]["value"] == 0


def test_the_majority_becomes_a_table_that_is_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = write(tmp_path, {"1.png": "110", "2.png": "00", "3.png": "10"}), tmp_path / "l.csv"
    run(capsys, "raters", "--ratings", file, "--out", out)
    assert read_labelled(out) == [
        Labelled("1.png", "owl of 1.png", True, "drawbench"),
        Labelled("2.png", "owl of 2.png", False, "drawbench"),
    ]


def test_kappa_is_over_the_pairs_with_as_many_raters_as_most_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, {"1.png": "111", "2.png": "000", "3.png": "1--"})
    found = numbers(capsys, "raters", "--ratings", file)
    kappa = "Fleiss' kappa|data:drawbench|pairs:3|raters:3|n:2"
    assert found[kappa]["value"] == 1


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("1.png,owl,a,2,x", "the label of 1.png is not 0 or 1"),
        ("1.png,owl,a,1,x\n1.png,owl,a,0,x", "a labels 1.png twice with the same text"),
    ],
)
def test_ratings_that_cannot_be_counted_are_named(tmp_path: Path, lines: str, said: str) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text(f"{HEADER}\n{lines}\n")
    assert refusal("raters", "--ratings", file) == said


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text("image,text,label\n1.png,owl,1\n")
    assert "no column rater, dataset_source" in refusal("raters", "--ratings", file)

"""Pairs are read in the format of the published data set."""

import json
from pathlib import Path

import pytest

from alignment.errors import UnreadablePairsError
from alignment.prompt_pairs.pairs import read_pairs
from alignment.prompt_pairs.records import PromptPair

ROW = {
    "category": "physical laws",
    "prompt1": "a lightbulb without electricity",
    "prompt2": "a lightbulb with electricity",
    "description1": "The lightbulb is unlit",
    "description2": "The lightbulb is lit\nIt glows",
    "likelihood": 9,
}


def saved(folder: Path, *rows: dict[str, object]) -> Path:
    file = folder / "data.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    return file


def test_a_row_becomes_a_pair_and_lines_of_a_description_become_a_list(tmp_path: Path) -> None:
    assert read_pairs(saved(tmp_path, ROW)) == (
        PromptPair(
            ("a lightbulb without electricity", "a lightbulb with electricity"),
            ("The lightbulb is unlit", "The lightbulb is lit, It glows"),
            "physical laws",
        ),
    )


def test_the_category_may_be_left_out(tmp_path: Path) -> None:
    bare = {name: value for name, value in ROW.items() if name != "category"}
    (pair,) = read_pairs(saved(tmp_path, bare))
    assert pair.category == ""


def test_a_row_without_a_description_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        UnreadablePairsError, match="pair 2 has no description1; found category, prompt1"
    ):
        read_pairs(saved(tmp_path, ROW, {**ROW, "description1": " "}))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not json", "data.json is no JSON"),
        ("[]", "data.json holds no pairs; give a list of objects with prompt1, prompt2"),
        ('{"prompt1": "a"}', "data.json holds no pairs"),
        ("[1, 2]", "data.json holds no pairs"),
    ],
)
def test_a_file_without_pairs_is_told_what_it_should_hold(
    tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "data.json").write_text(text)
    with pytest.raises(UnreadablePairsError, match=says):
        read_pairs(tmp_path / "data.json")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePairsError, match="there is no file .*nowhere.json"):
        read_pairs(tmp_path / "nowhere.json")

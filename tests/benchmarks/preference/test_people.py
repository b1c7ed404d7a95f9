"""Preferences of people: a file that is none says where, what came and what is taken."""

from pathlib import Path

import pytest

from benchmarks.preference.people import read_preferences
from session.errors import DataError

HEADER = "prompt,first,second,rater,preference\n"
EVERY = "give prompt, first, second, rater, preference in every row"


def test_somebody_may_be_called_na(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text(f"{HEADER}null,None,b,NA,1\n")
    assert read_preferences(file)[["prompt", "first", "rater"]].values.tolist() == [
        ["null", "None", "NA"]
    ]


def test_preferences_are_read_with_the_sides_in_one_order(tmp_path: Path):
    file = tmp_path / "people.csv"
    file.write_text(f"{HEADER}owl,b,a,ann,2\nowl,a,b,bob,-1\n")
    found = read_preferences(file)
    assert found[["first", "second", "preference"]].to_numpy().tolist() == [
        ["a", "b", -2],
        ["a", "b", -1],
    ]


def test_files_of_several_raters_are_joined_and_one_rater_in_two_files_is_refused(tmp_path: Path):
    ann, bob = tmp_path / "ann.csv", tmp_path / "bob.csv"
    ann.write_text(f"{HEADER}owl,b,a,ann,2\nfox,a,b,ann,0\n")
    bob.write_text(f"{HEADER}owl,a,b,bob,-1\n")
    joined = read_preferences(ann, bob)
    assert joined[["rater", "preference"]].to_numpy().tolist() == [
        ["ann", -2], ["ann", 0], ["bob", -1],
    ]  # fmt: skip
    bob.write_text(f"{HEADER}owl,a,b,ann,1\n")
    with pytest.raises(DataError, match="the rater ann judges a and b on .owl. in another"):
        read_preferences(ann, bob)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "people.csv is empty; give a CSV file with a header"),
        (HEADER, "people.csv has a header alone; give one row for each judgement"),
        (f"{HEADER}an owl, a fox,a,b,ann,1\n", "people.csv, row 2 has more cells than the header"),
        (f"{HEADER}owl,a,b,ann,1\nowl,a,b\n", f"row 3 has no rater, preference; {EVERY}"),
        (f"{HEADER}owl,a,b,ann,1\n,a,b,ann,1\n", f"people.csv, row 3 has no prompt; {EVERY}"),
        (
            f"{HEADER}owl,a,b,ann,1\nowl,a,b,bob,much better\n",
            "people.csv, row 3 has the preference much better; give 2, 1, 0, -1, -2",
        ),
        (f"{HEADER}owl,a,b,ann,3\n", "people.csv, row 2 has the preference 3; give 2, 1, 0, -1"),
        (f"{HEADER}owl,a,b,ann,-2.5\n", "row 2 has the preference -2.5; give 2, 1, 0, -1, -2"),
        (
            f"{HEADER}owl,a,b,ann,1\nowl,a,b,ann,1,0\n",
            "people.csv is no CSV file in UTF-8: .* Expected 5 fields in line 3, saw 6",
        ),
        (
            "prompt,first,second,rater,preference,seed\nowl,a,b,ann,1,7\n",
            "no column may be called seed; known: prompt, first, second, rater, preference, grid",
        ),
        ("prompt,first\nowl,a\n", "people.csv has no second, rater, preference; it has"),
    ],
)
def test_what_is_no_preference_is_a_sentence(text: str, message: str, tmp_path: Path):
    (tmp_path / "people.csv").write_text(text)
    with pytest.raises(DataError, match=message):
        read_preferences(tmp_path / "people.csv")

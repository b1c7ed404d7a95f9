from pathlib import Path

import pytest

from benchmarks.data.dsg import image_scores, read_answers, read_ratings
from session.errors import DataError

HEADER = "dsg_prompt_split,qg_model,t2i_model,item_id,question,question_id,dependency_id,answer"
OWL, FOX = ("sd", "owl"), ("sd", "fox")


def write(folder: Path, *lines: str) -> Path:
    file = folder / "answers.csv"
    file.write_text("\n".join([HEADER, *lines]) + "\n")
    return file


def test_an_image_scores_the_share_of_its_questions_that_get_a_plain_yes(tmp_path: Path) -> None:
    """ "no owl", "unsuitable" and no answer at all are not yes."""
    said = ("yes", "no", "", "unsuitable")
    lines = [f"s,dsg,sd,owl,?,{n},0,{answer}" for n, answer in enumerate(said, start=1)]
    answers = read_answers(write(tmp_path, *lines, "s,dsg,sd,fox,?,1,0,yes"))
    assert image_scores(answers, dependencies=False).to_dict() == {OWL: 0.25, FOX: 1.0}


@pytest.mark.parametrize(
    ("lines", "share", "counted"),
    [
        (
            (
                "s,dsg,sd,owl,?,1,0,no",
                "s,dsg,sd,owl,?,2,1,yes",
                's,dsg,sd,owl,?,3,"1,2",yes',
                "s,dsg,sd,owl,?,4,2,yes",  # counts, for its parent was answered with yes
            ),
            3 / 4,
            1 / 4,
        ),
        (
            ("s,dsg,sd,fox,?,1,0,no", "s,dsg,sd,owl,?,1,0,yes", "s,dsg,sd,owl,?,2,1,yes"),
            1,
            1,
        ),
        (
            (
                "s,dsg,sd,owl,?,1,0,no",
                "s,dsg,sd,owl,?,2,1,yes",
                's,dsg,sd,owl,?,3,"1, outside",yes',
            ),
            2 / 3,
            2 / 3,
        ),
    ],
    ids=[
        "direct parents",
        "parents of another image do not matter",
        "one unreadable parent takes away all dependencies of the image",
    ],
)
def test_a_yes_counts_only_where_all_direct_parents_are_yes(
    lines: tuple[str, ...], share: float, counted: float, tmp_path: Path
) -> None:
    answers = read_answers(write(tmp_path, *lines))
    assert image_scores(answers, dependencies=False)[OWL] == pytest.approx(share)
    assert image_scores(answers, dependencies=True)[OWL] == pytest.approx(counted)


def test_questions_without_numbers_depend_on_nothing(tmp_path: Path) -> None:
    file = tmp_path / "vq2a.csv"
    file.write_text("t2i_model,item_id,question,answer\nsd,owl,?,no\nsd,owl,?,yes\n")
    answers = read_answers(file)
    assert image_scores(answers, dependencies=True).to_dict() == {OWL: 0.5}


def test_ratings_are_averaged_over_people(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    people = [("owl", 5), ("owl", 4), ("fox", 3), ("elk", 1)]
    file.write_text("t2i_model,item_id,answer\n" + "".join(f"sd,{i},{a}\n" for i, a in people))
    assert read_ratings(file).to_dict() == {OWL: 4.5, FOX: 3.0, ("sd", "elk"): 1.0}


def test_a_missing_column_and_a_missing_file_are_named(tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    file.write_text("item_id,question\n")
    with pytest.raises(DataError, match="answers.csv has no t2i_model, answer; it has item_id"):
        read_answers(file)
    with pytest.raises(DataError, match="there is no file .*nothing.csv"):
        read_answers(tmp_path / "nothing.csv")

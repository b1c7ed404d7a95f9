from pathlib import Path

import pytest

from benchmarks.data.beside_printed import Recomputed
from benchmarks.data.printed import CORRELATIONS, DIFFICULTY
from benchmarks.published import correlations, recompute
from tests.benchmarks.command import refusal


@pytest.fixture(scope="module")
def found(reference: Path) -> dict[str, Recomputed]:
    return {each.signature: each for each in recompute(reference)}


def test_correlations_and_difficulty_of_dsg_and_chance_are_found_again(
    found: dict[str, Recomputed],
) -> None:
    """Two correlations of each file, a mean of each set of prompts, three chance values."""
    differing = [each.signature for each in found.values() if each.agrees is False]
    assert not [name for name in differing if "data:" not in name]
    agreeing = [each for each in found.values() if each.agrees and "data:" not in each.signature]
    assert len(agreeing) == 2 * len(CORRELATIONS) + len(DIFFICULTY) + 3


@pytest.mark.parametrize(
    ("name", "ours", "printed"),
    [
        ("pairs|data:SeeTRUE", 6_930, 8_381),
        ("pairs|data:drawbench", 1_312, 1_968),
        ("pairs|data:coco_t2i", 1_791, 2_586),
        ("positive|data:drawbench|n:1312|unit:%", 37.2, 36.9),
        ("positive|data:coco_t2i|n:1791|unit:%", 64.9, 63.6),
        ("P@1|data:coco_t2i, SD 1.4|method:random|expectation:exact|unit:%", 67.3, 68.6),
        ("P@1|data:coco_t2i, SD 2.1|method:random|expectation:exact|unit:%", 71.5, 71.3),
        ("P@1|data:drawbench, SD 1.4|method:random|expectation:exact|unit:%", 61.3, 66.7),
        ("P@1|data:drawbench, SD 2.1|method:random|expectation:exact|unit:%", 65.0, 59.0),
    ],
)
def test_where_the_public_table_differs_from_the_paper_the_reason_is_said(
    found: dict[str, Recomputed], name: str, ours: float, printed: float
) -> None:
    each = found[name]
    assert (round(each.ours, 1), each.printed, each.agrees) == (ours, printed, False)
    assert each.reason


def test_every_printed_random_choice_is_one_draw_over_the_prompts_of_the_public_table(
    found: dict[str, Recomputed],
) -> None:
    """A whole number of right choices gives each printed percentage, to its one digit."""
    for name in ("coco_t2i, SD 1.4", "coco_t2i, SD 2.1", "drawbench, SD 1.4", "drawbench, SD 2.1"):
        prompts = round(found[f"prompts|data:{name}|having:a right image"].ours)
        printed = found[f"P@1|data:{name}|method:random|expectation:exact|unit:%"].printed
        assert printed in {round(100 * right / prompts, 1) for right in range(prompts + 1)}


@pytest.mark.parametrize(
    ("ours", "printed", "digits", "agrees"),
    [
        (0.2119, 0.212, 3, True),
        (0.2126, 0.212, 3, False),
        (169, 169, 0, True),
        (170, 169, 0, False),
        (0.5, None, 3, None),
    ],
)
def test_numbers_agree_when_ours_rounds_to_the_printed_one(
    ours: float, printed: float | None, digits: int, agrees: bool | None
) -> None:
    assert Recomputed("", ours, printed, digits).agrees is agrees


def test_an_image_that_is_rated_and_has_no_answers_scores_0(tmp_path: Path) -> None:
    answers, ratings = tmp_path / "mplug_dsg.csv", tmp_path / "ratings.csv"
    said = [("owl", 1, 0, "no"), ("owl", 2, 1, "yes"), ("fox", 1, 0, "yes")]
    lines = [f"sd,{item},{number},{parent},{answer}" for item, number, parent, answer in said]
    answers.write_text("\n".join(["t2i_model,item_id,question_id,dependency_id,answer", *lines]))
    ratings.write_text("t2i_model,item_id,answer\nsd,owl,1\nsd,fox,5\nsd,elk,2\n")
    ours = {each.signature: each.ours for each in correlations(answers, ratings)}
    assert ours["Spearman|answers:mplug_dsg|dependencies:False|n:3"] == pytest.approx(0.5)
    assert ours["Spearman|answers:mplug_dsg|dependencies:True|n:3"] == pytest.approx(
        0.866, abs=1e-3
    )


def test_files_that_are_wanted_are_named_with_where_they_are_published(tmp_path: Path) -> None:
    """All of them without a folder, else those that it lacks."""
    said = refusal("published")
    assert said.startswith("give --reference FOLDER with these files:")
    assert "dsg/mplug_dsg.csv   (github.com/j-min/DSG)" in said
    assert "seetrue/SeeTRUE.csv   (huggingface.co" in said
    (tmp_path / "dsg").mkdir()
    (tmp_path / "dsg" / "mplug_dsg.csv").touch()
    said = refusal("published", "--reference", tmp_path)
    assert "lacks:" in said
    assert "dsg/mplug_vq2a.csv" in said
    assert "dsg/mplug_dsg.csv" not in said

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.published import Recomputed, main, recompute, winoground

REFERENCE = Path(__file__).parents[3] / "shared" / "reference"


@pytest.fixture(scope="module")
def found() -> dict[str, Recomputed]:
    if not REFERENCE.is_dir():
        pytest.skip("the published files are not here")
    numbers = recompute(REFERENCE, np.random.default_rng(7))
    return {each.signature: each for each in numbers}


def test_every_published_number_is_found_again(found: dict[str, Recomputed]) -> None:
    compared = [each for each in found.values() if each.theirs is not None]
    assert len(compared) == 37
    assert not [each for each in compared if not each.agrees]


@pytest.mark.parametrize(
    ("answers", "dependencies", "spearman", "kendall"),
    [
        ("mplug_vq2a", False, 0.212, 0.164),
        ("pali17b_vq2a", False, 0.207, 0.157),
        ("mplug_dsg", False, 0.464, 0.378),
        ("mplug_dsg", True, 0.463, 0.380),
        ("pali17b_dsg", False, 0.570, 0.457),
        ("pali17b_dsg", True, 0.571, 0.458),
    ],
)
def test_answers_correlate_with_ratings_as_dsg_says(
    found: dict[str, Recomputed], answers: str, dependencies: bool, spearman: float, kendall: float
) -> None:
    about = f"answers:{answers}|dependencies:{dependencies}|n:800"
    assert round(found[f"Spearman|{about}"].ours, 3) == spearman
    assert round(found[f"Kendall|{about}"].ours, 3) == kendall


@pytest.mark.parametrize(
    ("name", "prompts", "right"),
    [
        ("coco_t2i, SD 1.4", 169, 67.3),
        ("coco_t2i, SD 2.1", 181, 71.5),
        ("drawbench, SD 1.4", 93, 61.3),
        ("drawbench, SD 2.1", 100, 65.0),
    ],
)
def test_a_random_choice_is_right_as_often_as_the_public_table_gives(
    found: dict[str, Recomputed], name: str, prompts: int, right: float
) -> None:
    assert found[f"prompts|data:{name}|having:a right picture"].ours == prompts
    chosen = found[f"P@1|data:{name}|method:random|expectation:exact|unit:%"]
    assert round(chosen.ours, 1) == right


@pytest.mark.parametrize(
    ("ours", "theirs", "digits", "error", "agrees"),
    [
        (0.2119, 0.212, 3, 0.0, True),
        (0.2126, 0.212, 3, 0.0, False),
        (169, 169, 0, 0.0, True),
        (170, 169, 0, 0.0, False),
        (24.9, 25.0, 2, 0.2, True),
        (0.5, None, 3, 0.0, None),
    ],
)
def test_numbers_agree_when_ours_rounds_to_theirs(
    ours: float, theirs: float | None, digits: int, error: float, agrees: bool | None
) -> None:
    assert Recomputed("", ours, theirs, digits, error).agrees is agrees


def test_a_simulation_may_be_off_by_its_error_and_no_more() -> None:
    drawn = [each for each in winoground(np.random.default_rng(1), 10_000) if each.error]
    assert [each.agrees for each in drawn] == [True] * 3
    assert all(0.0 < each.error < 2.0 for each in drawn)


def test_other_answers_and_ratings_are_correlated_and_compared_with_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers, ratings = tmp_path / "mplug_dsg.csv", tmp_path / "ratings.csv"
    said = [("owl", 1, 0, "no"), ("owl", 2, 1, "yes"), ("fox", 1, 0, "yes"), ("elk", 1, 0, "no")]
    lines = [f"sd,{item},{number},{parent},{answer}" for item, number, parent, answer in said]
    answers.write_text("\n".join(["t2i_model,item_id,question_id,dependency_id,answer", *lines]))
    ratings.write_text("t2i_model,item_id,answer\nsd,owl,1\nsd,fox,5\nsd,elk,2\n")
    main(["--answers", str(answers), "--ratings", str(ratings)])
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (result["agree"], result["of"]) == (0, 0)
    ours = {each["signature"]: each["ours"] for each in result["numbers"]}
    assert ours["Spearman|answers:mplug_dsg|dependencies:False|n:3"] == pytest.approx(0.5)
    assert ours["Spearman|answers:mplug_dsg|dependencies:True|n:3"] == pytest.approx(
        0.866, abs=1e-3
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--answers", "a.csv"], "give --answers and --ratings together"),
        ([], "give --reference, or --answers and --ratings"),
        (["--reference", "nowhere"], "no folder nowhere; give --reference"),
    ],
)
def test_what_is_missing_is_asked_for(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert message in capsys.readouterr().err

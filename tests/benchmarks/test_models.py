from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.data.errors import DataError
from benchmarks.data.rated import Rated
from benchmarks.models import compare, main, shared
from tests.benchmarks.small_seetrue import Row, write


def picture(system: str, prompt: str, score: float, people: float | None) -> Rated:
    return Rated("set", system, prompt, score, people)


PICTURES = [
    picture("good", "owl", 0.9, 5.0),
    picture("good", "fox", 0.7, 4.0),
    picture("good", "elk", 0.0, 1.0),
    picture("fair", "owl", 0.5, 3.0),
    picture("fair", "fox", 0.7, 2.0),
    picture("poor", "owl", 0.1, 2.0),
    picture("poor", "fox", 0.3, None),
]


def test_painters_are_compared_on_the_prompts_that_all_of_them_painted() -> None:
    """The elk of the good painter has no rivals."""
    found = compare(PICTURES, "vq2", np.random.default_rng(7))
    means = {name: number.value for name, number in found.means.items()}
    assert means == {
        "good": pytest.approx(0.8),
        "fair": pytest.approx(0.6),
        "poor": pytest.approx(0.2),
    }
    assert [*means] == ["good", "fair", "poor"]
    assert found.people == {"good": 4.5, "fair": 2.5, "poor": 2.0}
    assert "system:good|judge:vq2|pictures:2|prompts:2" in found.means["good"].passport


def test_correlations_are_over_painters_and_over_rated_pictures() -> None:
    """Pictures: scores .9 .7 .5 .7 .1 against ratings 5 4 3 2 2."""
    found = compare(PICTURES, "vq2", np.random.default_rng(7))
    values = {number.passport: number.value for number in found.agreement}
    assert values["Spearman|of:painters|judge:vq2|n:3"] == pytest.approx(1)
    assert values["Kendall|of:painters|judge:vq2|n:3"] == pytest.approx(1)
    assert values["Kendall|of:pictures|judge:vq2|n:5"] == pytest.approx(6 / 9)


def test_two_painters_have_no_rank_correlation() -> None:
    two = [each for each in PICTURES if each.system != "poor"]
    found = compare(two, "vq2", np.random.default_rng(7))
    assert {number.passport.split("|")[1] for number in found.agreement} == {"of:pictures"}


def test_several_pictures_of_a_prompt_count_as_one_prompt() -> None:
    twice = [*PICTURES, picture("good", "owl", 0.5, 5.0)]
    found = compare(twice, "vq2", np.random.default_rng(7))
    assert found.means["good"].value == pytest.approx((0.7 + 0.7) / 2)
    assert "pictures:3|prompts:2" in found.means["good"].passport


def test_painters_without_a_common_prompt_are_refused() -> None:
    with pytest.raises(DataError, match="good, poor: no prompt was painted by all"):
        shared([PICTURES[2], PICTURES[5]])


def test_generators_of_seetrue_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        Row("id_1_sd_1_4_0.png", "owl", 0, "coco_t2i", {"vq2": 0.25, "clip": None}),
        Row("id_1_sd_2_1_0.png", "owl", 1, "coco_t2i", {"vq2": 0.75, "clip": 0.5}),
        Row("7_a=few_o=cat_s=indoor.png", "cats", 1, "editbench", {}),
    ]
    main([*write(tmp_path, rows), "--methods", "vq2"])
    line = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [each["value"] for each in line["numbers"]] == [0.75, 0.25]
    assert "system:SD 2.1" in line["numbers"][0]["passport"]


def test_without_data_the_command_says_what_to_give(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "give --answers and --ratings, or --table and --images" in capsys.readouterr().err

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.data.rated import RatedImage
from benchmarks.difficulty import by_people, difficulties
from tests.benchmarks.command import run
from tests.benchmarks.small_seetrue import Row, write


def pictures(system: str, name: str, scores: list[float], people: float | None) -> list[RatedImage]:
    return [
        RatedImage(name, system, f"{name} {prompt}", score, people)
        for prompt, score in enumerate(scores)
    ]


PICTURES = [
    *pictures("a", "easy", [0.9, 1.0], 4.0),
    *pictures("a", "hard", [0.1, 0.3], 1.5),
    *pictures("a", "fair", [0.5], 2.0),
    *pictures("b", "hard", [0.6, 0.4, 0.2], None),
]


def test_sets_of_prompts_are_given_pipeline_by_pipeline_hardest_first() -> None:
    found = difficulties(PICTURES, "vq2", np.random.default_rng(7))
    assert [(each.system, each.prompt_set, each.score.value, each.people) for each in found] == [
        ("a", "hard", pytest.approx(0.2), 1.5),
        ("a", "fair", pytest.approx(0.5), 2.0),
        ("a", "easy", pytest.approx(0.95), 4.0),
        ("b", "hard", pytest.approx(0.4), None),
    ]
    assert "system:b|prompts_of:hard|scored_by:vq2|images:3|prompts:3" in found[3].score.signature


def test_people_are_compared_over_the_sets_of_one_pipeline() -> None:
    found = by_people(difficulties(PICTURES, "vq2", np.random.default_rng(7)))
    assert {number.signature: number.value for number in found} == {
        "Spearman|of:sets of prompts|system:a|scored_by:vq2|n:3": pytest.approx(1),
        "Kendall|of:sets of prompts|system:a|scored_by:vq2|n:3": pytest.approx(1),
        "R2|of:sets of prompts|system:a|scored_by:vq2|n:3": pytest.approx(
            np.corrcoef([0.2, 0.5, 0.95], [1.5, 2.0, 4.0])[0, 1] ** 2
        ),
    }


def test_categories_of_drawbench_are_sets_of_prompts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        Row("id_1_Colors_sd_1_4_0.png", "a pink owl", 1, "drawbench", {"vq2": 0.75}),
        Row("id_2_Counting_sd_1_4_0.png", "two owls", 0, "drawbench", {"vq2": 0.5}),
        Row("id_1_sd_1_4_0.png", "an owl", 1, "coco_t2i", {"vq2": 1.0}),
    ]
    line = run(capsys, "difficulty", *write(tmp_path, rows), "--methods", "vq2")
    scores = [each for each in line["numbers"] if each["signature"].startswith("mean score")]
    assert [each["value"] for each in scores] == [0.5, 0.75, 1.0]
    assert "prompts_of:drawbench/Counting" in scores[0]["signature"]
    assert "prompts_of:coco_t2i" in scores[2]["signature"]

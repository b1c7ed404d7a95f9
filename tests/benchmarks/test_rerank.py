from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.command import run
from tests.benchmarks.small_seetrue import Row, write


def rows(
    text: str, labels: str, scores: list[float | None], generator: str = "sd_1_4"
) -> list[Row]:
    return [
        Row(f"id_{len(text)}_{generator}_{index}.png", text, int(label), "coco_t2i", {"vq2": score})
        for index, (label, score) in enumerate(zip(labels, scores, strict=True))
    ]


ROWS = [
    *rows("owl", "1000", [0.9, 0.1, 0.2, 0.3]),
    *rows("fox!", "0110", [0.8, 0.8, 0.1, None]),
    *rows("camel", "0000", [0.9, 0.8, 0.7, 0.6]),
    *rows("badger", "0011", [None, None, None, None]),
    *rows("owl", "1", [0.9], "coco_val"),
    *rows("owl", "01", [0.4, 0.3], "sd_2_1"),
]


def test_precision_counts_prompts_with_a_right_picture_and_shares_ties(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SD 1.4: owl right, fox a tie of two, badger unjudged and so a random choice, camel has none.

    (1 + 1/2 + 1/2) / 3 by VQ2 and (1/4 + 1/2 + 1/2) / 3 at random; SD 2.1 chooses wrongly.
    """
    line = run(capsys, "rerank", *write(tmp_path, ROWS), "--methods", "vq2")
    found = {each["signature"]: each["value"] for each in line["numbers"]}
    assert found == {
        "P@1|data:coco_t2i, SD 1.4|method:random|n:3|ties:expected": pytest.approx(5 / 12),
        "P@1|data:coco_t2i, SD 1.4|method:vq2|bundle:embedded|n:3|ties:expected": pytest.approx(
            2 / 3
        ),
        "P@1|data:coco_t2i, SD 2.1|method:random|n:1|ties:expected": 0.5,
        "P@1|data:coco_t2i, SD 2.1|method:vq2|bundle:embedded|n:1|ties:expected": 0.0,
    }

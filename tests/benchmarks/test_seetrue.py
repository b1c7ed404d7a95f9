from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from alignment.models.catalogue import STICKER_CLIP, STICKER_T5, STICKER_VLM
from benchmarks.seetrue import PUBLISHED, main
from benchmarks.stickers.evaluators import TEST_SET
from tests.benchmarks.small_seetrue import Row, write

ROWS = [
    Row("1.png", "owl", 1, "drawbench", {"vq2": 0.9, "clip": 0.5}),
    Row("2.png", "owl", 0, "drawbench", {"vq2": 0.8, "clip": 0.5}),
    Row("3.png", "fox", 1, "drawbench", {"vq2": 0.7, "clip": 0.5}),
    Row("4.png", "fox", 0, "drawbench", {"vq2": 0.1, "clip": 0.5}),
    Row("5.png", "elk", 1, "drawbench", {"vq2": None, "clip": 0.5}),
    Row("6.png", "cat", 1, "coco_t2i", {"vq2": 0.2, "clip": 0.9}),
    Row("7.png", "cow", 0, "coco_t2i", {"vq2": 0.3, "clip": 0.1}),
]


def numbers(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, float]]:
    line = json.loads(capsys.readouterr().out.splitlines()[-1])
    return {each["signature"]: each for each in line["numbers"]}


def test_each_method_has_an_auc_on_each_data_set_and_a_mean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """DrawBench: three of the four pairs of a true and a false picture are in order."""
    main([*write(tmp_path, ROWS), "--methods", "vq2,clip"])
    found = numbers(capsys)
    drawbench = "data:drawbench|method:vq2|bundle:embedded|n:4|positive:2|unjudged:1"
    coco = "data:coco_t2i|method:vq2|bundle:embedded|n:2|positive:1|unjudged:0"
    mean = "AUC|data:mean of data sets|method:vq2|bundle:embedded"
    assert found[f"AUC|{drawbench}"]["value"] == 0.75
    assert found[f"AUC|{coco}"]["value"] == 0.0
    assert found[mean]["value"] == 0.375
    assert found[f"AUC|{drawbench}"]["low"] <= 0.75 <= found[f"AUC|{drawbench}"]["high"]
    assert [each["value"] for name, each in found.items() if "clip" in name] == [1.0, 0.5, 0.75]


def test_a_data_set_of_one_label_has_no_auc(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*write(tmp_path, ROWS[:1]), "--methods", "vq2"])
    assert [each["value"] for each in numbers(capsys).values()] == [None, None]


def test_a_limit_takes_whole_prompts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([*write(tmp_path, ROWS), "--methods", "vq2", "--limit", "1"])
    assert any("drawbench|method:vq2|bundle:embedded|n:2|" in each for each in numbers(capsys))


def test_published_rows_have_their_published_means() -> None:
    means = {name: round(sum(row) / len(row), 1) for name, row in PUBLISHED.items()}
    assert means == {
        "CLIP ViT-L/14": 62.6,
        "BLIP": 70.5,
        "BLIP-2 (COCO)": 72.7,
        "VQ2": 80.0,
        "VNLI (PaLI + synthetic)": 82.9,
        "mean of VQ2 and VNLI": 84.1,
    }


def test_the_embedded_judges_read_a_table_and_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for spec in (STICKER_T5, STICKER_VLM, STICKER_CLIP):
        if not Path(spec.source).is_dir():
            pytest.skip(f"no trained {spec.name}")
    with (TEST_SET / "scenes.jsonl").open() as lines:
        scenes = [json.loads(line) for line in lines][:2]
    rows = [
        Row(scene["image"], scene[kind], int(kind == "caption"), "stickers", {})
        for scene in scenes
        for kind in ("caption", "foil")
    ]
    options = write(tmp_path, rows)
    for scene in scenes:
        shutil.copy(TEST_SET / scene["image"], tmp_path / "images")
    main(options)
    first = numbers(capsys)
    shutil.rmtree(tmp_path / "images")
    (tmp_path / "images").mkdir()
    main(options)
    assert numbers(capsys) == first
    assert all(0 <= each["value"] <= 1 for each in first.values())
    assert sum("n:4" in name for name in first) == 4


def test_a_method_that_is_not_known_is_named_beside_those_that_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--methods", "vq2,vq3"])
    assert "no method 'vq3'; known: vq2, vnli, clip" in capsys.readouterr().err


def test_without_pairs_the_command_says_what_to_give(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--table", "SeeTRUE.csv"])
    assert "give --table and --images, or --hub" in capsys.readouterr().err
